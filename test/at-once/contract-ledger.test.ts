import { importTests } from './import-tests.ts';

importTests('contract/ledger-*.test.ts');
