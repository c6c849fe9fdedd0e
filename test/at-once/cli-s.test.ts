import { importTests } from './import-tests.ts';

importTests('cli/[s-z]!(*.long|*.more).test.ts');
