// SQL fragment: whether a planned member is sent.
import { type RawBuilder, sql } from 'kysely';

/** Whether a planned member `m` is sent. */
export function isSent(all: boolean): RawBuilder<boolean> {
  return sql<boolean>`(m.action <> 'later' and (m.action <> 'unchanged' or m.resend or ${all}::boolean))`;
}
