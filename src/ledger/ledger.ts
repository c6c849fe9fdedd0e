import type { PostgresPool } from 'kysely';
import { coalesce } from './coalesce.ts';
import { type Database, databaseOver } from './database.ts';
import * as delivering from './delivering.ts';
import * as feeding from './feeding.ts';
import { migrate } from './migrations.ts';
import * as planning from './planning.ts';
import * as reading from './reading.ts';
import * as release from './release.ts';
import * as runs from './runs.ts';
import * as staging from './staging.ts';

/** The verbs, each with its database already given. */
type Bound<Verbs> = {
  [Name in keyof Verbs]: Verbs[Name] extends (db: Database, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

function bind<Verbs extends object>(db: Database, verbs: Verbs): Bound<Verbs> {
  return Object.fromEntries(
    Object.entries(verbs).map(([name, verb]) => [
      name,
      (...rest: unknown[]) => (verb as (...all: unknown[]) => unknown)(db, ...rest),
    ]),
  ) as Bound<Verbs>;
}

/** What many deliveries ask for at once, answered by one statement for all of them. */
const mostAtOnce = 200;

function batched(db: Database, worker: string) {
  return {
    /** Claims one delivery; undefined when it is not to be had now. */
    claim: coalesce<number, delivering.ClaimedDelivery | undefined>(async (ids) => {
      const claimed = new Map(
        (await delivering.claimDeliveries(db, worker, ids)).map((delivery) => [delivery.id, delivery]),
      );
      return ids.map((id) => claimed.get(id));
    }, mostAtOnce),
    /** The last look before a call: its number, or undefined when it must not be made. */
    begin: coalesce<number, number | undefined>(async (ids) => {
      const begun = new Map((await delivering.beginCalls(db, worker, ids)).map(({ id, call }) => [id, call]));
      return ids.map((id) => begun.get(id));
    }, mostAtOnce),
    /** Hands a claimed delivery back, due after `waitMs`. */
    handBack: coalesce<{ id: number; waitMs: number }, void>(async (handed) => {
      await delivering.handBack(db, worker, handed);
      return [];
    }, mostAtOnce),
    /** Writes down what a call brought. */
    record: coalesce<delivering.CallRecord, void>(async (records) => {
      await delivering.recordAnswers(db, worker, records);
      return [];
    }, mostAtOnce),
  };
}

/** Everything the ledger can do: the verbs of this folder over one database. */
export type Ledger = Bound<
  typeof runs & typeof staging & typeof planning & typeof release & typeof feeding & typeof reading
> &
  Pick<Bound<typeof delivering>, 'hasSucceeded' | 'tallyOf'> &
  ReturnType<typeof batched>;

/**
 * Opens the ledger over a pool: brings its tables up to date and returns its verbs.
 * @param worker the name under which this process claims deliveries
 * @throws StorageError when a newer program has used the ledger
 */
export async function openLedger(pool: PostgresPool, worker: string): Promise<Ledger> {
  const db = databaseOver(pool);
  await migrate(db);
  return {
    ...bind(db, { ...runs, ...staging, ...planning, ...release, ...feeding, ...reading }),
    ...bind(db, { hasSucceeded: delivering.hasSucceeded, tallyOf: delivering.tallyOf }),
    ...batched(db, worker),
  };
}
