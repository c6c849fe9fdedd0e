import { importTests } from './import-tests.ts';

importTests('{ledger,queue}/!(*.long|*.more).test.ts');
