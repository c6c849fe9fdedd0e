import { importTests } from '../import-tests.ts';

importTests('cli/[e-z]*.more.test.ts');
