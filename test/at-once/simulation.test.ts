import { importTests } from './import-tests.ts';

importTests('simulation/!(*.long|*.more).test.ts');
