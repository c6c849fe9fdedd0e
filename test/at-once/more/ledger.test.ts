import { importTests } from '../import-tests.ts';

importTests('{contract,jobs,ledger,rules}/*.more.test.ts');
