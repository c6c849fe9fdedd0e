// What each verb of the ledger says about itself: whether it may be repeated, and from where it may be called.
import type { Database } from './database/database.ts';

/** What happens when the connection to the database is lost. */
export type OnLoss =
  /** It is idempotent, so it is repeated until the database answers. */
  | 'repeat'
  /** The same. It is short and frequent, so it also notices when the network silently drops everything. */
  | 'repeat-watched'
  /** It fails at once: it does not help later, or its caller tries again. */
  | 'fail'
  /** It is not idempotent: the whole planning starts again. */
  | 'plan-again';

/** `remote`: the commands of a second terminal may call it through the process that owns the data directory. */
export type Reach = 'local' | 'remote';

type Act = (db: Database, ...rest: never[]) => unknown;

export interface Verb<Acts extends Act = Act, Reaches extends Reach = Reach> {
  act: Acts;
  onLoss: OnLoss;
  reach: Reaches;
}

/** A function of the ledger as a verb. Both marks are required: nothing is repeated, or remote, unless it says so. */
export function verb<Acts extends Act, Reaches extends Reach>(
  act: Acts,
  onLoss: OnLoss,
  reach: Reaches,
): Verb<Acts, Reaches> {
  return { act, onLoss, reach };
}

/** Verbs with their database already given. */
export type Bound<Verbs extends Record<string, Verb>> = {
  [Name in keyof Verbs]: Verbs[Name]['act'] extends (db: Database, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** The names of the verbs that may be called through the owner. */
export type RemoteName<Verbs extends Record<string, Verb>> = {
  [Name in keyof Verbs]: Verbs[Name]['reach'] extends 'remote' ? Name : never;
}[keyof Verbs];

type Call = () => Promise<unknown>;

/** Gives each verb its database; `after` is how it is called, by its mark for a lost connection. */
export function bind<Verbs extends Record<string, Verb>>(
  db: Database,
  verbs: Verbs,
  after: Record<OnLoss, (call: Call) => Promise<unknown>>,
): Bound<Verbs> {
  const bound = Object.entries(verbs).map(([name, { act, onLoss }]) => {
    const ask = act as (db: Database, ...rest: unknown[]) => Promise<unknown>;
    return [name, (...rest: unknown[]) => after[onLoss](() => ask(db, ...rest))] as const;
  });
  return Object.fromEntries(bound) as Bound<Verbs>;
}
