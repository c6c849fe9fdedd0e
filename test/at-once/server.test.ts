import { importTests } from './import-tests.ts';

importTests('server/**/!(*.long).test.ts');
