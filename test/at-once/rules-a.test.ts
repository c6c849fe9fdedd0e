import { importTests } from './import-tests.ts';

importTests('rules/[a-q]!(*.more|*.long).test.ts');
