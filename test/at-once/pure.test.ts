import { importTests } from './import-tests.ts';

importTests('{config,core,data,report}/!(*.more).test.ts');
