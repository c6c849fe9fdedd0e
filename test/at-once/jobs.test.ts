import { importTests } from './import-tests.ts';

importTests('jobs/!(*.more).test.ts');
