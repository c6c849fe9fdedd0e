// Reads a roster, maps each row, and stages members and rejects in the ledger.
import type { RosterFile } from '../../src/roster/roster-file.ts';
import type { PlanningContext, WithLedger } from '../../src/wiring/context.ts';
import { defined } from '../../src/core/defined.ts';
import { forgottenReason, forgottenReject, forgottenTest } from '../../src/core/person/forgotten.ts';
import { type MappedRow, mapRow, personOfRow } from '../../src/core/mapping/map-row.ts';
import type { Mapping } from '../../src/core/mapping/mapping.ts';
import { EndedContracts } from '../../src/core/mapping/ended-contracts.ts';
import { UnownedRows } from '../../src/core/mapping/unowned-rows.ts';
import { type GivenPeople, TextSet } from '../../src/core/hashing/text-set.ts';
import { fingerprint, personKey } from '../../src/core/person/member.ts';
import { CensusTaker } from '../../src/core/guards/usual.ts';
import { LeftOutTaker } from '../../src/core/inspect/presence/left-out-taker.ts';
import type { PresenceTaker } from '../../src/core/inspect/presence/presence-taker.ts';
import { cleanCell } from '../../src/core/cells/read-cell.ts';
import { NamesAndAddresses } from '../../src/core/inspect/names-and-addresses.ts';
import { cutOff, type Reject, type Row } from '../../src/core/rows/row.ts';
import { quote } from '../../src/core/text/format.ts';
import { createTurns } from '../../src/roster/turns.ts';
import { say } from '../../src/core/words/say.ts';
import type { LeaverRow } from '../../src/ledger/planning/departed.ts';
import type { StagedRow } from '../../src/ledger/planning/staging.ts';
import type { RowPlace } from '../../src/ledger/planning/unchanged-people.ts';
import { RowsToList } from './listed-rows.ts';
import type { PlanningRun } from './planning-run.ts';

/** The number of rows that go into the ledger at a time: fewer wait for the disk more often, more keep others from the one session. */
const rowsAtOnce = 1000;
/** The same for people who are only listed, of whom little is kept: 2000 of them are read in less time than the disk takes. */
const listedAtOnce = 5000;
/** Of more employee ids of several addresses than this, names do not tell whose they are. */
const mostOfSeveral = 10_000;
/** The number of rows after which the room on the disk is checked: they take some megabytes. */
const rowsUnchecked = 5000;

/**
 * Reads a roster into the ledger: each row becomes a member or a reject, is left out by the rules, or is a leaver's; with
 * `given`, people to whom nothing is to be given are listed instead of becoming members. Returns the numbers of rows, of those
 * left out and of erased people; whether more rows may be lost (`hidesOthers`); what guards compare with other rosters of the
 * source; by which words rows were left out that no rule names; and what was noticed, of that the columns in which groups may
 * go on in empty cells (`blocks`), and why addresses look like those of other people (`shifted`).
 * @throws InputError for a roster that cannot be read to its end
 */
