// Finds people by their name or address: in stored texts, and among those of a large run.
import { type RawBuilder, sql } from 'kysely';
import { type Database, isThere, keyRanges, rowsInRange } from '../database/database.ts';
import { writingsOf } from '../../core/person/spellings.ts';

/** Whether reject `j` of run `r` holds a person's address, or their employee id where its source knows them by it. */
export function speaksOf(key: string): RawBuilder<boolean> {
  return sql<boolean>`(${isNamedIn(sql`concat_ws(' ', j.value, j.reason, j.cells::text)`, key)} or exists (
    select 1 from people p
    where p.service = r.service and p.source = r.source and p.person_key = ${key}
      and length(p.employee_id) > 1 and j.cells @> jsonb_build_array(p.employee_id)))`;
}

/** What of the characters that may precede an `@` (RFC 5322, `atext`) also separates: `email=ann@example.com`, `a|b`. */
const separating = '!#$&*/=?^`{|}~';
/** Letters that `[[:alnum:]]` leaves out where the database has the locale C. */
const letters = String.raw`\u00c0-\u1fff\u2c00-\u2dff\u3040-\ud7ff`;

/**
 * A pattern of PostgreSQL's, for `~*`, of an address that stands by itself in a text, not at the end or beginning of a longer
 * one, however its characters and what precedes it are written.
 * @param separators whether what can be in an address and between two as well is taken to be between: so in what others sent
 *   as they please; where whole addresses stand, `r&d@example.com` is not `d@example.com`
 */
export function mentionOf(key: string, separators = false): string {
  const address = [...key]
    .map((character) => writingsOf(character).map(escapePattern))
    .map((ways) => (ways.length === 1 ? ways[0] : `(?:${[...new Set(ways)].join('|')})`))
    .join('');
  const own = `._%+'${separators ? '' : separating}-`;
  const before = String.raw`(?:(?<![[:alnum:]${letters}${own}])|(?<=\\[bfnrt])|(?<=\\u00[0-7][0-9a-f])|(?<=%[0-9a-f][0-9a-f]))`;
  return String.raw`${before}${address}(?![[:alnum:]${letters}-]|\.[[:alnum:]${letters}])`;
}

/** Whether an address stands in a text. Its longest word must, as nothing writes ASCII letters otherwise: to look for that takes a thirtieth of the time. */
export function isNamedIn(text: RawBuilder<unknown>, key: string, mention = mentionOf(key)): RawBuilder<boolean> {
  const words = key.replace(/@[^@]*$/, '').match(/[a-z0-9]+/g) ?? [''];
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one));
  return sql<boolean>`case when strpos(lower(${text} collate "C"), ${longest}) > 0 then ${text} ~* ${mention} else false end`;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}-]/g, String.raw`\$&`);
}

/** Runs of fewer people have no search texts: to read each of so many takes 2 ms. */
export const searchTextsFrom = 1000;
/** People whose lines are in one text, which then fills most of a page of 8 KB. */
const peopleOfText = 100;

/** Packs names and addresses of a large run, once all of its people are planned: 1,000,000 take about 2 s. The first text is written last. */
export async function writeSearchTexts(db: Database, runId: string): Promise<void> {
  const ranges = await keyRanges(db, runId);
  for (const [at, isInRange] of [...ranges.entries()].toReversed()) {
    await sql`
      insert into search_texts (run_id, place, text)
      select ${runId}, ((place - 1 + ${at * rowsInRange}) / ${peopleOfText}::integer)::integer, string_agg(line, chr(10) order by place)
      from (
        select translate(lower(firstname || ' ' || lastname), chr(10), ' ') || ' ' || person_key as line,
          row_number() over (order by person_key) as place
        from members where run_id = ${runId} and ${isInRange(sql`person_key`)}
      ) lines
      where (select count(*) from (select 1 from members where run_id = ${runId} limit ${searchTextsFrom}) few) >= ${searchTextsFrom}
      group by 2
      on conflict do nothing`.execute(db);
  }
}

export async function hasSearchTexts(db: Database, runId: string): Promise<boolean> {
  return isThere(db)`select 1 from search_texts where run_id = ${runId} and place = 0`;
}

/** Keys of the people of a run in whose name or address a text is, with their place in the order of keys. */
export function keysWith(runId: string, text: string): RawBuilder<unknown> {
  // Without the rules of a language: texts and what is searched for are in lower case.
  const part = sql`lower(${text.replaceAll('\n', ' ')}) collate "C"`;
  return sql`
    select substring(l.line from '[^ ]+$') as person_key, t.place, l.nth
    from search_texts t cross join lateral string_to_table(t.text, chr(10)) with ordinality l (line, nth)
    where t.run_id = ${runId} and strpos(t.text collate "C", ${part}) > 0 and strpos(l.line collate "C", ${part}) > 0`;
}

/** Whether a text is in the name or address of member `m`, for runs without search texts. */
export function mentions(text: string): RawBuilder<boolean> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  // Without the rules of a language this takes half of the time, and finds the same where all letters are ASCII.
  const collation = /^[ -~]*$/.test(text) ? sql`collate "C"` : sql``;
  return sql<boolean>`(m.firstname || ' ' || m.lastname || ' ' || m.email) ${collation} ilike ${pattern}`;
}

/** Takes the line of a person out of every text; the other lines stay. */
export async function eraseFromSearchTexts(db: Database, key: string): Promise<void> {
  await sql`
    update search_texts t set text = coalesce((
      select string_agg(l.line, chr(10) order by l.nth) from string_to_table(t.text, chr(10)) with ordinality l (line, nth)
      where substring(l.line from '[^ ]+$') is distinct from ${key}), '')
    where strpos(t.text collate "C", ${` ${key}`} collate "C") > 0`.execute(db);
}

/** Removes the texts of a run whose people are being removed; those who are left are few. */
export async function removeSearchTexts(db: Database, runId: string): Promise<void> {
  await sql`delete from search_texts where run_id = ${runId}`.execute(db);
}
