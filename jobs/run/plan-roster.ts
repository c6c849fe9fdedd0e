// Plans a run: read, map, stage, merge, compare, describe, judge. Sends nothing.
import { defined } from '../../src/core/defined.ts';
import { sayLeftOut } from '../../src/core/inspect/presence/left-out-taker.ts';
import { presenceOf } from '../../src/core/inspect/presence/presence-taker.ts';
import type { PlanningContext, WithLedger } from '../../src/wiring/context.ts';
import { InputError, LostConnectionError, refusal } from '../../src/core/errors.ts';
import { describeMapping, type Mapping } from '../../src/core/mapping/mapping.ts';
import { personOfRow } from '../../src/core/mapping/map-row.ts';
import type { MappingOptions } from '../../src/core/mapping/mapping-options.ts';
import { personKey } from '../../src/core/person/member.ts';
import { judgeOlderFiles, judgeRosterTime } from '../../src/core/guards/roster-time.ts';
import { bundleOf } from '../../src/core/rows/row.ts';
import type { RosterFacts } from '../../src/core/run/run.ts';
import { usualOf } from '../../src/core/guards/usual.ts';
import { alikeRemark } from '../../src/core/inspect/like-groups.ts';
import type { Compared } from '../../src/ledger/planning/unchanged-people.ts';
import { configured, timezoneOf } from '../../src/roster/configured-source.ts';
import { describePlan, questionOf } from './describe-plan.ts';
import { holdWhole, judgeRun } from './judge-run.ts';
import { leavingKinds } from './release-plan.ts';
import { holdHalfRead, holdMoves, mergePeople, rejectTwoAddresses } from './merge-people.ts';
import { nobodyUsable, settleColumns } from './settle-columns.ts';
import { isPartial, type OpenedRoster, type PlannedRun, type PlanningRun, type PlanRequest } from './planning-run.ts';
import { goneTitles, partsBefore, sayGoneTitle, unseenTitle } from './roster-parts.ts';
import { timesOf } from './roster-times.ts';
import { completeRejects, stageRoster } from './stage-roster.ts';
import { readGiven } from './listed-rows.ts';
import { listed, quote } from '../../src/core/text/format.ts';
import { say } from '../../src/core/words/say.ts';
import { redactError } from '../../src/core/secrets/secret.ts';

/** The number of members shown with a plan. */
const samples = 3;

/** The number of times planning starts again after it lost the connection to the ledger. */
const mostBeginnings = 3;

/**
 * Begins a run, reads its roster into the ledger and plans what to send: read → map → stage → merge → plan. Sends nothing.
 * The run stays in `planning` until it is released or discarded. A database that restarts meanwhile only costs time.
 * @throws BusyError while another run of its source plans or delivers; InputError for a roster that cannot be read, NoUsableRowsError
 * for one without people to send: the run is then discarded; and what `open` throws, with the run's row left as it is
 */
export async function planRoster(
  context: PlanningContext,
  { run, open, ...request }: PlanRequest,
): Promise<PlannedRun> {
  const { id: runId, ...row } = run;
  let opened: OpenedRoster | undefined;
  for (let beginning = 1; ; beginning += 1) {
    try {
      await context.stayAlive();
      // It is there already where a time that is due has begun it.
      await context.ledger.createRun(run);
      opened ??= await open();
      return { ...(await planOnce(context, { ...request, ...row, ...opened, runId })), opened };
    } catch (error) {
      if (opened) await context.ledger.discardRun(runId);
      // What a roster says about itself may be what its server echoed.
      if (!(error instanceof LostConnectionError) || beginning === mostBeginnings)
        throw redactError(error, context.redact);
      context.log.warn({ run: runId }, 'the connection to the ledger was lost while planning; planning starts again');
    }
  }
}

