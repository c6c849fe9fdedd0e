// Every verb of the ledger.
import { peopleVerbs } from './people-verbs.ts';
import { runVerbs } from './run-verbs.ts';
import type { Bound, RemoteName } from './verb.ts';

/** Every verb, with its two marks. A function that is not here is none: it is for this folder only. */
export const verbs = { ...runVerbs, ...peopleVerbs } as const;

/** The verbs that the commands of a second terminal call through the process that owns the data directory. */
export type RemoteLedger = Pick<Bound<typeof verbs>, RemoteName<typeof verbs>>;

/** Whether a verb may be called through the owner. */
export function isRemote(name: string): name is keyof RemoteLedger {
  return Object.hasOwn(verbs, name) && verbs[name as keyof typeof verbs].reach === 'remote';
}
