// Stores what an identity provider pushes: users, groups, members. Each change is an event of the source.
import { sql } from 'kysely';
import type { Stored } from '../../core/scim/answer.ts';
import type { Kind } from '../../core/scim/attributes.ts';
import type { MemberChange } from '../../core/scim/patch.ts';
import { type Database, countOf, rowOf, rowsOf, toJson, changed } from '../database/database.ts';
import { addEvents } from '../events/events.ts';

export type Pushed = Stored;

/** What is written of a user or a group. */
export interface PushedContent {
  source: string;
  kind: Kind;
  id: string;
  /** In lower case: there is only one of each kind. */
  name: string;
  /** The person keys of a user's addresses, so that a person can be erased. */
  keys: readonly string[];
  resource: Record<string, unknown>;
  members: readonly MemberChange[];
  /** Identifies the event that the change becomes; never used before. */
  event: string;
}

const columns = sql`id, resource, version, created_at, modified_at`;

/**
 * Adds a user or a group with its members, and the event, in one statement: a provider's first sync is thousands of these,
 * and an embedded ledger has one session. Returns it, or undefined if its name is taken; asked again with the same id, it
 * was not.
 */
export async function addPushed(db: Database, content: PushedContent): Promise<Pushed | undefined> {
  const { source, kind, id, name, keys, resource, members, event } = content;
  const ids = members.flatMap((change) => (change.what === 'remove' ? [] : change.ids));
  const withMembers = sql`, joined as (
    insert into pushed_members (source, group_id, member_id)
    select added.source, added.id, member.value from added cross join jsonb_array_elements_text(${toJson(ids)}::jsonb) member
    on conflict do nothing
  )`;
  const row = await rowOf<Pushed>(db)`
    with added as (
      insert into pushed (source, id, kind, name, keys, resource)
      values (${source}, ${id}, ${kind}, ${name}, ${toJson(keys)}::jsonb, ${toJson(resource)}::jsonb)
      on conflict do nothing returning *
    ), told as (
      insert into events (source, key, kind, body)
      select source, ${event}, ${sayChange(kind, 'created')}, '' from added
    )${ids.length > 0 ? withMembers : sql``}
    select ${columns} from added`;
  return row ?? (await findPushed(db, { source, kind, id }));
}

/**
 * Changes a user or a group, unless it has another version by now, and adds the event where anything is different then.
 * @param content.version the version that was changed
 */
export async function changePushed(
  db: Database,
  content: PushedContent & { version: number; isSame: boolean },
): Promise<'changed' | 'same' | 'taken' | 'stale'> {
  const { source, kind, id, name, keys, resource, version, isSame } = content;
  return db.transaction().execute(async (transaction) => {
    // Its lock makes others that change the same one wait; the name is free, or the one who has it is known.
    const row = await rowOf<{ taken: boolean }>(transaction)`
      select exists (
        select 1 from pushed o where o.source = ${source} and o.kind = ${kind} and o.name = ${name} and o.id <> ${id}
      ) as taken from pushed where source = ${source} and kind = ${kind} and id = ${id} and version = ${version} for update`;
    if (!row) return 'stale';
    if (row.taken) return 'taken';
    const moved = await changeMembers(transaction, content);
    if (isSame && moved === 0) return 'same';
    await sql`
      update pushed set name = ${name}, keys = ${toJson(keys)}::jsonb, resource = ${toJson(resource)}::jsonb,
        version = version + 1, modified_at = clock_timestamp()
      where source = ${source} and id = ${id}`.execute(transaction);
    await tellChange(transaction, content, 'changed');
    return 'changed';
  });
}

/** Removes a user or a group, and adds the event. Returns whether there was one. */
export async function removePushed(
  db: Database,
  { source, kind, id, event }: Pick<PushedContent, 'source' | 'kind' | 'id' | 'event'>,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const rows = await rowsOf(transaction)`
      delete from pushed where source = ${source} and kind = ${kind} and id = ${id} returning id`;
    if (rows.length === 0) return false;
    await sql`delete from pushed_members where source = ${source} and member_id = ${id}`.execute(transaction);
    await tellChange(transaction, { source, kind, event }, 'removed');
    return true;
  });
}

async function tellChange(
  db: Database,
  { source, kind, event }: Pick<PushedContent, 'source' | 'kind' | 'event'>,
  what: string,
): Promise<void> {
  // Who it is about is not said: everybody is compared with what was delivered.
  const told = { source, key: event, kind: sayChange(kind, what), employees: null, people: null, body: '' };
  await addEvents(db, [told]);
}

const sayChange = (kind: Kind, what: string): string => `${kind.toLowerCase()} ${what}`;

/** Makes the changes of a group's members in their order. Returns how many rows they took. */
async function changeMembers(db: Database, { source, id, members }: PushedContent): Promise<number> {
  let rows = 0;
  for (const { what, ids } of members) {
    const list = sql`select value from jsonb_array_elements_text(${toJson(ids)}::jsonb)`;
    const theirs = sql`source = ${source} and group_id = ${id}`;
    if (what !== 'add') {
      const gone =
        what === 'remove'
          ? sql`member_id in (${list})`
          : sql`member_id not in (${what === 'set' ? list : sql`select ''`})`;
      rows += await changed(db)`delete from pushed_members where ${theirs} and ${gone}`;
    }
    if (what === 'add' || what === 'set') {
      rows += await changed(db)`
        insert into pushed_members (source, group_id, member_id) select ${source}, ${id}, value
        from jsonb_array_elements_text(${toJson(ids)}::jsonb) on conflict do nothing`;
    }
  }
  return rows;
}

