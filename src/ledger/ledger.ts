// Opens the ledger: every verb over one database.
import type { PostgresPool } from 'kysely';
import { coalesce, createSequencer } from '../process/coalesce.ts';
import { type Database, databaseOver } from './database/database.ts';
import { beginCalls, claimDeliveries, type ClaimedDelivery, handBack } from './moves/claim.ts';
import type { FedDelivery } from './moves/feed.ts';
import { type CallRecord, recordAnswers, settleTakenBack } from './moves/record.ts';
import { addEvents, type NewEvent } from './events/events.ts';
import { backupText } from './directory/backups.ts';
import { type BegunBackup, ensureIdentity, ledgerId } from './directory/ledger-identity.ts';
import { migrate } from './database/migrations.ts';
import {
  asPlanning,
  nameLoss,
  retryWhileAway,
  watchForSilence,
  reportLoss,
  type LossPolicy,
} from './database/reconnect.ts';
import { keepUnwritten, type UnwrittenReceipts } from './directory/unwritten-receipts.ts';
import * as failing from './verbs/failing.ts';
import * as planned from './verbs/planned.ts';
import * as repeated from './verbs/repeated.ts';
import * as watched from './verbs/watched.ts';

/** What many deliveries ask for at once, answered by one statement for all of them. */
const mostAtOnce = 200;

function batched(db: Database, { worker, lossPolicy }: LedgerOptions, unwritten?: UnwrittenReceipts) {
  // One statement after the other: meanwhile the next batches grow, and what many ask together costs far less.
  const inSequence = createSequencer();
  const together = <Item, Result>(many: (items: Item[]) => Promise<Result[]>): ((item: Item) => Promise<Result>) =>
    coalesce(many, mostAtOnce, inSequence);
  const steady = <Result>(call: () => Promise<Result>): Promise<Result> =>
    nameLoss(() => retryWhileAway(() => watchForSilence(call, lossPolicy), lossPolicy));
  const record = together<CallRecord, void>(async (records) => {
    await steady(async () => {
      for (const left of await recordAnswers(db, records)) await settleTakenBack(db, worker, left);
    });
    return [];
  });
  return {
    /** Claims one delivery; undefined when it is not available now. */
    claim: together<FedDelivery, ClaimedDelivery | undefined>(async (asked) => {
      const claimed = await steady(() => claimDeliveries(db, worker, asked));
      return asked.map(({ id }) => claimed.find((each) => each.id === id));
    }),
    /** The last look before a call: its number, or undefined when it must not be made. */
    begin: together<number, number | undefined>(async (ids) => {
      const begun = await steady(() => beginCalls(db, worker, ids));
      return ids.map((id) => begun.find((each) => each.id === id)?.call);
    }),
    /** Hands a claimed delivery back, due after `waitMs`. */
    handBack: together<{ id: number; waitMs: number }, void>(async (handed) => {
      await steady(() => handBack(db, worker, handed));
      return [];
    }),
    /** Records what a call brought. Until that is done, it is kept, also in a file where the ledger is away. */
    record: (given: CallRecord): Promise<void> =>
      unwritten === undefined ? record(given) : unwritten.writing(given, record),
    /**
     * Records an event; whether it is new. It fails at once while the database is away, and so does not wait behind
     * what is repeated: the sender, who is told so, comes again.
     */
    addEvent: coalesce<NewEvent, boolean>(
      (asked) => nameLoss(() => watchForSilence(() => addEvents(db, asked), lossPolicy)),
      mostAtOnce,
    ),
  };
}

type Bound<Verbs> = {
  [Name in keyof Verbs]: Verbs[Name] extends (db: Database, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Gives verbs their database. */
function bound<Verbs extends object>(
  verbs: Verbs,
  db: Database,
  call: (verb: () => Promise<unknown>) => Promise<unknown>,
): Bound<Verbs> {
  type Verb = (db: Database, ...rest: unknown[]) => Promise<unknown>;
  const all = Object.entries<Verb>(verbs as Record<string, Verb>);
  return Object.fromEntries(
    all.map(([name, verb]) => [name, (...rest: unknown[]) => nameLoss(() => call(() => verb(db, ...rest)))]),
  ) as Bound<Verbs>;
}

/** Everything the ledger can do: the verbs of this folder over one database. */
export type Ledger = Bound<typeof repeated & typeof watched & typeof failing & typeof planned> &
  ReturnType<typeof batched> & {
    /** The name under which this process claims deliveries. */
    worker: string;
    backupText(begun: BegunBackup): AsyncGenerator<string>;
  };

export interface LedgerOptions {
  /** The name under which this process claims deliveries. */
  worker: string;
  /** What to do when the connection is lost. */
  lossPolicy: LossPolicy;
  /** Where receipts are kept that the ledger cannot take; without it they are kept in this process alone. */
  receipts?: { folder: string; onError(error: unknown): void };
}

/**
 * Opens the ledger over a pool: brings its tables up to date and returns its verbs.
 * @throws StorageError when a newer program has used the ledger
 */
export async function openLedger(pool: PostgresPool, options: LedgerOptions): Promise<Ledger> {
  const { worker, receipts } = options;
  const db = databaseOver(pool);
  await nameLoss(async () => {
    await migrate(db);
    await ensureIdentity(db);
  });
  const unwritten =
    receipts && keepUnwritten(receipts.folder, { ledger: await ledgerId(db), worker }, receipts.onError);
  const lossPolicy: LossPolicy = {
    ...options.lossPolicy,
    onLoss(error) {
      unwritten?.ledgerIsAway();
      options.lossPolicy.onLoss(error);
    },
  };
  return {
    worker,
    backupText: (begun) => backupText(db, begun),
    ...bound(repeated, db, (verb) => retryWhileAway(verb, lossPolicy)),
    ...bound(watched, db, (verb) => retryWhileAway(() => watchForSilence(verb, lossPolicy), lossPolicy)),
    ...bound(failing, db, (verb) => watchForSilence(verb, lossPolicy)),
    ...bound(planned, db, (verb) => asPlanning(() => reportLoss(verb))),
    ...batched(db, { ...options, lossPolicy }, unwritten),
  };
}
