// What a worker has in its hands, found by the ids of deliveries.
import { type RawBuilder, sql } from 'kysely';

/*
 * Whoever changes a row of `in_hand` and a delivery locks the delivery first, and several deliveries in the order of their
 * ids. So no two wait for each other, and a claim never sees a delivery that is due beside a lane that was free a moment later.
 */

/**
 * The lanes of the deliveries of `ids` (a table with a column `id`): that table's columns, `service` and `person_key`.
 * @param locked whether the deliveries are to be changed afterwards
 */
export function lanesOf(ids: RawBuilder<unknown>, { locked = false } = {}): RawBuilder<unknown> {
  const own = locked ? sql`for no key update` : sql`offset 0`;
  return sql`(
    select i.*, d.service, d.person_key from ${ids} i
    cross join lateral (select service, person_key from deliveries where id = i.id ${own}) d)`;
}

/**
 * Whether a row `h` of `in_hand` is of a delivery `mine` of `lanesOf`, and in the hands of this worker. The last condition
 * always holds: it makes reading all rows look as expensive as it is, so that each is found by its key.
 */
export function isMine(worker: string): RawBuilder<boolean> {
  return sql<boolean>`(h.service = mine.service and h.person_key = mine.person_key and h.delivery_id = mine.id
    and h.worker = ${worker} and exists (select 1 from deliveries o where o.id = h.delivery_id offset 0))`;
}

/** Whether a delivery `d` is in nobody's hands. */
export const isUnclaimed = sql<boolean>`not exists (
  select 1 from in_hand h where h.service = d.service and h.person_key = d.person_key and h.delivery_id = d.id)`;
