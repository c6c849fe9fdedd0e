import { importTests } from '../import-tests.ts';

importTests('{house,library,report,roster}/**/*.more.test.ts');
