// Stages the rows of a roster as members, and merges the rows of one person.
import type { IdentityChange, Reject } from '../../core/rows/row.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Member, MergedRows } from '../../core/person/member.ts';
import type { Day } from '../../core/cells/days.ts';
import { type Database, inserting, rowsOf, theRow, toJson, valuesOf } from '../database/database.ts';
import { rejectedRows } from '../people/left-behind.ts';
import { mergeStart } from './invitations.ts';
import { listedCount } from './unchanged-people.ts';

/** One row of a roster that became a member, on its way into the plan. */
export interface StagedRow {
  key: string;
  file: string;
  line: number;
  member: Member;
  employeeId?: string;
  fingerprint: string;
  /** Not before this day; absent for at once. */
  startsOn?: Day;
}

/** Who somebody is in a row of a table, and what they are given, as JSON; with `forceSync` where that is told. */
export const memberOf = (table: 'm' | 'p', forceSync?: RawBuilder<unknown>): RawBuilder<unknown> => {
  const fields = ['firstname', 'lastname', 'email', 'telephone', 'groups'].map((name) => [
    sql.lit(name),
    sql.ref(`${table}.${name}`),
  ]);
  const all = forceSync ? [...fields, [sql.lit('forceSync'), forceSync]] : fields;
  return sql`jsonb_strip_nulls(jsonb_build_object(${sql.join(all.flat())}))`;
};

/** The line of a member `m` in the roster; who is in none has the last. */
export const line = sql<number>`coalesce((m.lines->0)::integer, 2147483647)`;
/** Where a member `m` stands in the order of the roster. */
export const place = sql`${line}, m.person_key`;

/** Stages rows: the first row of a person becomes a member of the run, later ones wait to be merged. */
export async function stageRows(db: Database, runId: string, rows: readonly StagedRow[]): Promise<void> {
  const first = new Map<string, StagedRow>();
  const later: StagedRow[] = [];
  for (const row of rows) {
    if (first.has(row.key)) later.push(row);
    else first.set(row.key, row);
  }
  const inserted = await insertMembers(db, runId, [...first.values()]);
  for (const [key, row] of first) if (!inserted.has(key)) later.push(row);
  await stageLater(db, runId, later);
}

async function insertMembers(db: Database, runId: string, rows: readonly StagedRow[]): Promise<Set<string>> {
  const members = rows.map(({ key, line, member, employeeId = null, startsOn = null, ...row }) => {
    const own = { run_id: runId, person_key: key, lines: [line], employee_id: employeeId, starts_on: startsOn };
    return { telephone: null, ...member, ...own, ...row };
  });
  if (members.length === 0) return new Set();
  const result = await rowsOf<{ personKey: string }>(db)`
    ${inserting('members', members)} on conflict (run_id, person_key) do nothing returning person_key`;
  return new Set(result.map((row) => row.personKey));
}

/** Keeps rows of people of whom another row came before, until they are merged. */
export async function stageLater(db: Database, runId: string, rows: readonly StagedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const later = rows.map((row) => ({
    run_id: runId,
    person_key: row.key,
    file: row.file,
    line: row.line,
    member: row,
  }));
  await inserting('duplicate_rows', later).execute(db);
}

/** People with several rows, each with all of their rows in file order; at most `limit` people at a time. */
export async function peopleWithSeveralRows(db: Database, runId: string, limit: number) {
  const rows = await rowsOf<{ key: string; first: StagedRow; later: StagedRow[] }>(db)`
    select m.person_key as key,
      jsonb_strip_nulls(jsonb_build_object('key', m.person_key, 'file', m.file, 'line', m.lines->0, 'employeeId', m.employee_id,
        'fingerprint', m.fingerprint, 'startsOn', m.starts_on, 'member', ${memberOf('m')})) as first,
      (select jsonb_agg(d.member order by d.line) from duplicate_rows d where d.run_id = m.run_id and d.person_key = m.person_key) as later
    from members m
    where m.run_id = ${runId}
      and m.person_key in (select distinct person_key from duplicate_rows where run_id = ${runId} order by 1 limit ${limit})
    order by m.person_key`;
  return rows.map(({ key, first, later }) => ({ key, rows: inOrder(first, later) }));
}

/** Rows by their lines; if they are in several files, those of the file that was read first go first. */
function inOrder(first: StagedRow, later: readonly StagedRow[]): StagedRow[] {
  const rank = ({ file }: StagedRow): string => (file === first.file ? '' : file);
  return [first, ...later].toSorted((a, b) => {
    if (rank(a) !== rank(b)) return rank(a) < rank(b) ? -1 : 1;
    return a.line - b.line;
  });
}

/** The rows of a person turned out to be one member. */
export async function mergePerson(
  db: Database,
  runId: string,
  person: MergedRows & { key: string; fingerprint: string },
): Promise<void> {
  const { key, member, employeeId = null, lines, fingerprint } = person;
  await db.transaction().execute(async (transaction) => {
    const { firstname, lastname, email, telephone = null, groups } = member;
    await sql`
      update members set firstname = ${firstname}, lastname = ${lastname}, email = ${email}, telephone = ${telephone},
        groups = ${toJson(groups)}, employee_id = ${employeeId}, lines = ${toJson(lines)}, fingerprint = ${fingerprint}
      where run_id = ${runId} and person_key = ${key}`.execute(transaction);
    await mergeStart(transaction, runId, key);
    await forgetDuplicates(transaction, runId, key);
  });
}

