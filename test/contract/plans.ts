import { randomUUID } from 'node:crypto';
import { readGiven, RowsToList } from '../../jobs/run/listed-rows.ts';
import { defined } from '../../src/core/defined.ts';
import type { Answer } from '../../src/core/call/answer.ts';
import { fingerprint, type Member, personKey } from '../../src/core/person/member.ts';
import type { RosterFacts, RunPlan, RunSettings, Trigger } from '../../src/core/run/run.ts';
import type { CallRecord } from '../../src/ledger/moves/record.ts';
import type { LeaverRow } from '../../src/ledger/planning/departed.ts';
import type { FedDelivery } from '../../src/ledger/moves/feed.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { PlanQuestion } from '../../src/ledger/planning/planning.ts';
import type { Reject, IdentityDecision } from '../../src/core/rows/row.ts';
import type { StagedRow } from '../../src/ledger/planning/staging.ts';
import type { Move } from '../../src/core/person/moves.ts';
import type { ResolvedMoves } from '../../src/ledger/planning/resolving.ts';
import type { Compared } from '../../src/ledger/planning/unchanged-people.ts';

/** A name that no other test uses: of a service, a source, a queue. */
export function unique(what: string): string {
  return `${what}-${randomUUID().slice(0, 8)}`;
}

/** A person of these groups. */
export function person(name: string, ...groups: string[]): Member {
  return { firstname: name, lastname: 'Test', email: `${name}@example.com`, groups };
}

/** The row on which a member stands. */
export function rowOf(member: Member, line: number, forceSync = false): StagedRow {
  return {
    key: personKey(member.email),
    file: 'people.csv',
    line,
    member,
    fingerprint: fingerprint(member, forceSync),
  };
}

export const settings: RunSettings = {
  forceSync: false,
  invite: true,
  attempts: 3,
  backoff: { first: 1000, max: 60_000 },
  deadlineMs: 3_600_000,
  rate: { limit: 100, perMs: 1000, and: [] },
};

/** What a corrected file of rejects is, and one that holds only changes. */
export const ofRejects = { partial: true, form: { header: ['email', '_line', '_reason', '_run'] } };
export const onlyChanges = { partial: true, form: { isPartial: true } };

const form: RosterFacts['form'] = {
  file: 'people.csv',
  format: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  header: ['firstname', 'lastname', 'email', 'groups'],
  newline: '\n',
  headerLine: 1,
  notes: [],
};

/** What is planned for a test. */
export interface PlanOptions {
  people: readonly Member[];
  service: string;
  source?: string;
  trigger?: Trigger;
  settings?: Partial<RunSettings>;
  /** Send the unchanged too. */
  all?: boolean;
  refreshMs?: number;
  /** Only some of the roster's people were asked for. */
  partial?: boolean;
  /** Some people whom an event named; then it is partial. */
  beside?: boolean;
  /** Who brought its roster. */
  begunBy?: string;
  /** The time the roster speaks of, ISO 8601. */
  time?: string;
  /** Of its bytes. */
  checksum?: string;
  /** Keys of the only people wanted. */
  only?: readonly string[];
  /** Rows that were rejected. */
  rejects?: readonly Reject[];
  /** Rows that say about somebody that they left. */
  leavers?: readonly LeaverRow[];
  /** The first day of people by their names. */
  starts?: Readonly<Record<string, number>>;
  /** The employee ids of people by their names. */
  ids?: Readonly<Record<string, string>>;
  postpone?: PlanQuestion['postpone'];
  hasLostRows?: true;
  /** What is different in the form of the roster. */
  form?: Partial<RosterFacts['form']>;
  departures?: PlanQuestion['departures'];
}

/** Lists those who are as they were given, as staging does, and returns the others. */
export async function listUnchanged(
  ledger: Ledger,
  { runId, ...compared }: Compared & { runId: string },
  rows: readonly StagedRow[],
): Promise<StagedRow[]> {
  const given = await readGiven(ledger, compared);
  const listed = new RowsToList();
  for (const row of rows) if (given.has(row)) listed.add(row.key, row);
  await ledger.listUnchanged(runId, listed.all());
  return rows.filter((row) => !given.has(row));
}

