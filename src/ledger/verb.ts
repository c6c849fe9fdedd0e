// What each verb of the ledger says about itself: what happens when the connection is lost.
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

type Act = (db: Database, ...rest: never[]) => unknown;

export interface Verb<Does extends Act = Act> {
  act: Does;
  onLoss: OnLoss;
}

/** Makes functions of a module of the ledger verbs; what is not named is for the ledger only. */
function marked(onLoss: OnLoss) {
  return <Module extends object, Name extends keyof Module>(module: Module, ...names: Name[]) =>
    Object.fromEntries(names.map((name) => [name, { act: module[name], onLoss }])) as {
      [Each in Name]: Verb<Extract<Module[Each], Act>>;
    };
}

export const repeated = marked('repeat');
export const watched = marked('repeat-watched');
export const failing = marked('fail');
export const planned = marked('plan-again');

/** Verbs with their database already given. */
export type Bound<Verbs extends Record<string, Verb>> = {
  [Name in keyof Verbs]: Verbs[Name]['act'] extends (db: Database, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

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
