import { importTests } from './import-tests.ts';

importTests('{house,support}/*.test.ts');
