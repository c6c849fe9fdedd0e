import { importTests } from './import-tests.ts';

importTests('{config,core,report}/*.test.ts');