async function planOnce(context: PlanningContext, request: PlanningRun): Promise<Omit<PlannedRun, 'opened'>> {
  const { ledger } = context;
  const { runId, source, service, trigger, settings, beside, roster, all } = request;
  const { file } = roster.form;
  const ofSource = configured(context.config, source);
  const compared = comparedOf(request, ofSource?.refresh);
  // Both read all people: PostgreSQL does that at the same time.
  const given = compared && readGiven(ledger, compared);
  // Its failure is seen when it is awaited.
  given?.catch(() => {});
  const knownGroups = await ledger.groupsGiven(service);
  const timezone = timezoneOf(ofSource);
  const options: MappingOptions = { ...request.columns, knownGroups, file, timezone };
  const mapping = await settleColumns(roster, options, context.config);
  await settleOptOuts(context, request, mapping);
  const isSettled = request.isPresenceSettled === true || ofSource?.everybody === true;
  const presence = isSettled ? undefined : presenceOf(roster.form.header, mapping);
  const wantsLineEnd = roster.form.isUnended === true && (await hadLineEnds(ledger, { service, source }));
  const staged = await stageRoster(context, request, mapping, { wantsLineEnd, ...defined({ presence, given }) });
  const { rows, filtered: byRules, erased, taker, remarks } = staged;
  const wrongDays = beside ? undefined : mapping.days.problem();
  if (wrongDays !== undefined) throw new InputError(`${file}: ${wrongDays}`, { withoutWords: wrongDays });
  await ledger.keepCorrections(
    runId,
    (roster.corrections?.() ?? []).map(({ row, ...made }) => {
      return { ...made, ...(row && made.line !== undefined && defined({ person: personOfRow(row, mapping).key })) };
    }),
  );
  const parts = await partsBefore(ledger, request);
  const hidesOthers = staged.hidesOthers || parts.lacking > 0;
  context.log.debug({ run: runId, rows, filtered: byRules }, 'the roster is read');
  const { mergedLines, waiting } = await mergePeople(context, request, mapping, taker);
  await rejectTwoAddresses(context, request, mapping, staged.idsOfSeveral);
  const moved = await holdMoves(context, request, mapping);
  await holdHalfRead(context, request, mapping);
  await completeRejects(ledger, runId, roster);
  const before = await ledger.countStaged(runId);
  // An event about one person may mean that there is nothing to do.
  if (before.members === 0 && !beside) throw await nobodyUsable(context, request, { rows, filtered: byRules });
  const filtered = byRules + (await narrow(context, request, { used: before.used, optedOut: mapping.optedOut }));
  const { members, used, rejects } = await ledger.countStaged(runId);
  const { released, ...times } = await timesOf(ledger, request);
  const facts: RosterFacts = {
    form: roster.form,
    counts: { rows, members, merged: used - members, filtered, rejects, ...(erased > 0 && { erased }) },
    ...times,
    partial: isPartial(request),
    ...(hidesOthers && { hasLostRows: true }),
    ...defined({ mapping: request.ownMapping }),
  };
  // Words of the roster must not be stored with the run.
  const { readAs: _, lacking: __, olderFiles, ...form } = facts.form;
  await ledger.describeRoster(runId, { ...facts, form: { ...form, ...defined({ joined: parts.joined }) } });
  const { forceSync, invite } = settings;
  const partial = facts.partial || hidesOthers;
  const leaving = beside ? undefined : await leavingKinds(context, { source, roster: facts });
  const { names, rows: anybodys, line } = staged.unowned;
  const unowned = { names, isAnybodys: anybodys > 0 };
  const asked = { ...questionOf(request, ofSource, mapping, partial), leaving, unowned };
  const counts = await ledger.planRun({ runId, source, service, forceSync, invite, all, ...asked });
  context.log.debug({ run: runId, members, rejects, calls: counts.calls }, 'the run is planned');
  const plan = await describePlan(context, request, counts);
  await ledger.describePlan(runId, plan);
  const told = olderFiles && !request.asOf ? await ledger.keysToldSince(request, olderFiles) : [];
  const late = judgeRosterTime(facts, released) ?? judgeOlderFiles(told, olderFiles);
  const titles = presence ? goneTitles(roster.form) : [];
  const isJudged = ofSource?.guards?.wrongFile !== 'off' && !(request.isWatched ?? trigger === 'import');
  const unseen = isJudged && released.newest ? unseenTitle(titles, released.newest.form) : [];
  // Of a bundle, a file that is lacking may say who is to be left out.
  const judges = ofSource?.snapshot === true || forceSync || roster.form.joined?.of === bundleOf;
  const unlike = judges && ofSource?.guards?.shrink !== 'off' ? parts.trip : undefined;
  const left = leaving ? await ledger.countLeaving(runId, leaving) : 0;
  const said = presence?.signs() ?? [];
  const signs = plan.calls > 0 ? said : [];
  const judging = [...mapping.only, ...mapping.except, ...mapping.leavers].map(({ column }) => column?.name ?? '');
  const tells = [...said.map(({ column }) => column), ...judging].filter((name) => name !== '');
  const { leftOut, leftOutValues } = staged;
  const found = { facts, plan, counted: taker.counted(), knownGroups, signs, tells, leftOut, leftOutValues };
  const trips = await judgeRun(context, request, found);
  return {
    runId,
    facts,
    plan,
    columns: describeMapping(mapping),
    samples: await ledger.sampleMembers(runId, all, samples),
    mergedLines,
    waiting: waiting + moved,
    remarks: [
      ...remarks,
      ...leftOut.map((each) => sayLeftOut('leftOutStatus', each)),
      ...alikeRemark(taker.counted().groups, knownGroups, mapping.noValues.wording),
      ...(staged.hidesOthers && judges ? [nobodyMissing] : []),
      ...(forceSync && anybodys > 0 ? [say('unownedRows', anybodys, { line })] : []),
      ...(parts.remark !== undefined && !unlike ? [parts.remark] : []),
      ...(left > 0 ? [say('leavingSince', left)] : []),
      ...(partial ? [] : unfoundRemark(mapping.optedOut.unfound())),
      ...(beside ? [] : await goneRemarks(context, request)),
      ...(trigger === 'import' && !partial ? await missingRemark(context, request) : []),
      ...titles.slice(0, 1).map(sayGoneTitle),
      ...(presence?.remarks() ?? request.columns.presence?.doubts ?? []),
    ],
    trips: [
      ...(await holdWhole(context, request, staged, plan)),
      ...unseen,
      ...(isJudged && parts.copied ? [parts.copied] : []),
      ...(late ? [late] : []),
      ...(unlike ? [unlike] : []),
      ...trips,
    ],
    changed: plan.counts.changed === 0 ? [] : await ledger.changedSamples(request, samples),
    signs,
  };
}

