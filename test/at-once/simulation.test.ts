import { importTests } from './import-tests.ts';

importTests('simulation/!(*.long).test.ts');
