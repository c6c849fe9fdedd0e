// Tells who is not in a roster of a source, and whom events since its time say to leave, or not to come.
import { type RawBuilder, sql } from 'kysely';
import { countOf, type Database, rowsOf, theRow, toJson, valuesOf } from '../database/database.ts';
import type { RunOfSource } from '../runs/runs.ts';
import { listedRows } from './unchanged-people.ts';

/** The first word of the first name and the last word of the last name of person `p`, in lower case. */
const [first, last] = [sql`split_part(lower(p.firstname), ' ', 1)`, sql`split_part(lower(p.lastname), ' ', -1)`];

/**
 * Whether person `p`, of the source of a run, is not in its roster: neither as a member, nor on a row that was rejected, by
 * their address, employee id or both names, in any of its cells. Of whom an event has told since the time of the roster, it says nothing (R13).
 * Whether they are listed as unchanged is another question, `isUnlisted`: these are people whom no roster lacked so far.
 */
export const isAbsent = (runId: string, spared: readonly string[] = []) => sql<boolean>`(
  not (p.person_key = any (${spared}::text[]) or coalesce(lower(p.employee_id), '') = any (${spared}::text[]))
  and not exists (select 1 from members m
    where m.run_id = ${runId} and m.person_key = p.person_key and m.action is distinct from 'departed')
  and not exists (select 1 from rejects j where j.run_id = ${runId} and j.person_key = p.person_key)
  and not (select cells from rejected_texts) ?| array[p.person_key, lower(p.email), lower(p.employee_id)]
  and not coalesce((select pairs from rejected_names) ? (${first} || ' ' || ${last}), false)
  and not exists (select 1 from told_since t where t.person_key = p.person_key))`;

/** Whether person `p` is not listed as unchanged in a run. */
export const isUnlisted = sql<boolean>`not exists (select 1 from listed u where u.key = p.person_key)`;

/** Who is listed as unchanged, for `isUnlisted`; where most are, only those of `others`. The database may not know how many they are. */
export const listedOfOthers = (runId: string) => sql`listed as materialized (
  select u.key from ${listedRows(runId)} u where (select jsonb_object_agg(key, 0) from others) ? u.key)`;

/** Of the people of a source whom no roster lacked so far, those who are not listed as unchanged: before all else is asked, as most are. */
export const unlisted = ({ runId, service, source }: RunOfSource) => sql`
  listed as materialized (select u.key from ${listedRows(runId)} u),
  unlisted as materialized (
    select p.person_key, p.firstname, p.lastname, p.email, p.employee_id from people p
    where p.service = ${service} and p.source = ${source} and p.fingerprint is not null and p.missing_runs = 0
      and ${isUnlisted})`;

/** What may stand unseen around a value in a cell, which is kept as written; an id, address or name is known without it. */
const unseen = ' \t\n\v\f\r\u00a0\u00ad\u200b\u200c\u200d\u200e\u200f\u2007\u2009\u202f\u2060\u3000\ufeff';

/** What stands between words. */
const between = `${unseen},;`;

/** Words of names are looked for in cells of at most this length: a text has too many words for all pairs of them. */
const mostOfCell = 200;

/**
 * For `isAbsent`: what stands in the cells of rejected rows, the first and last names whose words stand together on one of them,
 * in one cell or in two, and the people of newer events. The texts are keys of an object, so that a look takes no time
 * whatever the database knows of the tables.
 */
