import { importTests } from './import-tests.ts';

await importTests('{config,core,report}/*.test.ts');
