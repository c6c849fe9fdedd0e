// Writes the groups left behind as a table, CSV or JSON.
import { escapeJson, escapeText } from '../../core/text/escape.ts';
import type {
  LeftBehindCount,
  LeftBehindFilter,
  LeftBehindGroup,
  LeftBehindPlace,
} from '../../ledger/people/left-behind-list.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { documentVersion } from '../documents/version.ts';
import { csvForm, csvText } from './csv.ts';
import { moment } from '../../core/text/figures.ts';
import { table } from '../terminal/layout.ts';
import { paint, type Style } from '../terminal/style.ts';

const columns = [
  ...['email', 'firstname', 'lastname', 'group', 'since', 'cause', 'run', 'source', 'given', 'given_run', 'service'],
] as const;
const page = 500;

/** Because of what somebody was left in a group: `changed in run 3f9a12cc`, `departed`. */
export function causeOf(cause: LeftBehindGroup['cause'], run: string | null): string {
  return run === null ? cause : `${cause} in run ${run}`;
}

/** What is left behind, some at a time, never all in memory. */
export async function* leftBehindRows(
  ledger: Pick<Ledger, 'listLeftBehind'>,
  filter: LeftBehindFilter,
): AsyncGenerator<LeftBehindGroup> {
  let after: LeftBehindPlace | undefined;
  do {
    const { rows, next } = await ledger.listLeftBehind(filter, after, page);
    yield* rows;
    after = next;
  } while (after);
}

/** Rows as CSV, a person and group a line, in parts as they come. */
export async function* leftBehindCsv(rows: AsyncIterable<LeftBehindGroup>, excel = false): AsyncGenerator<string> {
  const form = csvForm(excel);
  yield form.mark + csvText([columns], form);
  for await (const {
    email,
    firstname,
    lastname,
    group,
    since,
    cause,
    run,
    source,
    givenAt,
    givenRun,
    service,
  } of rows) {
    const times = [since?.toISOString() ?? '', givenAt?.toISOString() ?? ''];
    const cells = [email, firstname, lastname, group, times[0], cause, run, source, times[1], givenRun, service];
    yield csvText([cells.map((cell) => cell ?? '')], form);
  }
}

export async function* leftBehindJson(
  { people, groups }: LeftBehindCount,
  rows: AsyncIterable<LeftBehindGroup>,
): AsyncGenerator<string> {
  yield `{\n  "version": ${documentVersion},\n  "people": ${people},\n  "groups": ${groups},\n  "leftBehind": [`;
  let between = '\n    ';
  for await (const { key: _, givenAt, givenRun, ...row } of rows) {
    yield between + escapeJson(JSON.stringify({ ...row, given: { at: givenAt, run: givenRun } }));
    between = ',\n    ';
  }
  yield `\n  ]\n}\n`;
}

/** Rows as a table for a terminal, without a line break at the end. */
export function renderLeftBehind(rows: readonly LeftBehindGroup[], style: Style): string {
  const words = (heading: string, of: (row: LeftBehindGroup) => string) => {
    return { heading, cells: rows.map((row) => escapeText(of(row))) };
  };
  const services = new Set(rows.map(({ service }) => service));
  const [heading = '', ...lines] = table(
    [
      { ...words('Person', ({ email }) => email), gives: true },
      words('take out of', ({ group }) => group),
      words('since', ({ since }) => (since === null ? '' : moment(since.toISOString(), style.timeZone))),
      words('because', ({ cause, run }) => causeOf(cause, run)),
      words('source', ({ source }) => source),
      ...(services.size > 1 ? [words('service', ({ service }) => service)] : []),
    ],
    style.width,
  );
  return [paint(style, 'label', heading), ...lines].join('\n');
}
