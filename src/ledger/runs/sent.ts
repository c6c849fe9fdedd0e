// SQL fragment: whether a planned member `m` is sent.
import { type RawBuilder, sql } from 'kysely';

export function isSent(all: boolean): RawBuilder<boolean> {
  return sql<boolean>`(m.action <> 'later' and (m.action <> 'unchanged' or m.resend or ${all}::boolean))`;
}
