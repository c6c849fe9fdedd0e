import { importTests } from './import-tests.ts';

importTests('contract/!(ledger-*|*.more).test.ts');
