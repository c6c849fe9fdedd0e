import { importTests } from './import-tests.ts';

importTests('cli/[l-r]!(*.long).test.ts');
