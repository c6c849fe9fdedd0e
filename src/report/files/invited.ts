// Writes who may have been invited, as CSV or JSON.
import { escapeJson } from '../../core/text/escape.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Invited, InvitedFilter } from '../../ledger/runs/invited.ts';
import { documentVersion } from '../documents/version.ts';
import { csvForm, csvText } from './csv.ts';

const columns = ['at', 'email', 'firstname', 'lastname', 'source', 'run', 'outcome', 'service'] as const;
const page = 500;

async function* invited({ listInvited }: Pick<Ledger, 'listInvited'>, filter: InvitedFilter): AsyncGenerator<Invited> {
  for (let after = 0; ;) {
    const found = await listInvited(filter, after, page);
    yield* found;
    after = found.at(-1)?.id ?? 0;
    if (found.length < page) return;
  }
}

/** A person a line. `told` gets how many they are. */
export async function* invitedCsv(
  ledger: Pick<Ledger, 'listInvited'>,
  filter: InvitedFilter,
  excel = false,
  told: (people: number) => void = () => undefined,
): AsyncGenerator<string> {
  const form = csvForm(excel);
  let people = 0;
  yield form.mark + csvText([columns], form);
  for await (const { at, ...person } of invited(ledger, filter)) {
    people += 1;
    const cells = { ...person, at: at.toISOString() };
    yield csvText([columns.map((column) => cells[column] ?? '')], form);
  }
  told(people);
}

export async function* invitedJson(ledger: Pick<Ledger, 'listInvited'>, filter: InvitedFilter): AsyncGenerator<string> {
  yield `{\n  "version": ${documentVersion},\n  "invited": [`;
  let between = '\n    ';
  for await (const { id: _, ...person } of invited(ledger, filter)) {
    yield between + escapeJson(JSON.stringify(person));
    between = ',\n    ';
  }
  yield '\n  ]\n}\n';
}
