import { importTests } from './import-tests.ts';

await importTests('contract/ledger-*.test.ts');
