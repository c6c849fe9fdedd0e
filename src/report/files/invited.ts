// Writes who may have been invited, as CSV or JSON.
import { escapeJson } from '../../core/text/escape.ts';
import type { z } from 'zod';
import type { InvitedPerson as Person } from '../documents/run-documents.ts';
import { documentVersion } from '../documents/version.ts';
import { csvForm, csvText } from './csv.ts';

type InvitedPerson = z.output<typeof Person>;

const columns = ['at', 'email', 'firstname', 'lastname', 'source', 'run', 'outcome', 'service'] as const;
/** A person a line. `told` gets how many they are. */
export async function* invitedCsv(
  invited: AsyncIterable<InvitedPerson>,
  excel = false,
  told: (people: number) => void = () => undefined,
): AsyncGenerator<string> {
  const form = csvForm(excel);
  let people = 0;
  yield form.mark + csvText([columns], form);
  for await (const person of invited) {
    people += 1;
    yield csvText([columns.map((column) => person[column])], form);
  }
  told(people);
}

export async function* invitedJson(invited: AsyncIterable<InvitedPerson>): AsyncGenerator<string> {
  yield `{\n  "version": ${documentVersion},\n  "invited": [`;
  let between = '\n    ';
  for await (const person of invited) {
    yield between + escapeJson(JSON.stringify(person));
    between = ',\n    ';
  }
  yield '\n  ]\n}\n';
}
