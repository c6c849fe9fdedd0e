import { importTests } from './import-tests.ts';

importTests('{jobs,library}/*.test.ts');
