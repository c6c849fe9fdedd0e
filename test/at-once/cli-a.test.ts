import { importTests } from './import-tests.ts';

importTests('cli/[a-c]!(*.long|*.more).test.ts');
