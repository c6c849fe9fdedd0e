import { importTests } from './import-tests.ts';

importTests('cli/[d-i]!(*.long|*.more).test.ts');
