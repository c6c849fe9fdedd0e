// Ends what a test file began, also where several files share a process.
import { after } from 'node:test';

type Ending = () => Promise<void> | void;

const perFile: Ending[] = [];
const last: Ending[] = [];

after(async () => {
  await endFile();
  for (const ending of last) await ending();
});

/** Has something done at the end of each test file of this process. */
export function afterFile(ending: Ending): void {
  perFile.push(ending);
}

/** Has something done once, after all test files of this process. */
export function afterFiles(ending: Ending): void {
  last.push(ending);
}

/** Does what is to be done at the end of each file: for `importTests`. */
export async function endFile(): Promise<void> {
  for (const ending of perFile) await ending();
}
