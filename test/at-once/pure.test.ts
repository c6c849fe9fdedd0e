import { importTests } from './import-tests.ts';

importTests('{config,core,report}/!(*.more).test.ts');