export async function stageRoster(
  context: PlanningContext,
  request: PlanningRun,
  mapping: Mapping,
  {
    presence,
    wantsLineEnd,
    given: whenGiven,
  }: {
    /** Sees the rows of those who would be sent. */
    presence?: PresenceTaker;
    /** Former rosters of the source ended with a line end. */
    wantsLineEnd: boolean;
    given?: Promise<GivenPeople>;
  },
) {
  const { ledger, checkStorage } = context;
  const { roster, settings, service, onRows } = request;
  const taker = new CensusTaker(mapping);
  const leftOut = new LeftOutTaker(mapping);
  const compared = new NamesAndAddresses(mapping.fields.employeeId ? undefined : mapping.offeredId);
  const unowned = new UnownedRows(mapping);
  const known = new TextSet();
  const ids = new TextSet();
  const ofSeveral = new Set<string>();
  let rows = 0;
  let filtered = 0;
  let erased = 0;
  let hidesOthers = false;
  // While the ledger stores a batch the next one is read, and no more, so that memory does not grow.
  let staging = Promise.resolve();
  const forgotten = await ledger.forgottenAt(service);
  const isForgotten = forgottenTest(await ledger.forgetKey(), forgotten);
  // A file of rejects has such a row without its address.
  const reasonAt = roster.form.header.findIndex((name) => name.trim() === '_reason');
  const wasForgotten = ({ cells }: Row): boolean => {
    if (forgotten.length === 0) return false;
    const key = personKey(mapping.fields.email?.read(cells) ?? '');
    return key === '' ? cells[reasonAt]?.startsWith(forgottenReason) === true : isForgotten(key);
  };
  const given = await whenGiven;
  let kept = emptyBatch();
  const ended = new EndedContracts(mapping);
  const take = (mapped: ReturnType<typeof mapRow>, row: Row): void => {
    if ('filtered' in mapped) {
      filtered += 1;
      if (mapped.leaver) kept.leavers.push(mapped.leaver);
      else leftOut.row(row);
    } else if (wasForgotten(row)) {
      erased += 1;
      kept.rejects.push(forgottenReject(row, mapping.emailColumn));
    } else if ('reason' in mapped) {
      const reject = withPerson(mapped, mapping);
      kept.rejects.push(reject);
      if (reject.person === undefined) unowned.add(reject, 'reason' in row);
    } else {
      taker.member(mapped);
      compared.add(mapped);
      presence?.row(row.cells);
      const member = stagedRow(mapped, settings.forceSync);
      const { key, employeeId } = member;
      const isFirst = known.add(key);
      if (isFirst && employeeId !== undefined && !ids.add(employeeId) && ofSeveral.size < mostOfSeveral)
        ofSeveral.add(Buffer.from(employeeId).toString());
      if (!isFirst) kept.later.push(member);
      else if (given?.has(member)) kept.listed.add(member.key, row);
      else kept.staged.push(member);
    }
  };
  const keepFull = async (): Promise<void> => {
    const { rejects, listed, staged, later, leavers } = kept;
    listed.pack();
    const others = rejects.length + staged.length + later.length + leavers.length;
    if (others < rowsAtOnce && listed.size < listedAtOnce) return;
    await staging;
    staging = keep(ledger, request, kept);
    // Its failure is seen when it is awaited.
    staging.catch(() => {});
    kept = emptyBatch();
  };
  const turns = createTurns();
  for await (const batch of roster.batches()) {
    for (const row of batch) {
      if (turns.isOver()) await turns.next();
      taker.row(row.cells);
      const found = 'reason' in row ? row : mapRow(row, mapping);
      const cut = row.isUnended && whereCut(found, wantsLineEnd, [...taker.groups(), ...mapping.names.known]);
      const mapped = cut ? cutOff(row, cut) : found;
      if (row.hidesOthers || 'hidesOthers' in mapped) hidesOthers = true;
      if (!ended.waits(mapped)) take(mapped, row);
    }
    await keepFull();
    if (rows % rowsUnchecked < batch.length) await checkStorage();
    rows += batch.length;
    onRows(rows, roster.share?.());
  }
  for (const each of ended.settle()) {
    if (turns.isOver()) await turns.next();
    take(each, each.row);
    await keepFull();
  }
  await staging;
  await keep(ledger, request, kept);
  // Some rows are mapped again from here on, and would be counted twice.
  const ofColumns = mapping.groups.filter(({ columns }) => columns.length > 0);
  // A second column of groups is often filled for some only.
  const blocks = (ofColumns.length > 1 ? [] : ofColumns).flatMap(({ columns, remark }) => {
    const said = remark?.();
    return said === undefined ? [] : [{ column: columns[0]?.name ?? '', said }];
  });
  const noticed = [...mapping.remarks.list(), ...blocks.map(({ said }) => said)];
  await stageDoubtful(context, request, mapping);
  const shared = await ledger.forgetSharedIds(request, [...ofSeveral]);
  for (const id of shared) ofSeveral.delete(id);
  unowned.addShared(shared);
  const ofNobody = shared.slice(0, 1).map((id) => say('sharedIds', shared.length, { id: quote(id) }));
  return {
    rows,
    filtered,
    erased,
    hidesOthers,
    unowned,
    /** Of one person, as far as names tell. */
    idsOfSeveral: [...ofSeveral],
    taker,
    leftOut: leftOut.words(),
    leftOutValues: leftOut.values(),
    remarks: [...noticed, ...compared.remarks(shared), ...ofNobody],
    blocks,
    shifted: compared.shifted(),
  };
}

