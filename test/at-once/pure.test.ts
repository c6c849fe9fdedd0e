import { importTests } from './import-tests.ts';

importTests('{acts,config,core,data,report}/**/!(*.more).test.ts');
