import { InputError, LostConnectionError } from '../src/core/errors.ts';
import {
  describeMapping,
  effectiveRules,
  type MappedRow,
  type Mapping,
  type MappingOptions,
  mapRow,
  personOfRow,
  resolveColumns,
  tooManyGroups,
} from '../src/core/mapping.ts';
import { forgottenReject, forgottenTest } from '../src/core/forgotten.ts';
import { fingerprint, type Member, personKey } from '../src/core/member.ts';
import { type IdentityChange, sayIdentityChange } from '../src/core/identity-change.ts';
import type { ChangedMember } from '../src/core/changed.ts';
import { judgeRosterTime } from '../src/core/roster-time.ts';
import { mergeRows } from '../src/core/merge.ts';
import type { Reject, Row } from '../src/core/row.ts';
import { isRejectColumn } from '../src/core/row.ts';
import { loadTools } from '../src/core/tools.ts';
import type { RosterFacts, RunPlan, RunSettings, Trigger } from '../src/core/run.ts';
import { CensusTaker } from '../src/core/roster-census.ts';
import type { Trip } from '../src/core/trip.ts';
import type { Context } from '../src/context.ts';
import type { LeaverRow } from '../src/ledger/departed.ts';
import type { HalfRead, StagedRow } from '../src/ledger/staging.ts';
import { describePlan } from './describe-plan.ts';
import { judgeRun, type RunToJudge } from './judge-run.ts';
import { pausedTrips } from './paused-trip.ts';
import { questionOf, timezoneOf } from './plan-question.ts';

/** What is to be planned. */
export interface PlanRequest {
  runId: string;
  source: string;
  /** The service's normalised address. */
  service: string;
  trigger: Trigger;
  settings: RunSettings;
  /** The roster, already opened. */
  roster: Awaited<ReturnType<Context['openRoster']>>;
  columns: MappingOptions;
  /** Addresses of the only people wanted; empty for everybody. */
  only: readonly string[];
  /** Send the unchanged too. */
  all: boolean;
  /** The time the roster speaks of, where somebody says so. */
  asOf?: Date;
  /** Somebody sees the plan before it is sent; unless said, of an `import` only. */
  isWatched?: boolean;
  /** A person asked for `forceSync` for this very run. */
  isForceSyncAskedFor?: boolean;
  /** Hears how many rows were read so far. */
  onRows(rows: number): void;
}

/** A run that is planned and waits to be released or discarded. */
export interface PlannedRun {
  runId: string;
  facts: RosterFacts;
  plan: RunPlan;
  /** Which column became which field, in the header's order. */
  columns: { column: string; field: string }[];
  samples: Member[];
  /** The lines of the first few people who stand on several rows. */
  mergedLines: number[][];
  /** People who wait for `resolve`. */
  waiting: number;
  /** What was noticed while rows became members, a sentence each. */
  remarks: string[];
  /** Guards that stop the plan, or a part of it. */
  trips: Trip[];
  /** The first few of those who changed. */
  changed: ChangedMember[];
}

/** Conflicting people are looked at so many at a time. */
const page = 200;
const samples = 3;

/** The room on the disk is looked at once for so many rows: they take some megabytes. */
const rowsUnchecked = 5000;

/** So often planning begins anew after the connection to the ledger was lost in the middle of it. */
const mostBeginnings = 3;

/**
 * Reads a roster into the ledger and plans what to send: read → map → stage → merge → plan. Sends nothing. The
 * run stays in `planning` until it is released or discarded. A database that restarts meanwhile only costs time.
 * @throws InputError for a roster that cannot be read or in which nobody is usable; the run is then discarded
 */
export async function planRoster(context: Context, request: PlanRequest): Promise<PlannedRun> {
  for (let beginning = 1; ; beginning += 1) {
    try {
      return await planOnce(context, request);
    } catch (error) {
      if (!(error instanceof LostConnectionError) || beginning === mostBeginnings) throw error;
      context.log.warn('the connection to the ledger was lost while planning; planning begins again');
    }
  }
}