/**
 * Why the row in which a file ends without a line end is taken for cut off: for sure if former files of its source had one,
 * else where its last cell is a new group with whose letters another begins.
 */
function whereCut(
  found: ReturnType<typeof mapRow>,
  wantsLineEnd: boolean,
  groups: readonly string[],
): string | undefined {
  if (wantsLineEnd) return say('cutWithoutLineEnd', 1);
  if (!('member' in found)) return undefined;
  const last = cleanCell(found.row.cells.at(-1) ?? '');
  const isNew = found.member.groups.some((group) => last.endsWith(group) && !groups.includes(group));
  const whole = isNew ? groups.find((group) => group.startsWith(last) && group !== last) : undefined;
  return whole && say('cutInCell', 1, { cell: quote(last), group: quote(whole) });
}

/** What rows gave, on its way into the ledger. */
interface Batch {
  rejects: Reject[];
  /** The first rows of people who are as they were given. */
  listed: RowsToList;
  /** The first rows of all others. */
  staged: StagedRow[];
  /** Later rows of people who already have one. */
  later: StagedRow[];
  leavers: LeaverRow[];
}

const emptyBatch = (): Batch => ({ rejects: [], listed: new RowsToList(), staged: [], later: [], leavers: [] });

async function keep(
  ledger: WithLedger['ledger'],
  run: PlanningRun,
  { rejects, listed, staged, later, leavers }: Batch,
): Promise<void> {
  const { runId } = run;
  if (leavers.length > 0) await ledger.stageLeavers(run, leavers);
  await ledger.addRejects(runId, rejects);
  await ledger.listUnchanged(runId, listed.all());
  if (staged.length > 0) await ledger.stageRows(runId, staged);
  await ledger.stageLater(runId, later);
}

/** Stages people who were listed as unchanged although a later row says more about them. */
async function stageDoubtful(
  { ledger }: WithLedger,
  { runId, roster, settings }: PlanningRun,
  mapping: Mapping,
): Promise<void> {
  const wanted = await ledger.stageListed(runId, settings.forceSync);
  if (wanted.length > 0) {
    for await (const found of readAgain(roster, wanted)) {
      const mapped = found.flatMap((row) => ('reason' in row ? [] : [mapRow(row, mapping)]));
      const staged = mapped.flatMap((row) => ('member' in row ? [stagedRow(row, settings.forceSync)] : []));
      await ledger.stageRows(runId, staged);
    }
  }
  await ledger.stageOrphans(runId);
}

/** The rows at these places, some at a time. */
async function* readAgain(roster: RosterFile, wanted: readonly RowPlace[]): AsyncGenerator<(Row | Reject)[]> {
  const places = new Set(wanted.map(({ file, line }) => `${line} ${file}`));
  for await (const batch of roster.batches()) {
    const found = batch.filter(({ file, line }) => places.has(`${line} ${file}`));
    if (found.length > 0) yield found;
  }
}

/** A reject that says whose row it is, where that can be read. */
function withPerson(reject: Reject, mapping: Mapping): Reject {
  const { key: person, employeeId } = personOfRow(reject, mapping);
  return { ...reject, ...defined({ person, employeeId }) };
}

function stagedRow({ row: { file, line }, member, employeeId, startsOn }: MappedRow, forceSync: boolean): StagedRow {
  const staged: StagedRow = {
    key: personKey(member.email),
    file,
    line,
    member,
    fingerprint: fingerprint(member, forceSync),
  };
  if (employeeId !== undefined) staged.employeeId = employeeId;
  if (startsOn !== undefined) staged.startsOn = startsOn;
  return staged;
}

/** Members are staged without the cells they came from; for the few that became rejects the roster is read again. */
export async function completeRejects(ledger: WithLedger['ledger'], runId: string, roster: RosterFile): Promise<void> {
  const wanted = await ledger.rejectsWithoutCells(runId);
  if (wanted.length === 0) return;
  for await (const found of readAgain(roster, wanted)) {
    await ledger.completeRejects(
      runId,
      found.map(({ file, line, cells }) => ({ file, line, cells })),
    );
  }
}
