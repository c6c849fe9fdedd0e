// Finds people by a part of their name or address, over all sources and services.
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { FoundPeople } from '../../acts/shapes/requests.ts';
import { type Database, rowsOf } from '../database/database.ts';

/** Somebody whom a source was to give something: who they are there, and what they were given. */
type FoundPerson = z.output<typeof FoundPeople>['people'][number];

/** People that one statement reads: embedded, on two busy cores, that takes 0.15 s. */
const readAtOnce = 10_000;
const place = ['service', 'person_key', 'source'] as const;

type Read = FoundPerson & Record<'service' | 'personKey', string> & { nth: number; matches: boolean };

/** Whether a word is in a text, in any case. A database of the locale C has no other letters than those of ASCII in lower case. */
function isIn(text: RawBuilder<unknown>, word: string): RawBuilder<boolean> {
  const lower = word.toLowerCase();
  const ways = [lower, word.toUpperCase(), lower.replace(/^./u, (first) => first.toUpperCase())];
  const others = /^[ -~]*$/.test(word) ? [] : ways.map((way) => sql` or strpos(${text}, ${way}) > 0`);
  return sql<boolean>`(strpos(lower(${text}), ${lower}) > 0${sql.join([sql``, ...others], sql``)})`;
}

/**
 * Those whose name and address have all words of a text in them, in any case; once for each source that knows them. Reads one
 * part of the people after the other, so that nothing else waits for long.
 * @param limit the most to find
 */
export async function findPeople(db: Database, text: string, limit: number): Promise<FoundPerson[]> {
  const told = sql`concat_ws(' ', coalesce(p.firstname, m.firstname), coalesce(p.lastname, m.lastname), p.person_key)`;
  const words = text.split(/\s+/).filter((word) => word !== '');
  const matches = sql.join([sql`true`, ...words.map((word) => isIn(told, word))], sql` and `);
  const columns = sql.join(place.map((name) => sql.ref(name)));
  const found: FoundPerson[] = [];
  for (let after: Record<string, string> = { service: '', personKey: '', source: '' }; ;) {
    const rows = await rowsOf<Read>(db)`
      with part as materialized (
        select *, row_number() over (order by ${columns}) as nth from people
        where (${columns}) > (${after['service']}, ${after['personKey']}, ${after['source']})
        order by ${columns} limit ${readAtOnce}
      ), judged as (
        select p.service, p.person_key, p.source, p.nth, coalesce(p.email, m.email, p.person_key) as email,
          coalesce(p.firstname, m.firstname, '') as firstname, coalesce(p.lastname, m.lastname, '') as lastname,
          coalesce(p.groups, '[]') as groups, p.last_outcome, ${matches} as matches
        from part p left join members m on p.firstname is null and m.run_id = p.last_run and m.person_key = p.person_key
      )
      select * from judged where matches or nth = ${readAtOnce} order by nth limit ${limit + 1}`;
    for (const { email, firstname, lastname, source, groups, lastOutcome, matches: isOne } of rows) {
      if (isOne) found.push({ email, firstname, lastname, source, groups, lastOutcome });
    }
    const last = rows.at(-1);
    if (found.length >= limit || last?.nth !== readAtOnce) return found.slice(0, limit);
    after = { service: last.service, personKey: last.personKey, source: last.source };
  }
}