async function planOnce(context: Context, request: PlanRequest): Promise<PlannedRun> {
  const { ledger } = context;
  const { runId, source, service, trigger, settings, roster, all } = request;
  const { header, file } = roster.form;
  const tools = await loadTools(effectiveRules(request.columns));
  const knownGroups = await ledger.groupsGiven(service);
  const { sources } = context.config;
  const ofSource = Object.hasOwn(sources, source) ? sources[source] : undefined;
  const timezone = timezoneOf(ofSource);
  const mapping = resolveColumns(header, { ...request.columns, tools, knownGroups, file, timezone });
  await context.stayAlive();
  // Some people whom an event named.
  const beside = trigger === 'event' && roster.form.isPartial === true;
  await ledger.createRun({ id: runId, source, service, trigger, settings, worker: ledger.worker, beside });
  try {
    const { rows, filtered: byRules, counted } = await stage(context, request, mapping);
    const { mergedLines, waiting } = await mergePeople(context, request, mapping);
    const moved = await holdMoves(context, request, mapping);
    await holdHalfRead(context, request, mapping);
    await completeRejects(ledger, runId, roster);
    const before = await ledger.countStaged(runId);
    // What an event told of one person may be that nothing is to be done.
    if (before.members === 0 && !beside)
      throw nobodyUsable(file, { rows, filtered: byRules }, (await ledger.listRejects(runId, { limit: 1 }))[0]);
    const filtered = byRules + (await narrow(context, request, before.used));
    const { members, used, rejects } = await ledger.countStaged(runId);
    const facts: RosterFacts = {
      form: roster.form,
      counts: { rows, members, merged: used - members, filtered, rejects },
      checksum: roster.checksum(),
      time: timeOf(request).toISOString(),
      partial: request.only.length > 0 || roster.form.isPartial === true || header.some(isRejectColumn),
    };
    await ledger.describeRoster(runId, facts);
    const { forceSync, invite } = settings;
    const asked = questionOf(ofSource, mapping, { trigger, invite, partial: facts.partial, now: new Date() });
    const counts = await ledger.planRun({ runId, source, service, forceSync, invite, all, ...asked });
    const plan = await describePlan(context, request, counts);
    await ledger.describePlan(runId, plan);
    const late = await judgeTime(context, request, facts);
    const judged = await judgeRun(context, { ...request, facts, plan, counted, knownGroups });
    const trips = [...judged, ...(await pausedTrips(context, request))];
    return {
      runId,
      facts,
      plan,
      columns: describeMapping(mapping),
      samples: await ledger.sampleMembers(runId, all, samples),
      mergedLines,
      waiting: waiting + moved,
      remarks: mapping.remarks.list(),
      trips: late ? [late, ...trips] : trips,
      changed: plan.counts.changed === 0 ? [] : await ledger.changedSamples(request, samples),
    };
  } catch (error) {
    await ledger.discardRun(runId);
    throw error;
  }
}

/** The time a roster speaks of. A file from the future would make every later roster look old. */
function timeOf({ asOf, roster }: PlanRequest): Date {
  return asOf ?? new Date(Math.min(roster.modifiedAt.getTime(), Date.now()));
}

/** Whether time would run backwards (R13); what an event tells of some people is of the time at which it came. */
async function judgeTime(
  { ledger }: Context,
  { service, source, trigger }: PlanRequest,
  { time, checksum, partial }: RosterFacts,
): Promise<Trip | undefined> {
  if (trigger === 'event' && partial) return undefined;
  return judgeRosterTime({ time, checksum }, await ledger.releasedRosters({ service, source, checksum }));
}

