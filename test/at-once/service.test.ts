import { importTests } from './import-tests.ts';

importTests('{service,sandbox,notify,wiring}/*.test.ts');