/** The rows of a person turned out to be unusable. */
export async function rejectPerson(
  db: Database,
  runId: string,
  key: string,
  rejects: readonly Reject[],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const [known] = await rowsOf<Pick<Reject, 'employeeId'>>(transaction)`
      delete from members where run_id = ${runId} and person_key = ${key} returning employee_id as "employeeId"`;
    await forgetDuplicates(transaction, runId, key);
    await addRejects(
      transaction,
      runId,
      rejects.map((reject) => ({ person: key, ...known, ...reject })),
    );
  });
}

/** Takes the people of these keys out of a run who are on no row with an employee id. Returns how many of its rows that were. */
export async function dropWithoutId(db: Database, runId: string, keys: readonly string[]): Promise<number> {
  const dropped = await valuesOf<number>(db)`
    delete from members where run_id = ${runId} and person_key = any (${keys}::text[]) and employee_id is null
    returning jsonb_array_length(lines)`;
  return dropped.reduce((sum, rows) => sum + rows, 0);
}

async function forgetDuplicates(db: Database, runId: string, key: string): Promise<void> {
  await sql`delete from duplicate_rows where run_id = ${runId} and person_key = ${key}`.execute(db);
}

/** Keeps rows that cannot become members. */
export async function addRejects(db: Database, runId: string, rejects: readonly Reject[]): Promise<void> {
  if (rejects.length === 0) return;
  const rows = rejects.map(({ file, line, column, value, reason, cells, ...known }) => {
    const { person: person_key = null, employeeId: employee_id = null, identityChange: identity_change = null } = known;
    const row = { run_id: runId, file, line, column_name: column, value, reason, cells };
    return { ...row, person_key, employee_id, identity_change };
  });
  await inserting('rejects', rows).execute(db);
}

/** A person of a run with a rejected row and rows that became a member. */
export interface HalfRead {
  key: string;
  email: string;
  file: string;
  lines: number[];
  /** The row that was rejected. */
  spoilt: { file: string; line: number; reason: string };
}

/** People with a rejected row and rows that were not rejected, each with the first such row; at most `limit` of them. */
export async function peopleHalfRead(db: Database, runId: string, limit: number): Promise<HalfRead[]> {
  return rowsOf<HalfRead>(db)`
    select m.person_key as key, m.email, m.file, m.lines, (
      select jsonb_build_object('file', j.file, 'line', j.line, 'reason', j.reason)
      from (select * from ${rejectedRows} j offset 0) j order by j.id limit 1) as spoilt
    from members m
    where m.run_id = ${runId} and (
      m.person_key in (select person_key from rejects where run_id = ${runId} and person_key is not null)
      or lower(m.employee_id) in (select lower(employee_id) from rejects where run_id = ${runId} and employee_id is not null))
    order by m.person_key limit ${limit}`;
}

/** Gives the rejects of a run the cells that were not kept while staging, by file and line. */
export async function completeRejects(
  db: Database,
  runId: string,
  rows: readonly { file: string; line: number; cells: string[] }[],
): Promise<void> {
  await sql`
    update rejects set cells = row.cells
    from jsonb_to_recordset(${toJson(rows)}::jsonb) as row (file text, line integer, cells jsonb)
    where rejects.run_id = ${runId} and rejects.file = row.file and rejects.line = row.line`.execute(db);
}

/** Where the rejects stand whose cells were not kept while staging. */
export async function rejectsWithoutCells(db: Database, runId: string): Promise<{ file: string; line: number }[]> {
  return rowsOf<{ file: string; line: number }>(db)`
    select file, line from rejects where run_id = ${runId} and cells = '[]'`;
}

type ListedReject = Reject & { id: number };

/** A page of a run's rejects in the order of the roster: after one of them, or after a number of them. */
export async function listRejects(
  db: Database,
  runId: string,
  page: { after?: { line: number; id: number }; from?: number; limit: number },
): Promise<ListedReject[]> {
  const { line, id } = page.after ?? { line: 0, id: 0 };
  const rows = await rowsOf<ListedReject & { change: IdentityChange['kind'] | null }>(db)`
    select id, file, line, column_name as column, value, reason, cells, identity_change as change from rejects
    where run_id = ${runId} and (line, id) > (${line}, ${id})
    order by line, id offset ${page.from ?? 0} limit ${page.limit}`;
  return rows.map(({ change, ...row }) => ({ ...row, ...(change && { identityChange: change }) }));
}

/** What staging has counted: people, their rows, rejects. */
export async function countStaged(db: Database, runId: string) {
  return theRow<{ members: number; used: number; rejects: number }>(db)`
    select m.members + u.people as members, m.used + u.people as used,
      (select count(*) from rejects where run_id = ${runId}) as rejects
    from (select count(*) as members, coalesce(sum(jsonb_array_length(lines)), 0)::bigint as used from members where run_id = ${runId}) m,
      (select ${listedCount(runId)} as people) u`;
}
