// Writes who may have been invited, as CSV or JSON.
import type { z } from 'zod';
import type { InvitedPerson as Person } from '../documents/run-documents.ts';
import { withVersion } from '../documents/version.ts';
import { csvLines } from './csv.ts';
import { jsonLines } from './json-lines.ts';

type InvitedPerson = z.output<typeof Person>;

const columns = ['at', 'email', 'firstname', 'lastname', 'source', 'run', 'outcome', 'service'] as const;

/** A person a line. `told` gets how many they are. */
export async function* invitedCsv(
  invited: AsyncIterable<InvitedPerson>,
  excel = false,
  told: (people: number) => void = () => undefined,
): AsyncGenerator<string> {
  let lines = 0;
  for await (const line of csvLines(columns, invited, (person) => columns.map((column) => person[column]), excel)) {
    yield line;
    lines += 1;
  }
  told(lines - 1);
}

export const invitedJson = (invited: AsyncIterable<InvitedPerson>): AsyncGenerator<string> =>
  jsonLines(withVersion({}), 'invited', invited);
