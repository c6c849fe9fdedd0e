// Writes the people who left to a CSV file.
import type { Ledger } from '../../ledger/ledger.ts';
import { csvForm, csvText } from './csv.ts';
import { checkWritable, writeWhole } from './whole-file.ts';

const columns = ['email', 'firstname', 'lastname', 'groups', 'missing_since', 'new'];
const page = 500;

/** Whether a file of people who left can be written there; throws an InputError if not. */
export function checkDepartedPath(path: string): void {
  checkWritable(path);
}

/** A person a line, `new` for those whom this run was the first to find missing. Returns how many. */
export async function writeDeparted(
  path: string,
  ledger: Pick<Ledger, 'listDeparted'>,
  runId: string,
  excel = false,
): Promise<number> {
  let people = 0;
  const form = csvForm(excel);
  async function* lines(): AsyncGenerator<string> {
    yield form.mark + csvText([columns], form);
    for (let after = ''; ;) {
      const found = await ledger.listDeparted(runId, after, page);
      for (const { key, email, firstname, lastname, groups, since, isFresh } of found) {
        people += 1;
        after = key;
        const cells = [email, firstname, lastname, groups.join('; '), since?.toISOString() ?? '', isFresh ? 'new' : ''];
        yield csvText([cells], form);
      }
      if (found.length < page) return;
    }
  }
  await writeWhole(path, lines());
  return people;
}
