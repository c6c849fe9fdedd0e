// Merges the rows of one person; sets aside identity changes and people who were only partly read.
import type { WithLedger } from '../../src/wiring/context.ts';
import type { CensusTaker } from '../../src/core/guards/usual.ts';
import { type IdentityChange, sayIdentityChange, type Reject } from '../../src/core/rows/row.ts';
import { tooManyGroups } from '../../src/core/mapping/map-row.ts';
import type { Mapping } from '../../src/core/mapping/mapping.ts';
import { fingerprint, type Member, type MergedRows, mergeRows, nameLines } from '../../src/core/person/member.ts';
import { say } from '../../src/core/words/say.ts';
import type { HalfRead, StagedRow } from '../../src/ledger/planning/staging.ts';
import type { PlanningRun } from './planning-run.ts';

/** The number of people checked at a time. */
const page = 200;

/** The same for people who were only partly read: finding some of them takes a look at everybody. */
const halfReadAtOnce = 2000;

/** The number of merged people whose lines are shown with the plan. */
const shownLines = 3;

/**
 * Several rows of one person become one member; those of different people on one address, or of somebody whose
 * identity changed, become rejects; for the census they are one. Returns the lines of the first few merged people, and how
 * many wait for `resolve`.
 */
export async function mergePeople(
  { ledger }: WithLedger,
  { runId, source, service, settings }: PlanningRun,
  { emailColumn, names }: Mapping,
  taker: Pick<CensusTaker, 'unite'>,
): Promise<{ mergedLines: number[][]; waiting: number }> {
  const mergedLines: number[][] = [];
  let waiting = 0;
  for (;;) {
    const people = await ledger.peopleWithSeveralRows(runId, page);
    if (people.length === 0) return { mergedLines, waiting };
    const ofOne: { key: string; rows: StagedRow[]; merged: MergedRows }[] = [];
    for (const { key, rows } of people) {
      taker.unite(rows);
      const merged = mergeRows(rows, emailColumn);
      if (Array.isArray(merged)) await ledger.rejectPerson(runId, key, merged);
      else {
        await ledger.mergePerson(runId, {
          key,
          ...merged,
          fingerprint: fingerprint(merged.member, settings.forceSync),
        });
        ofOne.push({ key, rows, merged });
      }
    }
    // Their employee id may be on any of their rows.
    const keys = ofOne.map(({ key }) => key);
    const changes = await ledger.identityChanges({ runId, source, service, keys, limit: page });
    for (const { key, rows, merged } of ofOne) {
      const change = changes.find((change) => change.key === key);
      if (change) {
        waiting += 1;
        await ledger.rejectPerson(runId, key, heldRows(rows, change, emailColumn));
      } else if (merged.member.groups.length > names.perPerson) {
        await ledger.rejectPerson(runId, key, overfull(rows, merged.member, names.perPerson));
      } else if (mergedLines.length < shownLines) mergedLines.push(merged.lines);
    }
  }
}

/** The rows of a person who would be in too many groups by all of them together. */
function overfull(rows: readonly StagedRow[], { email }: Member, perPerson: number): Reject[] {
  const reason = tooManyGroups(perPerson);
  return rows.map(({ file, line }) => ({ file, line, cells: [], column: '', value: email, reason, kind: 'group' }));
}

/** One person would be invited at each of two addresses: these rows wait until the roster says which one is right. */
export async function rejectTwoAddresses(
  { ledger }: WithLedger,
  run: PlanningRun,
  { emailColumn: column }: Mapping,
  ids: readonly string[],
): Promise<void> {
  for (const { employeeId, addresses, rows } of await ledger.peopleWithTwoAddresses(run, ids)) {
    const reason = say('oneWithTwoAddresses', 1, { employeeId, lines: nameLines(rows) });
    for (const { key, file, lines, email: value } of addresses) {
      const rejects = lines.map((line) => ({ file, line, cells: [], column, value, reason }));
      await ledger.rejectPerson(run.runId, key, rejects);
    }
  }
}

/** Sets people on one row aside for `resolve` whose address is new, or is somebody else's now. Returns how many. */
export async function holdMoves(
  { ledger }: WithLedger,
  { runId, source, service }: PlanningRun,
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

/** With `forceSync` a rejected row hides groups that a call would take away, so the person's other rows wait too. */
export async function holdHalfRead(
  { ledger }: WithLedger,
  { runId, settings }: PlanningRun,
  { emailColumn }: Mapping,
): Promise<void> {
  if (!settings.forceSync) return;
  for (;;) {
    const people = await ledger.peopleHalfRead(runId, halfReadAtOnce);
    if (people.length === 0) return;
    for (const person of people) await ledger.rejectPerson(runId, person.key, halfReadRows(person, emailColumn));
  }
}

function halfReadRows({ file, lines, email, spoilt }: HalfRead, column: string): Reject[] {
  const place = `line ${spoilt.line}${spoilt.file === file ? '' : ` of ${spoilt.file}`}`;
  const reason = say('halfRead', 1, { place, reason: spoilt.reason });
  return lines.map((line) => ({ file, line, cells: [], column, value: email, reason }));
}

function heldRows(rows: readonly { file: string; line: number }[], change: IdentityChange, column: string): Reject[] {
  const reason = sayIdentityChange(change);
  // Who has another address at the service is in this roster.
  const person = change.kind === 'renamed' ? { person: change.newEmail } : {};
  const reject = { cells: [], column, value: change.email, reason, identityChange: change.kind, ...person };
  return rows.map(({ file, line }) => ({ file, line, ...reject, kind: 'identity-change' }));
}
