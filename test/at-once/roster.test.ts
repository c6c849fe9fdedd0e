import { importTests } from './import-tests.ts';

importTests('{roster,real-data}/**/!(*.more).test.ts');
