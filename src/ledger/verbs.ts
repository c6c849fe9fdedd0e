// Every verb of the ledger.
import { peopleVerbs } from './people-verbs.ts';
import { runVerbs } from './run-verbs.ts';

/** A function that is not here is none: it is for this folder only. */
export const verbs = { ...runVerbs, ...peopleVerbs } as const;