async function stage(
  { ledger, checkStorage }: Context,
  request: PlanRequest,
  mapping: Mapping,
): Promise<{ rows: number; filtered: number; counted: RunToJudge['counted'] }> {
  const { runId, service, source, roster, settings, onRows } = request;
  const taker = new CensusTaker(mapping);
  let rows = 0;
  let filtered = 0;
  // While the ledger takes a batch the next one is read; no more than that, so that memory stays as it is.
  let staging = Promise.resolve();
  const forgotten = await ledger.forgottenAt(service);
  const isForgotten = forgottenTest(await ledger.forgetKey(), forgotten);
  const wasForgotten = ({ cells }: Row): boolean =>
    forgotten.length > 0 && isForgotten(personKey(mapping.fields.email?.read(cells) ?? ''));
  for await (const batch of roster.batches()) {
    const rejects: Reject[] = [];
    const staged: StagedRow[] = [];
    const leavers: LeaverRow[] = [];
    for (const row of batch) {
      taker.row(row.cells);
      const mapped = 'reason' in row ? row : mapRow(row, mapping);
      if ('filtered' in mapped) {
        filtered += 1;
        if (mapped.leaver) leavers.push(mapped.leaver);
      } else if (wasForgotten(row)) rejects.push(forgottenReject(row, mapping.emailColumn));
      else if ('reason' in mapped) rejects.push(withPerson(mapped, mapping));
      else {
        taker.member(mapped);
        staged.push(stagedRow(mapped, settings.forceSync));
      }
    }
    await staging;
    if (leavers.length > 0) await ledger.stageLeavers({ runId, service, source }, leavers);
    staging = keep(ledger, runId, { rejects, staged });
    // Heard of when it is waited for.
    staging.catch(() => {});
    if (rows % rowsUnchecked < batch.length) await checkStorage();
    rows += batch.length;
    onRows(rows);
  }
  await staging;
  return { rows, filtered, counted: taker.counted() };
}

async function keep(
  ledger: Context['ledger'],
  runId: string,
  { rejects, staged }: { rejects: Reject[]; staged: StagedRow[] },
): Promise<void> {
  await ledger.addRejects(runId, rejects);
  await ledger.stageRows(runId, staged);
}

/** A reject that says whose row it is, where that can be read. */
function withPerson(reject: Reject, mapping: Mapping): Reject {
  const person = personOfRow(reject, mapping);
  return person === undefined ? reject : { ...reject, person };
}

function stagedRow({ row: { file, line }, member, employeeId, startsOn }: MappedRow, forceSync: boolean): StagedRow {
  const key = personKey(member.email);
  return {
    key,
    file,
    line,
    member,
    ...(employeeId === undefined ? {} : { employeeId }),
    fingerprint: fingerprint(member, forceSync),
    ...(startsOn === undefined ? {} : { startsOn }),
  };
}

/**
 * Several rows of one person become one member; those of different people on one address, or of somebody whose
 * identity changed, become rejects.
 */
async function mergePeople(
  { ledger }: Context,
  { runId, source, service, settings }: PlanRequest,
  { emailColumn, names }: Mapping,
): Promise<{ mergedLines: number[][]; waiting: number }> {
  const mergedLines: number[][] = [];
  let waiting = 0;
  for (;;) {
    const people = await ledger.peopleWithSeveralRows(runId, page);
    if (people.length === 0) return { mergedLines, waiting };
    const keys = people.map(({ key }) => key);
    const changes = await ledger.identityChanges({ runId, source, service, keys, limit: page });
    for (const { key, rows } of people) {
      const merged = mergeRows(rows, emailColumn);
      const change = changes.find((change) => change.key === key);
      if (Array.isArray(merged)) await ledger.rejectPerson(runId, key, merged);
      else if (change) {
        waiting += 1;
        await ledger.rejectPerson(runId, key, heldRows(rows, change, emailColumn));
      } else if (merged.member.groups.length > names.perPerson) {
        await ledger.rejectPerson(runId, key, overfull(rows, merged.member, names.perPerson));
      } else {
        const { member, lines } = merged;
        if (mergedLines.length < samples) mergedLines.push(lines);
        await ledger.mergePerson(runId, { key, member, lines, fingerprint: fingerprint(member, settings.forceSync) });
      }
    }
  }
}

