import { importTests } from '../import-tests.ts';

importTests('{core,house,library,report,roster}/**/*.more.test.ts');