export const notAbsent = (runId: string) => sql`
  rejected_cells as materialized (
    select j.id as reject, lower(btrim(c.written, ${unseen})) as cell
    from rejects j cross join lateral jsonb_array_elements_text(j.cells) as c (written)
    where j.run_id = ${runId} and btrim(c.written, ${unseen}) <> ''),
  rejected_texts as materialized (
    select coalesce(jsonb_object_agg(t.text, 0), '{}') as cells
    from (
      select cell from rejected_cells
      union select lower(employee_id) from rejects where run_id = ${runId} and employee_id is not null) as t (text)),
  rejected_words as materialized (
    select distinct c.reject, w.word
    from rejected_cells c
    cross join lateral string_to_table(translate(c.cell, ${between}, ${' '.repeat(between.length)}), ' ') as w (word)
    where length(c.cell) <= ${mostOfCell}),
  known_names as materialized (
    select jsonb_object_agg(n.first, 0) as firsts, jsonb_object_agg(n.last, 0) as lasts
    from (
      select distinct ${first}, ${last}
      from people p join runs r on r.service = p.service and r.source = p.source
      where r.id = ${runId} and exists (select from rejected_words) and (select jsonb_object_agg(word, 0) from rejected_words) ?& array[${first}, ${last}]
        and p.firstname is not null and p.lastname is not null
    ) as n (first, last)),
  rejected_names as materialized (
    select jsonb_object_agg(f.word || ' ' || l.word, 0) as pairs
    from (
      select array_agg(word) filter (where (select firsts from known_names) ? word) as firsts,
        array_agg(word) filter (where (select lasts from known_names) ? word) as lasts
      from rejected_words group by reject
    ) as j cross join lateral unnest(j.firsts) as f (word) cross join lateral unnest(j.lasts) as l (word)),
  told_since as materialized (${toldSince(runId)})`;

/** Whether the run `newer` of an event still says something about somebody: what was not sent before it was cancelled, it does not. */
export const stillTells = (key: RawBuilder<unknown>): RawBuilder<boolean> => sql`(newer.status <> 'cancelled'
  or exists (select 1 from deliveries g where g.run_id = newer.id and g.person_key = ${key} and g.outcome = 'succeeded'))`;

/**
 * The people of a run whom the last of some runs of newer events has at another address under the same first name and employee id,
 * which nobody else has: the older address would be a second account.
 */
export async function keysMoved(db: Database, runId: string, newer: readonly string[]): Promise<string[]> {
  const told = await rowsOf<Named>(db)`
    select distinct on (id) ${named} from members m join runs newer on newer.id = m.run_id
    left join deliveries d on d.run_id = m.run_id and d.person_key = m.person_key
    where m.run_id = any (${newer}::text[]) and m.employee_id is not null and m.action <> 'departed'
      and ${stillTells(sql`m.person_key`)} and d.outcome is distinct from 'failed'
    order by id, (newer.roster->>'time')::timestamptz desc`;
  return keysElsewhere(db, runId, told);
}

/** The same of a run of events for whom other runs of its source have given something at another address since it was planned. */
export async function keysGivenElsewhere(db: Database, runId: string): Promise<string[]> {
  const given = await rowsOf<Named>(db)`
    select ${named} from people m join runs r on r.service = m.service and r.source = m.source
    where r.id = ${runId} and r.beside and m.given_at > r.created_at and m.given_run <> r.id and m.employee_id is not null`;
  return keysElsewhere(db, runId, given);
}

/** Somebody's key, with their employee id and first name in lower case. */
type Named = Record<'key' | 'id' | 'first', string>;
const named = sql`m.person_key as key, lower(m.employee_id) as id, lower(m.firstname) as first`;

async function keysElsewhere(db: Database, runId: string, people: readonly Named[]): Promise<string[]> {
  if (people.length === 0) return [];
  const rows = await rowsOf<Named>(db)`
    select ${named} from members m
    where m.run_id = ${runId} and m.action <> 'departed' and lower(m.employee_id) = any (${people.map(({ id }) => id)}::text[])`;
  const known = Map.groupBy(rows, ({ id }) => id);
  return people.flatMap(({ key, id, first }) => {
    const [theirs, other] = known.get(id) ?? [];
    return theirs?.first === first && theirs.key !== key && other === undefined ? [theirs.key] : [];
  });
}

/** Of whom an event has told since the time of the roster of a run. */
export const toldSince = (runId: string) => sql`
  select e.person_key from runs r join runs newer on newer.service = r.service and newer.source = r.source
  join members e on e.run_id = newer.id
  where r.id = ${runId} and newer.beside and newer.released_at is not null
    and (newer.roster->>'time')::timestamptz > (r.roster->>'time')::timestamptz and ${stillTells(sql`e.person_key`)}`;

/** How long, at most, somebody whom an event told is taken for one of a file that has not been written since. */
const fileAge = sql`interval '35 days'`;