/** The rows of a person whom all of them together put into too many groups. */
function overfull(rows: readonly StagedRow[], { email }: Member, perPerson: number): Reject[] {
  const reason = tooManyGroups(perPerson);
  return rows.map(({ file, line }) => ({ file, line, cells: [], column: '', value: email, reason }));
}

/** Members are staged without the cells they came from; for the few that became rejects the roster is read again. */
async function completeRejects(ledger: Context['ledger'], runId: string, roster: PlanRequest['roster']): Promise<void> {
  const wanted = await ledger.rejectsWithoutCells(runId);
  if (wanted.length === 0) return;
  const places = new Set(wanted.map(({ file, line }) => `${line} ${file}`));
  for await (const batch of roster.batches()) {
    const found = batch.filter(({ file, line }) => places.has(`${line} ${file}`));
    if (found.length > 0) {
      await ledger.completeRejects(
        runId,
        found.map(({ file, line, cells }) => ({ file, line, cells })),
      );
    }
  }
}

/**
 * People on one row whose address is new, or is somebody else's now, wait for a person's decision (`resolve`). Returns
 * how many.
 */
async function holdMoves(
  { ledger }: Context,
  { runId, source, service }: PlanRequest,
  { emailColumn }: Mapping,
): Promise<number> {
  let held = 0;
  for (;;) {
    const changes = await ledger.identityChanges({ runId, source, service, limit: page });
    if (changes.length === 0) return held;
    held += changes.length;
    for (const change of changes) {
      await ledger.rejectPerson(runId, change.key, heldRows([change], change, emailColumn));
    }
  }
}

/**
 * With `forceSync` a call may take a person out of every group that it does not name. Of whom one row was rejected, that
 * row's groups are not known: the others wait with it.
 */
async function holdHalfRead(
  { ledger }: Context,
  { runId, settings }: PlanRequest,
  { emailColumn }: Mapping,
): Promise<void> {
  if (!settings.forceSync) return;
  for (;;) {
    const people = await ledger.peopleHalfRead(runId, page);
    if (people.length === 0) return;
    for (const person of people) await ledger.rejectPerson(runId, person.key, halfReadRows(person, emailColumn));
  }
}

function halfReadRows({ file, lines, email, spoilt }: HalfRead, column: string): Reject[] {
  const place = `line ${spoilt.line}${spoilt.file === file ? '' : ` of ${spoilt.file}`}`;
  const reason =
    `another row of this person, ${place}, cannot be used (${spoilt.reason}): with forceSync a call without its groups ` +
    'may take the person out of them';
  return lines.map((line) => ({ file, line, cells: [], column, value: email, reason }));
}

function heldRows(rows: readonly { file: string; line: number }[], change: IdentityChange, column: string): Reject[] {
  const reason = sayIdentityChange(change);
  return rows.map(({ file, line }) => ({ file, line, cells: [], column, value: change.email, reason }));
}

/** `--only`: the others count as filtered. Returns how many rows that were. */
async function narrow({ ledger }: Context, { runId, only, roster }: PlanRequest, used: number): Promise<number> {
  if (only.length === 0) return 0;
  const keys = only.map(personKey);
  const missing = await ledger.keysMissing(runId, keys);
  if (missing.length > 0) {
    throw new InputError(
      `${roster.form.file} has no usable row for ${missing.join(', ')}, which --only asks for. Nothing was sent.`,
    );
  }
  await ledger.narrowTo(runId, keys);
  return used - (await ledger.countStaged(runId)).used;
}

function nobodyUsable(
  file: string,
  { rows, filtered }: { rows: number; filtered: number },
  first: Reject | undefined,
): InputError {
  const left = filtered > 0 ? ` ${filtered} are left out by the settings of the source.` : '';
  const example = first ? ` The first reject: line ${first.line}, ${first.column || 'the row'}: ${first.reason}.` : '';
  return new InputError(`None of the ${rows} rows of ${file} is usable.${left}${example} Nothing was sent.`);
}
