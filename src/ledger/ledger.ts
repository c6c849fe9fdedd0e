// Opens the ledger: every verb over one database.
import type { PostgresPool } from 'kysely';
import { listDeeds, noteDeed } from './access/audit.ts';
import * as answers from './story/answers.ts';
import * as approving from './moves/approving.ts';
import { recordBaseline } from './planning/baseline.ts';
import { beginCalls } from './moves/begin.ts';
import { openStage, stageAnswers, stagesDone } from './moves/careful.ts';
import { type ClaimedDelivery, claimDeliveries } from './moves/claim.ts';
import { coalesce, takeTurns, withoutTurns } from './database/coalesce.ts';
import { type Database, databaseOver } from './database/database.ts';
import { listDeparted, stageLeavers } from './planning/departed.ts';
import * as deliveringRuns from './runs/delivering-runs.ts';
import * as events from './events/events.ts';
import { feedAgain, type FedDelivery, queuedDeliveries, takeDue, takeOpened } from './moves/feed.ts';
import { handBack } from './moves/hand-back.ts';
import * as forget from './people/forget.ts';
import * as holds from './runs/holds.ts';
import * as identities from './planning/identities.ts';
import { findDamage } from './directory/damage.ts';
import * as identity from './directory/ledger-identity.ts';
import * as beginning from './moves/begin-run.ts';
import { moveRun } from './moves/move-run.ts';
import * as overdue from './moves/overdue-runs.ts';
import { countLeftBehind, leftBehindAt, listLeftBehind, markLeftBehindDone } from './people/left-behind-list.ts';
import * as measuring from './figures/measuring.ts';
import { migrate } from './database/migrations.ts';
import * as notifications from './runs/notifications.ts';
import * as planDetails from './planning/plan-details.ts';
import { peopleOfRun } from './people/people-of-run.ts';
import * as person from './people/person.ts';
import * as personAnswers from './story/person-answers.ts';
import * as planning from './planning/planning.ts';
import * as reading from './runs/reading.ts';
import { insist, mindSilence, reportLoss, type Patience } from './database/reconnect.ts';
import * as paces from './runs/paces.ts';
import { type CallRecord, recordAnswers } from './moves/record.ts';
import * as release from './moves/release.ts';
import { reopenFailures } from './moves/reopen.ts';
import { supersedeByNewer, supersedeOlder } from './moves/supersede.ts';
import { beginAlone, takeBackFromTheDead } from './moves/take-back.ts';
import * as retention from './figures/retention.ts';
import { recordLate } from './moves/late-receipts.ts';
import { lastRoster, rosterPeople } from './people/roster-people.ts';
import * as runs from './runs/runs.ts';
import { recallSource, rememberSource } from './planning/source-states.ts';
import * as staging from './planning/staging.ts';
import * as tally from './runs/call-tally.ts';
import * as throttled from './runs/throttled.ts';
import * as ticks from './runs/ticks.ts';
import * as sessions from './access/sessions.ts';
import * as tokens from './access/tokens.ts';
import { listUnchanged, stageListed, stageOrphans } from './planning/unchanged-people.ts';
import { UnwrittenReceipts } from './directory/unwritten-receipts.ts';
import * as usual from './figures/usual-figures.ts';
import * as workers from './runs/workers.ts';
import * as vacuum from './database/vacuum.ts';

