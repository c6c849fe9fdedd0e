import { importTests } from './import-tests.ts';

importTests('rules/[r-z]!(*.more).test.ts');
