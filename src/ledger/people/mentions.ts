// Finds a person's address or employee id in stored texts.
import { type RawBuilder, sql } from 'kysely';
import { writingsOf } from '../../core/person/spellings.ts';

/** Whether reject `j` of run `r` holds a person's address, or their employee id where its source knows them by it. */
export function speaksOf(key: string): RawBuilder<boolean> {
  return sql<boolean>`(concat_ws(' ', j.value, j.reason, j.cells::text) ~* ${mentionOf(key)} or exists (
    select 1 from people p
    where p.service = r.service and p.source = r.source and p.person_key = ${key}
      and length(p.employee_id) > 1 and j.cells @> jsonb_build_array(p.employee_id)))`;
}

/**
 * A pattern of PostgreSQL's, for `~*`, of an address that stands by itself in a text, not at the end or beginning of a longer
 * one, however its characters and what precedes it are written.
 */
export function mentionOf(key: string): string {
  const address = [...key]
    .map((character) => writingsOf(character).map(escapePattern))
    .map((ways) => (ways.length === 1 ? ways[0] : `(?:${[...new Set(ways)].join('|')})`))
    .join('');
  const before = String.raw`(?:(?<![[:alnum:]._%+'-])|(?<=\\[bfnrt])|(?<=\\u00[0-7][0-9a-f])|(?<=%[0-9a-f][0-9a-f]))`;
  return String.raw`${before}${address}(?![[:alnum:]-]|\.[[:alnum:]])`;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}-]/g, String.raw`\$&`);
}