/**
 * The keys of the people whom a run would give, or take, what files say that are older than an event about them, of a roster that is newer: of
 * several files, with the times of these. Whoever is in none may be missing from any.
 */
export async function keysToldSince(
  db: Database,
  { runId, service, source }: RunOfSource,
  olderFiles: Readonly<Record<string, string>>,
): Promise<string[]> {
  return valuesOf<string>(db)`
    with files as (select key as file, value::timestamptz as time from jsonb_each_text(${toJson(olderFiles)}::jsonb))
    select distinct m.person_key
    from runs r join runs newer on newer.service = ${service} and newer.source = ${source} and newer.beside and newer.released_at is not null
    join members e on e.run_id = newer.id and ${stillTells(sql`e.person_key`)}
    join members m on m.run_id = r.id and m.person_key = e.person_key and m.action not in ('unchanged', 'later')
      and (m.fingerprint is distinct from e.fingerprint or e.action = 'later')
    join files f on f.time < (newer.roster->>'time')::timestamptz and case when m.action = 'departed'
      then (newer.roster->>'time')::timestamptz > (r.roster->>'time')::timestamptz - ${fileAge}
      else m.file = f.file or starts_with(m.file, f.file || '/') end
    where r.id = ${runId} and (newer.roster->>'time')::timestamptz <= (r.roster->>'time')::timestamptz`;
}

/** How many people of former rosters of a source are known, and how many of them are missing from that of a run. */
export async function countMissing(db: Database, question: RunOfSource): Promise<{ known: number; missing: number }> {
  return theRow<{ known: number; missing: number }>(db)`
    with ${notAbsent(question.runId)}, ${unlisted(question)}
    select count(*) as missing, (
      select count(*) from people p where p.service = ${question.service} and p.source = ${question.source}
        and p.fingerprint is not null and p.missing_runs = 0) as known
    from unlisted p where ${isAbsent(question.runId)}`;
}

/** The kinds of the events of a source since a time, ISO 8601. */
export async function eventKindsSince(db: Database, { source, time }: { source: string; time: string }) {
  return valuesOf<string>(db)`
    select distinct kind from events where source = ${source} and received_at > ${time}::timestamptz`;
}

/**
 * That events which came since the time of a run's roster name its member `m` by an id or their address: those of these kinds
 * anywhere, others among those whom they leave out.
 */
function isNamed(runId: string, kinds: readonly string[]) {
  const isOfKind = sql`e.kind = any (${kinds}::text[])`;
  const names = sql`
    select lower(n.name) as name from events e join runs r on r.source = e.source
    cross join lateral jsonb_array_elements_text(
      case when ${isOfKind} then coalesce(e.employees, '[]') else '[]' end || coalesce(e.leavers, '[]')) as n (name)
    where r.id = ${runId} and date_trunc('milliseconds', e.received_at) > (r.roster->>'time')::timestamptz and (${isOfKind} or e.leavers is not null)`;
  // Two selects, as one with `or` would compare each name with each member.
  return sql<boolean>`(m.run_id = ${runId} and m.person_key in (
    with names as (${names}) select name from names
    union all select k.person_key from members k join names on lower(k.employee_id) = names.name where k.run_id = ${runId}))`;
}

/** Whom they name is not sent by an older roster: a newer one says what has become of them (R13). */
export async function leaveOutLeaving(db: Database, runId: string, kinds: readonly string[]): Promise<void> {
  await sql`
    update members m set action = 'later', left_behind = false, resend = false
    where ${isNamed(runId, kinds)}`.execute(db);
}

/** How many people of a planned run such events name. */
export async function countLeaving(db: Database, runId: string, kinds: readonly string[]): Promise<number> {
  return countOf(db)`select count(*) as count from members m where ${isNamed(runId, kinds)}`;
}

/** The keys of the people of a run whom such events name, but for its leavers. */
export async function keysLeaving(db: Database, runId: string, kinds?: readonly string[]): Promise<string[]> {
  if (kinds === undefined) return [];
  return valuesOf<string>(db)`
    select m.person_key from members m where m.action <> 'departed' and ${isNamed(runId, kinds)}`;
}
