// Reads what the ledger knows about one person; resolves moves of people to new addresses.
import type { WithLedger } from '../../src/wiring/context.ts';
import { plain } from '../../src/core/plain.ts';
import { personKey } from '../../src/core/person/member.ts';
import type { PersonHistory } from '../../src/acts/shapes/person.ts';
import type { IdentityDecision } from '../../src/core/rows/row.ts';
import { type AddressPair, type Move, movesOfPair } from '../../src/core/person/moves.ts';
import { count } from '../../src/core/text/figures.ts';
import { defined } from '../../src/core/defined.ts';
import type { ResolvedMoves } from '../../src/ledger/planning/resolving.ts';

/** Everything that is known about the person with this address, whatever its case, also under their other addresses. */
export async function readPerson({ ledger }: WithLedger, email: string): Promise<PersonHistory> {
  return plain({ asked: email.trim(), ...(await ledger.personHistory(personKey(email))) });
}

/** What is decided, and about whom: pairs of addresses and rules, or all who wait in a run. */
export interface MovesToResolve {
  /** The service's normalised address. */
  service: string;
  decision: IdentityDecision;
  of: { pairs: readonly AddressPair[] } | { runId: string };
}

/**
 * What happens to moves. With `go`, which has the hash of what was shown, it is done, unless something has changed since.
 * The audit keeps who did it.
 */
export async function resolveMoves(
  { ledger }: WithLedger,
  { service, decision, of }: MovesToResolve,
  go?: { hash: string; by: string; origin: string },
): Promise<ResolvedMoves> {
  const moves: Move[] = 'runId' in of ? await ledger.movesWaiting(of.runId) : [];
  for (const pair of 'pairs' in of ? of.pairs : []) {
    moves.push(...(await movesOfPair(pair, (domain) => ledger.keysAt(service, domain))));
  }
  const found = await ledger.resolveMoves({ service, moves, decision, ...defined({ hash: go?.hash }) });
  if (go && found.isDone) {
    const action = `resolve ${count(found.moved.length, 'move')}: ${decision}`;
    await ledger.noteDeed({ by: go.by, action, origin: go.origin });
  }
  return found;
}
