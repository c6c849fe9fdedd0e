import { importTests } from './import-tests.ts';

importTests('{service,sandbox,notify,wiring,library}/!(*.more).test.ts');
