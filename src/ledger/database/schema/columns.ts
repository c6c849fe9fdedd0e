// Column types that several tables share.
import type { ColumnType, JSONColumnType } from 'kysely';

/** A time, `timestamptz`. */
export type Time = ColumnType<Date, Date, Date>;
/** A list of names, `jsonb`. */
export type Names = JSONColumnType<string[]>;
