import { importTests } from './import-tests.ts';

importTests('server/**/!(*.long|*.more).test.ts');
