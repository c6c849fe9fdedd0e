import type { Ledger } from '../ledger/ledger.ts';
import { csvText } from './csv.ts';
import { checkWritable, writeWhole } from './whole-file.ts';

const columns = ['email', 'firstname', 'lastname', 'groups', 'missing_since', 'new'];
const page = 500;

/** Whether a file of people who left can be written there; throws an InputError where not. */
export function checkDepartedPath(path: string): void {
  checkWritable(path);
}

/**
 * Writes who left the source of a run and still has what it was given: CSV, a person a line, `new` for those whom this
 * run was the first to find missing. Returns how many.
 */
export async function writeDeparted(
  path: string,
  ledger: Pick<Ledger, 'listDeparted'>,
  runId: string,
): Promise<number> {
  let people = 0;
  async function* lines(): AsyncGenerator<string> {
    yield csvText([columns]);
    for (let after = ''; ;) {
      const found = await ledger.listDeparted(runId, after, page);
      for (const { key, email, firstname, lastname, groups, since, isFresh } of found) {
        people += 1;
        after = key;
        const cells = [email, firstname, lastname, groups.join('; '), since?.toISOString() ?? '', isFresh ? 'new' : ''];
        yield csvText([cells]);
      }
      if (found.length < page) return;
    }
  }
  await writeWhole(path, lines());
  return people;
}
