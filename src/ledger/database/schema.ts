// The TypeScript types of all tables.
import type { AccessTables } from './schema/access.ts';
import type { DeliveriesTables } from './schema/deliveries.ts';
import type { PeopleTables } from './schema/people.ts';
import type { ProcessesTables } from './schema/processes.ts';
import type { RostersTables } from './schema/rosters.ts';
import type { RunsTables } from './schema/runs.ts';
import type { SourcesTables } from './schema/sources.ts';
import type { StoryTables } from './schema/story.ts';

/** As kysely sees them; the migrations make them, and a contract test compares the two. Times are `timestamptz`. */
export interface Tables
  extends
    ProcessesTables,
    RunsTables,
    RostersTables,
    DeliveriesTables,
    PeopleTables,
    SourcesTables,
    StoryTables,
    AccessTables {}