export async function findPushed(db: Database, { source, kind, id }: Pick<PushedContent, 'source' | 'kind' | 'id'>) {
  return rowOf<Pushed>(db)`
    select ${columns} from pushed where source = ${source} and kind = ${kind} and id = ${id}`;
}

export interface PushedQuery {
  source: string;
  kind: Kind;
  /** How many of them are left out at the beginning, in the order in which they came. */
  offset: number;
  limit: number;
  id?: string;
  /** In lower case. */
  name?: string;
  /** A text that is somewhere in them, in whatever case where it is ASCII. */
  text?: string;
}

/** Users or groups in the order in which they came. */
export async function listPushed(db: Database, query: PushedQuery): Promise<Pushed[]> {
  const { offset, limit } = query;
  return rowsOf<Pushed>(db)`
    select ${columns} from pushed where ${wanted(query)} order by number offset ${offset} limit ${limit}`;
}

/** How many users or groups there are that are asked for. */
export async function countPushed(db: Database, query: Omit<PushedQuery, 'offset' | 'limit'>): Promise<number> {
  return countOf(db)`
    select count(*)::integer as count from pushed where ${wanted(query)}`;
}

function wanted({ source, kind, id, name, text }: Omit<PushedQuery, 'offset' | 'limit'>) {
  // As in JSON. The lower case of other letters depends on the database: the caller compares them.
  const part = text === undefined ? '' : JSON.stringify(text).slice(1, -1);
  const isPlain = /^[ -~]*$/.test(part);
  return sql`source = ${source} and kind = ${kind}
    and (${id ?? null}::text is null or id = ${id ?? null})
    and (${name ?? null}::text is null or name = ${name ?? null})
    and (${text === undefined || !isPlain ? null : part.toLowerCase()}::text is null
      or strpos(lower(resource::text), ${part.toLowerCase()}) > 0)`;
}

/** A member of a group, with the name of either. */
export interface PushedMember {
  groupId: string;
  memberId: string;
  group: string;
  /** The name of the member as it is shown; null if there is no such user or group. */
  member: string | null;
  /** What the member is; null if there is no such user or group. */
  memberKind: Kind | null;
}

/** Who is in these groups, or in which groups these users are. */
export async function pushedMembers(
  db: Database,
  { source, groups = [], users = [] }: { source: string; groups?: readonly string[]; users?: readonly string[] },
) {
  return rowsOf<PushedMember>(db)`
    select m.group_id, m.member_id, g.resource ->> 'displayName' as "group",
      coalesce(u.resource ->> 'displayName', u.resource ->> 'userName') as member, u.kind as member_kind
    from pushed_members m join pushed g on g.source = m.source and g.id = m.group_id
      left join pushed u on u.source = m.source and u.id = m.member_id
    where m.source = ${source} and (
      m.group_id in (select value from jsonb_array_elements_text(${toJson(groups)}::jsonb))
      or m.member_id in (select value from jsonb_array_elements_text(${toJson(users)}::jsonb))
    ) order by g.number, u.number`;
}

/** How many members groups have; none of those that have none. */
export async function pushedSizes(db: Database, { source, groups }: { source: string; groups: readonly string[] }) {
  return rowsOf<{ id: string; members: number }>(db)`
    select group_id as id, count(*)::integer as members from pushed_members
    where source = ${source} and group_id in (select value from jsonb_array_elements_text(${toJson(groups)}::jsonb))
    group by group_id`;
}

/** A pushed user with the names of all groups that they are in, directly or through other groups. */
export interface PushedUser {
  number: number;
  id: string;
  resource: Record<string, unknown>;
  groups: string[];
}

/** The users of a source after a number, in the order in which they came. */
export async function pushedUsers(
  db: Database,
  { source, after, limit }: { source: string; after: number; limit: number },
): Promise<PushedUser[]> {
  return rowsOf<PushedUser>(db)`
    with recursive users as (
      select id, number, resource from pushed
      where source = ${source} and kind = 'User' and number > ${after} order by number limit ${limit}
    ), inside as (
      select u.id as user_id, m.group_id from users u join pushed_members m on m.source = ${source} and m.member_id = u.id
      union
      select i.user_id, m.group_id from inside i join pushed_members m on m.source = ${source} and m.member_id = i.group_id
    )
    select u.number, u.id, u.resource, coalesce((
      select jsonb_agg(g.resource ->> 'displayName' order by g.number) from inside i
        join pushed g on g.source = ${source} and g.id = i.group_id where i.user_id = u.id
    ), '[]'::jsonb) as groups from users u order by u.number`;
}

/** Removes the users of a source-independent person key, and says nothing of it to anybody: whoever is erased is not sent. */
export async function erasePushed(db: Database, key: string): Promise<void> {
  await sql`
    with gone as (delete from pushed where kind = 'User' and keys ? ${key} returning source, id)
    delete from pushed_members m using gone g where m.source = g.source and m.member_id = g.id`.execute(db);
}
