// Writes the people who left as CSV.
import type { Ledger } from '../../ledger/ledger.ts';
import { csvForm, csvText } from './csv.ts';
import { checkWritable } from './whole-file.ts';

const columns = ['email', 'firstname', 'lastname', 'groups', 'missing_since', 'new'];
const page = 500;

/** Whether a file of people who left can be written there; throws an InputError if not. */
export function checkDepartedPath(path: string): void {
  checkWritable(path);
}

/** A person a line, `new` for those whom this run was the first to find missing. */
export async function* departedCsv(
  ledger: Pick<Ledger, 'listDeparted'>,
  runId: string,
  excel = false,
): AsyncGenerator<string> {
  const form = csvForm(excel);
  yield form.mark + csvText([columns], form);
  for (let after = ''; ;) {
    const found = await ledger.listDeparted(runId, after, page);
    for (const { key, email, firstname, lastname, groups, since, isFresh } of found) {
      after = key;
      const cells = [email, firstname, lastname, groups.join('; '), since?.toISOString() ?? '', isFresh ? 'new' : ''];
      yield csvText([cells], form);
    }
    if (found.length < page) return;
  }
}