/** Throws an `InputError` where an id opted out of which neither the roster nor the ledger can know whose it is. */
async function settleOptOuts(
  { ledger }: PlanningContext,
  { service, source, beside, roster }: PlanningRun,
  { optedOut, fields }: Mapping,
): Promise<void> {
  const ids = [...optedOut.entries];
  if (ids.length === 0) return;
  for (const { key, id } of await ledger.keysOfIds({ service, source, ids })) optedOut.know(key, id);
  const [id] = optedOut.unfound();
  if (id === undefined || beside || fields.employeeId) return;
  throw refusal('optOutById', { file: roster.form.file, id: quote(id) });
}

const unfoundRemark = (ids: readonly string[]): string[] =>
  ids.length === 0 ? [] : [say('unfoundOptOuts', ids.length, { ids: listed(ids.map(quote)) })];

/** Whether the last rosters of a source ended with a line end. */
async function hadLineEnds(ledger: WithLedger['ledger'], of: { service: string; source: string }): Promise<boolean> {
  return usualOf((await ledger.historyOf(of)).censuses)?.isUnended === false;
}

const nobodyMissing =
  'Rows of people may be lost, or were not read: nobody counts as missing from this roster, nor from a group.';

/** Of an import that has most of the people of former ones: how many it lacks. */
async function missingRemark({ ledger }: WithLedger, request: PlanningRun): Promise<string[]> {
  const { known, missing } = await ledger.countMissing(request);
  if (missing === 0 || missing * 2 > known) return [];
  return [say('missing', missing)];
}

/** People of sources that are no longer in the settings, looked at at a time. */
const goneAtOnce = 5000;

/** Of sources that are no longer in the settings, and give people groups all the same: `forceSync` takes none of them away. */
async function goneRemarks({ ledger, config }: PlanningContext, { service, source }: PlanningRun): Promise<string[]> {
  const remarks: string[] = [];
  for (const gone of await ledger.goneSources({ service, sources: Object.keys(config.sources) })) {
    if (gone === source) continue;
    let people = 0;
    // Page by page, so that others have their turn with a ledger of many people.
    let page: Awaited<ReturnType<typeof ledger.listLeftBehind>> | undefined;
    do {
      page = await ledger.listLeftBehind({ service, source: gone, isGone: true }, page?.next, goneAtOnce);
      people += new Set(page.rows.map(({ email }) => email)).size;
    } while (page.next);
    if (people > 0) remarks.push(say('goneSource', people, { source: gone }));
  }
  return remarks;
}

/** What a complete roster is compared with, so that only people with something to send are staged; else undefined. */
function comparedOf(request: PlanningRun, refreshMs = Infinity): Compared | undefined {
  const { service, source, all } = request;
  if (all || request.stagesUnchanged || isPartial(request)) return undefined;
  return { service, source, ...(Number.isFinite(refreshMs) && { refreshMs }) };
}

/** Who opted out on another row counts as filtered, and with `--only` all others. Returns how many rows that were. */
async function narrow(
  { ledger }: WithLedger,
  { runId, only, roster }: PlanningRun,
  { used, optedOut }: { used: number } & Pick<Mapping, 'optedOut'>,
): Promise<number> {
  const left = optedOut.known.size === 0 ? 0 : await ledger.dropWithoutId(runId, [...optedOut.known]);
  if (only.length === 0) return left;
  const keys = only.map(personKey);
  const missing = await ledger.keysMissing(runId, keys);
  if (missing.length > 0) {
    throw new InputError(`${roster.form.file} has no usable row for ${missing.join(', ')}. Nothing was sent.`, {
      next: [{ setting: 'only' }],
    });
  }
  await ledger.narrowTo(runId, keys);
  return used - (await ledger.countStaged(runId)).used;
}
