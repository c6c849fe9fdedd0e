import { importTests } from './import-tests.ts';

importTests('{house,support}/!(*.more).test.ts');
