import { importTests } from './import-tests.ts';

importTests('jobs/*.test.ts');
