import { importTests } from '../import-tests.ts';

importTests('cli/[a-d]*.more.test.ts');
