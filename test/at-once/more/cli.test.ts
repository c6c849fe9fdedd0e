import { importTests } from '../import-tests.ts';

importTests('cli/*.more.test.ts');
