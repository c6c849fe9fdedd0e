import { proveLines } from './prove-lines.ts';

proveLines(2);