/** The verbs, each with its database already given. */
type Bound<Verbs> = {
  [Name in keyof Verbs]: Verbs[Name] extends (db: Database, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

type AnyVerb = (...all: unknown[]) => unknown;

/** Gives each verb its database; `around` wraps each call. */
function bind<Verbs extends object>(
  db: Database,
  verbs: Verbs,
  around: (call: () => unknown) => unknown,
): Bound<Verbs> {
  const bound = Object.entries(verbs as Record<string, AnyVerb>).map(
    ([name, verb]) => [name, (...rest: unknown[]) => around(() => verb(db, ...rest))] as const,
  );
  return Object.fromEntries(bound) as Bound<Verbs>;
}

/** What many deliveries ask for at once, answered by one statement for all of them. */
const mostAtOnce = 200;

function batched(db: Database, { worker, patience, oneSession = false }: LedgerOptions, unwritten?: UnwrittenReceipts) {
  const turns = oneSession ? takeTurns() : withoutTurns;
  const together = <Item, Result>(many: (items: Item[]) => Promise<Result[]>): ((item: Item) => Promise<Result>) =>
    coalesce(many, mostAtOnce, turns);
  const steady = <Result>(call: () => Promise<Result>): Promise<Result> =>
    insist(() => mindSilence(call, patience), patience);
  const record = together<CallRecord, void>(async (records) => {
    await steady(() => recordAnswers(db, worker, records));
    return [];
  });
  return {
    /** Claims one delivery; undefined when it is not available now. */
    claim: together<FedDelivery, ClaimedDelivery | undefined>(async (asked) => {
      const claimed = await steady(() => claimDeliveries(db, worker, asked));
      const byId = new Map(claimed.map((delivery) => [delivery.id, delivery]));
      return asked.map(({ id }) => byId.get(id));
    }),
    /** The last look before a call: its number, or undefined when it must not be made. */
    begin: together<number, number | undefined>(async (ids) => {
      const begun = await steady(() => beginCalls(db, worker, ids));
      const byId = new Map(begun.map(({ id, call }) => [id, call]));
      return ids.map((id) => byId.get(id));
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
     * Writes an event down; whether it is new. It fails at once while the database is away: the sender, who is told so,
     * comes again.
     */
    addEvent: together<events.NewEvent, boolean>((asked) => mindSilence(() => events.addEvents(db, asked), patience)),
  };
}

const { addEvents: _inBatches, ...eventVerbs } = events;
const { everybody, ...lookUps } = reading;
const { beat, leave, ...workerVerbs } = workers;
/**
 * These fail at once when the connection is lost: a late sign of life does not help, and notifications wait in the
 * ledger.
 */
const passingVerbs = { beat, leave, noteDeed, takeLink: sessions.takeLink, ...measuring, ...notifications };
const { isStopped: _isStopped, ...holdVerbs } = holds;
const { ensureIdentity, ...identifying } = identity;
const { learnEmployeeIds: _, ...identityVerbs } = identities;
/** These are idempotent, so they are repeated after a lost connection. */
const steadyVerbs = {
  ...tokens,
  addSession: sessions.addSession,
  findSession: sessions.findSession,
  endSession: sessions.endSession,
  peopleOfRun,
  listDeeds,
  ...identifying,
  ...runs,
  ...beginning,
  moveRun,
  endAtDeadline: overdue.endAtDeadline,
  expireHolds: overdue.expireHolds,
  failOrphanedPlans: overdue.failOrphanedPlans,
  ...release,
  ...lookUps,
  ...answers,
  ...personAnswers,
  lastRoster,
  rosterPeople,
  listDeparted,
  listLeftBehind,
  countLeftBehind,
  markLeftBehindDone,
  leftBehindAt,
  recallSource,
  rememberSource,
  ...approving,
  ...holdVerbs,
  ...planDetails,
  recordBaseline,
  openStage,
  stageAnswers,
  stagesDone,
  reopenFailures,
  supersedeByNewer,
  supersedeOlder,
  ...person,
  ...retention,
  ...forget,
  ...vacuum,
  ...usual,
  ...ticks,
  findDamage,
  recordLate,
};
/** These too. They are short and frequent, so they notice when the network silently drops everything. */
const shortVerbs = {
  ...workerVerbs,
  ...deliveringRuns,
  ...paces,
  ...tally,
  ...throttled,
  takeDue,
  takeOpened,
  queuedDeliveries,
  feedAgain,
  takeBackFromTheDead,
  beginAlone,
};
/** These are not idempotent: after a lost connection the whole planning starts again. */
const planningVerbs = {
  stageLeavers,
  listUnchanged,
  stageListed,
  stageOrphans,
  ...staging,
  ...planning,
  ...identityVerbs,
};

/** Everything the ledger can do: the verbs of this folder over one database. */
export type Ledger = Bound<
  typeof steadyVerbs & typeof shortVerbs & typeof planningVerbs & typeof passingVerbs & typeof eventVerbs
> &
  ReturnType<typeof batched> & {
    /** The name under which this process claims deliveries. */
    worker: string;
    everybody(): AsyncGenerator<object>;
  };

/** How a ledger is to be opened. */
export interface LedgerOptions {
  /** The name under which this process claims deliveries. */
  worker: string;
  /** What to do when the connection is lost. */
  patience: Patience;
  /** All statements go through one session (embedded): the batches of deliveries then take turns, and so are larger. */
  oneSession?: boolean;
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
  await migrate(db);
  await ensureIdentity(db);
  const unwritten =
    receipts &&
    new UnwrittenReceipts(receipts.folder, { ledger: await identity.ledgerId(db), worker }, receipts.onError);
  const patience: Patience = {
    ...options.patience,
    onLoss(error) {
      unwritten?.ledgerIsAway();
      options.patience.onLoss(error);
    },
  };
  return {
    worker,
    everybody: () => everybody(db),
    ...bind(db, passingVerbs, (call) => mindSilence(call as () => Promise<unknown>, patience)),
    ...bind(db, planningVerbs, reportLoss),
    ...bind(db, eventVerbs, (call) => mindSilence(call as () => Promise<unknown>, patience)),
    ...bind(db, steadyVerbs, (call) => insist(call as () => Promise<unknown>, patience)),
    ...bind(db, shortVerbs, (call) => insist(() => mindSilence(call as () => Promise<unknown>, patience), patience)),
    ...batched(db, { ...options, patience }, unwritten),
  };
}
