import { importTests } from '../import-tests.ts';

importTests('server/**/*.more.test.ts');
