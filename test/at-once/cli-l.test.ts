import { importTests } from './import-tests.ts';

importTests('cli/[l-r]!(*.long|*.more).test.ts');
