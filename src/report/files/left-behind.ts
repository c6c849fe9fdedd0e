// Shows the groups left behind as a table, and lists them for a file.
import type { z } from 'zod';
import type { LeftBehindCount, LeftBehindGroup } from '../../ledger/people/left-behind-list.ts';
import type { LeftBehindDocument } from '../../acts/shapes/roster.ts';
import type { Sheet } from './sheet.ts';
import { moment } from '../../core/text/format.ts';
import { tableOf } from '../terminal/columns.ts';
import { paint, type Style } from '../terminal/style.ts';

const columns = [
  ...['email', 'firstname', 'lastname', 'group', 'since', 'cause', 'run', 'source', 'given', 'given_run', 'service'],
] as const;

/** Because of what somebody was left in a group: `changed in run 3f9a12cc`, `departed`. */
export function causeOf(cause: LeftBehindGroup['cause'], run: string | null): string {
  return run === null ? cause : `${cause} in run ${run}`;
}

/** A line of the list, as it is said everywhere. */
export type LeftBehindRow = z.output<typeof LeftBehindDocument>['leftBehind'][number];

export function leftBehindRow({ since, givenAt, givenRun, ...row }: LeftBehindGroup): LeftBehindRow {
  const { service, source, email, firstname, lastname, group, run, cause } = row;
  const given = { at: givenAt?.toISOString() ?? null, run: givenRun };
  return { service, source, email, firstname, lastname, group, since: since?.toISOString() ?? null, run, cause, given };
}

export const leftBehindSheet = (
  { people, groups }: Pick<LeftBehindCount, 'people' | 'groups'>,
  rows: AsyncIterable<LeftBehindRow>,
): Sheet<LeftBehindRow> => ({
  ...{ name: 'Left behind', list: 'leftBehind', head: { people, groups }, columns, rows },
  cells: ({ email, firstname, lastname, group, since, cause, run, source, given, service }) => [
    ...[email, firstname, lastname, group, since, cause, run, source, given.at, given.run, service],
  ],
});

/** Rows as a table for a terminal, without a line break at the end. */
export function renderLeftBehind(rows: readonly LeftBehindRow[], style: Style): string {
  const services = new Set(rows.map(({ service }) => service));
  const [heading = '', ...lines] = tableOf(rows, style.width, ({ words }) => [
    words('Person', ({ email }) => email, { gives: true }),
    words('take out of', ({ group }) => group),
    words('since', ({ since }) => (since === null ? '' : moment(since, style.timeZone))),
    words('because', ({ cause, run }) => causeOf(cause, run)),
    words('source', ({ source }) => source),
    ...(services.size > 1 ? [words('service', ({ service }) => service)] : []),
  ]);
  return [paint(style, 'label', heading), ...lines].join('\n');
}
