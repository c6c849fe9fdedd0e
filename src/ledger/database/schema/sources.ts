// The types of the tables of sources: their events, schedules and servers.
import type { Generated, JSONColumnType } from 'kysely';
import type { Time } from './columns.ts';

interface EventTable {
  id: Generated<number>;
  source: string;
  /** What it is known by, should it come again; see core/webhooks/event.ts. */
  key: string;
  received_at: Generated<Date>;
  /** In the sender's words. */
  kind: string;
  /** The ids of the people it is about; null if it does not name them all. */
  employees: JSONColumnType<string[]> | null;
  /** The people it carries, as long as it waits. */
  people: JSONColumnType<Record<string, unknown>[]> | null;
  /** As it came; null once retention has removed it. */
  body: string | null;
  state: 'waiting' | 'handled';
  /** The run that it led to, where there was one. */
  run_id: string | null;
  handled_at: Time | null;
}

/** The process that handles the events of a source until then, and what has failed since it last went well. */
interface EventHandlerTable {
  source: string;
  worker: string;
  until: Date;
  failures: Generated<number>;
  retry_at: Time | null;
  reason: Generated<string>;
}

/** How many requests of a day (UTC) ended how; all that is kept of those that were not believed. */
interface EventCountTable {
  source: string;
  /** `YYYY-MM-DD`. */
  day: string;
  result: string;
  count: number;
}

/** A source that is read by itself, and since when its times count. */
interface ScheduleTable {
  service: string;
  source: string;
  cron: string;
  timezone: string;
  since: Time;
}

/** A time at which a source was due: one row, no matter who noticed it. */
interface TickTable {
  service: string;
  source: string;
  due_at: Time;
  noticed_by: string;
  /** The process that carries it out. */
  worker: string;
  run_id: string | null;
  /** Null while it is being carried out. */
  result: string | null;
  reason: Generated<string>;
  begun_at: Generated<Date>;
  ended_at: Time | null;
}

/** A user or a group that an identity provider pushed to a source (SCIM). */
interface PushedTable {
  source: string;
  id: string;
  /** The order in which they came. */
  number: Generated<number>;
  kind: 'User' | 'Group';
  /** The sign-in name or the group's name, in lower case: there is only one of each. */
  name: string;
  /** The person keys of a user's addresses. */
  keys: JSONColumnType<string[]>;
  /** The attributes; see core/scim/attributes.ts. */
  resource: JSONColumnType<Record<string, unknown>>;
  version: Generated<number>;
  created_at: Generated<Date>;
  modified_at: Generated<Date>;
}

/** Who is in a pushed group: users, and groups. */
interface PushedMemberTable {
  source: string;
  group_id: string;
  member_id: string;
}

/** What the server of a source said about the roster of its last run. */
interface SourceStateTable {
  service: string;
  source: string;
  run_id: string;
  /** Identifies all that decides a plan, except the roster. */
  digest: string;
  etag: string | null;
  last_modified: string | null;
}

interface KeptSourceTable {
  name: string;
  /** Its settings as YAML, without where it is. */
  block: string;
  kept_by: string;
  kept_at: Generated<Date>;
}

export interface SourcesTables {
  pushed: PushedTable;
  pushed_members: PushedMemberTable;
  source_states: SourceStateTable;
  kept_sources: KeptSourceTable;
  schedules: ScheduleTable;
  ticks: TickTable;
  events: EventTable;
  event_handlers: EventHandlerTable;
  event_counts: EventCountTable;
}