/** Plans a run of these people, and leaves it in `planning`. */
export async function planPeople(ledger: Ledger, options: PlanOptions): Promise<{ runId: string; plan: RunPlan }> {
  const { people, service, source = 'staff', trigger = 'import', all = false, beside = false } = options;
  const { partial = beside || options.only !== undefined, time = '2026-01-01T00:00:00.000Z', checksum = '' } = options;
  const runId = randomUUID();
  const ofRun = { ...settings, ...options.settings };
  const { begunBy } = options;
  await ledger.createRun({
    ...{ id: runId, source, service, trigger, settings: ofRun, worker: ledger.worker, beside },
    ...defined({ begunBy }),
  });
  const staged = people.map((member, at) => {
    const startsOn = options.starts?.[member.firstname];
    const employeeId = options.ids?.[member.firstname];
    return { ...rowOf(member, at + 2, ofRun.forceSync), ...defined({ startsOn, employeeId }) };
  });
  const isWhole = !all && !partial && !options.only;
  const others = isWhole ? await listUnchanged(ledger, { runId, service, source }, staged) : staged;
  await ledger.stageRows(runId, others);
  await ledger.addRejects(runId, options.rejects ?? []);
  await ledger.stageLeavers({ runId, service, source }, options.leavers ?? []);
  const again = await ledger.stageListed(runId, ofRun.forceSync);
  await ledger.stageRows(
    runId,
    staged.filter(({ line }) => again.some((place) => place.line === line)),
  );
  await ledger.stageOrphans(runId);
  if (options.only) await ledger.narrowTo(runId, options.only);
  const counts = { rows: people.length, members: people.length, merged: 0, filtered: 0, rejects: 0 };
  const { postpone, departures, hasLostRows } = options;
  const facts = { form: { ...form, ...options.form }, counts, checksum, time, partial, ...defined({ hasLostRows }) };
  await ledger.describeRoster(runId, facts);
  const { forceSync, invite } = ofRun;
  const plan = await ledger.planRun({
    ...{ runId, source, service, forceSync, invite, all },
    ...defined({ refreshMs: options.refreshMs, grace: departures?.policy?.after }),
    ...(postpone && { postpone }),
    ...(departures && { departures }),
  });
  await ledger.describePlan(runId, plan);
  return { runId, plan };
}

/** Plans a run of these people and releases it. */
export async function releasePeople(ledger: Ledger, options: PlanOptions): Promise<string> {
  const { runId } = await planPeople(ledger, options);
  await ledger.releaseRun(runId, options.all ?? false);
  return runId;
}

/** The answer of a service that put the member into every group. */
export function accepted(groups: readonly string[]): Answer {
  return {
    kind: 'accepted',
    response: { httpStatus: 200, headers: {}, body: '{}', bodyCut: false },
    results: groups.map((group) => ({ group, status: 'success', inserts: 1, warnings: 0 })),
    hash: '0'.repeat(32),
    responseTime: 0.1,
  };
}

/** What is to be recorded of a call that was accepted and ends its delivery. */
export function success(id: number, call: number, groups: readonly string[] = []): CallRecord {
  return { ...ending(id, call, 'succeeded'), answer: accepted(groups) };
}

/** What is to be recorded of a call that ended its delivery so. */
export function ending(id: number, call: number, outcome: 'succeeded' | 'partial' | 'failed' | 'unknown'): CallRecord {
  const response = { httpStatus: 400, headers: {}, body: '', bodyCut: false };
  return {
    id,
    call,
    answer: { kind: 'rejected', response, reason: 'HTTP 400' },
    end: { outcome },
    attempts: 0,
    repeated: false,
    reason: 'HTTP 400',
  };
}

/** Takes one delivery of a run through the queue's part into the hands of a ledger; undefined when it is not available. */
export async function takeAndClaim(ledger: Ledger, runId: string): Promise<Awaited<ReturnType<Ledger['claim']>>> {
  const [fed] = await ledger.findDue(runId, { limit: 1 });
  return fed && ledger.claim(fed);
}

/** Claims a fed delivery and begins its call. @throws when it is not available */
export async function claimAndBegin(
  ledger: Ledger,
  fed: FedDelivery | undefined,
): Promise<{ id: number; call: number }> {
  const claimed = fed && (await ledger.claim(fed));
  const call = claimed && (await ledger.begin(claimed.id));
  if (claimed === undefined || call === undefined) throw new Error('the delivery was not to be had');
  return { id: claimed.id, call };
}

/** Delivers everything of a run that is due, with this ending for each; then the run is finished. */
export async function deliverAll(
  ledger: Ledger,
  runId: string,
  end: (id: number, call: number) => CallRecord = success,
): Promise<void> {
  for (const fed of await ledger.findDue(runId, { limit: 1000 })) {
    const { id, call } = await claimAndBegin(ledger, fed);
    await ledger.record(end(id, call));
  }
  await ledger.closeRun(runId);
}

/** Carries out a decision about one move as it is: by the hash of what would become of it. */
export async function decideMove(
  ledger: Ledger,
  { service, decision, oldKey, newKey }: Move & { service: string; decision: IdentityDecision },
): Promise<ResolvedMoves> {
  const question = { service, decision, moves: [{ oldKey, newKey }] };
  return ledger.resolveMoves({ ...question, hash: (await ledger.resolveMoves(question)).hash });
}
