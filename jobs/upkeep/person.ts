// Reads what is known about a person, erases them and keeps them out, and resolves moves to new addresses.
import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { defined } from '../../src/core/defined.ts';
import { BusyError, onRun, refusal } from '../../src/core/errors.ts';
import { say } from '../../src/core/words/say.ts';
import { forgottenDigest } from '../../src/core/person/forgotten.ts';
import { personKey } from '../../src/core/person/member.ts';
import { spellingsOf } from '../../src/core/person/spellings.ts';
import { isEmailAddress } from '../../src/core/cells/read-cell.ts';
import type { Erased, Known } from '../../src/ledger/people/forget.ts';
import type { Context, WithLedger } from '../../src/wiring/context.ts';
import { writeRejectsFile } from '../run/rejects-file.ts';
import { plain } from '../../src/core/plain.ts';
import type { PersonHistory } from '../../src/acts/shapes/person.ts';
import type { IdentityDecision } from '../../src/core/rows/row.ts';
import { type AddressPair, type Move, movesOfPair } from '../../src/core/person/moves.ts';
import { count } from '../../src/core/text/format.ts';
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

/** A person who may be forgotten: what is known about them, and where they must not be sent any more. */
export interface PersonToForget {
  /** As somebody wrote the address. */
  email: string;
  key: string;
  known: Known;
  /** Services: where they are known, and the one that is set. */
  services: string[];
}

/** What was erased, and where the address still stands. */
export interface Forgotten {
  erased: Erased;
  /** Files of the data directory that hold the address, or may, relative to it. */
  left: string[];
  /** The run that delivers: until it ends, the files of the embedded ledger hold what was erased from its tables. */
  delivering?: string;
}

/**
 * Looks at what forgetting a person would erase; changes nothing.
 * @param service the address of the service that is set, if one is
 * @throws InputError where that is no address, or there is no service to keep them out of
 */
export async function findPersonToForget(
  { ledger }: WithLedger,
  email: string,
  service: string | undefined,
): Promise<PersonToForget> {
  const key = keyOfAddress(email);
  const known = await ledger.whatIsKnownOf(key);
  const services = [...new Set([...known.services, ...(service === undefined ? [] : [service])])];
  if (services.length > 0) return { email, key, known, services };
  throw refusal('nobodyToForget', {});
}

function keyOfAddress(email: string): string {
  const key = personKey(email);
  if (isEmailAddress(key)) return key;
  throw refusal('noPersonAddress', {});
}

/** Throws a BusyError while a run or a call for this person prevents that they are forgotten. */
export function refuseWhileBusy({ known: { inTheWay, inFlight } }: Pick<PersonToForget, 'known'>): void {
  const [run] = inTheWay;
  if (run) {
    const what = run.status === 'planning' ? 'is being planned' : 'waits for an approval';
    const todo = run.status === 'planning' ? 'wait for it' : 'cancel or approve it first';
    throw new BusyError(`Run ${run.id} of ${run.source} ${what} with this person in it: ${todo}. Nothing was erased.`, {
      next: run.status === 'planning' ? [] : onRun(run.id, 'cancel'),
    });
  }
  if (inFlight > 0) {
    throw new BusyError(say('callOfPerson', 1));
  }
}

/**
 * First they are kept out, last the files are scrubbed: if this dies in between, a second time does the rest. With a large
 * ledger it takes minutes.
 * @param by as the audit names who asked; `origin` is where from, empty at a terminal
 * @throws BusyError while a run or a call for this person prevents it
 */
export async function forgetPerson(
  context: Context,
  person: PersonToForget,
  { by, origin }: { by: string; origin: string },
): Promise<Forgotten> {
  const { ledger, config, directory } = context;
  const { key, email, services } = person;
  refuseWhileBusy(person);
  // Ends runs that a dead process was planning, so that they do not block this one.
  await context.stayAlive();
  const digest = forgottenDigest(await ledger.forgetKey(), key);
  await ledger.blockPeople(services.map((service) => ({ service, digest })));
  const instead = `forgotten-${randomBytes(8).toString('hex')}`;
  // Loaded when needed: it reads rosters.
  const { othersThan } = await import('../events/events-with-people.ts');
  const others = await othersThan(context, key);
  const erased = await ledger.erasePerson({ key, instead, others }).catch((error: unknown) => {
    if (!(error instanceof BusyError)) throw error;
    throw new BusyError(say('keptOutOnly', 1, { why: error.message }));
  });
  await ledger.noteDeed({ by, action: 'forget a person', origin });
  await context.backup({ onlyThis: true });
  const texts = [...new Set([key, email.trim()].flatMap(spellingsOf))];
  if (directory) await rewriteRejects(context, directory.rejects, { texts, runs: erased.runsWithRejects });
  const isEmbedded = config.databaseUrl === undefined;
  const mayDeliver = 'pacer' in context || context.adopted.size > 0;
  // To rewrite a table takes up to minutes, in which no call could begin or be recorded.
  const runs = isEmbedded && mayDeliver ? await ledger.unfinishedRuns() : [];
  const delivering = runs.find(({ status }) => status === 'delivering')?.id;
  if (delivering === undefined) await ledger.scrub(isEmbedded);
  const left = directory ? await context.filesHolding(directory.path, texts) : [];
  const isOfLedger = (file: string): boolean => delivering !== undefined && file.startsWith(`ledger${sep}`);
  return { erased, left: left.filter((file) => !isOfLedger(file)), ...defined({ delivering }) };
}

/** Files of rejects that hold the person, or held them when they were written, are rewritten, or removed. */
async function rewriteRejects(
  context: Context,
  folder: string,
  { texts, runs }: { texts: readonly string[]; runs: readonly string[] },
): Promise<void> {
  const holding = new Set(await context.filesHolding(folder, texts));
  for (const file of await readdir(folder)) {
    const runId = file.replace(/-rejects\..*$/, '');
    if (!holding.has(file) && !runs.includes(runId)) continue;
    await rm(join(folder, file), { force: true });
    const left = await context.ledger.listRejects(runId, { limit: 1 });
    if (left.length > 0) await writeRejectsFile(context, runId, join(folder, file));
  }
}

/**
 * Lets a person be sent again who was forgotten; what was erased stays erased.
 * @returns at how many services they were kept out
 * @throws InputError where they were not forgotten
 */
export async function allowAgain(
  { ledger }: WithLedger,
  email: string,
  { by, origin }: { by: string; origin: string },
): Promise<number> {
  const services = await ledger.unblockPeople([forgottenDigest(await ledger.forgetKey(), keyOfAddress(email))]);
  if (services === 0) throw refusal('notForgotten', {});
  await ledger.noteDeed({ by, action: 'allow a forgotten person again', origin });
  return services;
}
