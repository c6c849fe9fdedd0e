// The files, sheets and parts of a roster beside those of the ones before: which it lacks, and what their names say.
import { isTitleOfGone } from '../../src/core/cells/status-words.ts';
import type { Trip } from '../../src/core/guards/trip.ts';
import { bundleOf, type RosterForm, sheetColumn, sheetsOf } from '../../src/core/rows/row.ts';
import { escapeText, figure, quote, someOf } from '../../src/core/text/format.ts';
import { say } from '../../src/core/words/say.ts';
import { copiesIn, missingOf, othersOf } from '../../src/roster/files/passing-files.ts';
import type { WithLedger } from '../../src/wiring/context.ts';
import type { PlanningRun } from './planning-run.ts';

/** What a roster lacks of the files, sheets or parts that its source had before. */
interface PartsBefore {
  lacking: number;
  /** What belongs to it, to be kept: until the settings name others, all that were ever part of it do. */
  joined?: RosterForm['joined'];
  /** Why it is held where somebody would count as missing, or lose a group. */
  trip?: Trip;
  /** What is said where it is not held. */
  remark?: string | undefined;
  /** Why it is held where nobody watches: it may be read of an older file beside its successor. */
  copied?: Trip;
}

export async function partsBefore(
  ledger: WithLedger['ledger'],
  { service, source, roster }: PlanningRun,
): Promise<PartsBefore> {
  const { joined } = roster.form;
  if (joined === undefined) return { lacking: 0 };
  const { of, files } = joined;
  const former = await ledger.joinedBefore({ service, source, of });
  // The files of a bundle have names of their own: none is in the place of another.
  const lacking = of === bundleOf ? former.filter((name) => !files.includes(name)) : missingOf(former, files);
  if (lacking.length === 0) {
    const copies = of === sheetsOf || of === bundleOf ? [] : copiesIn(files, former);
    return { lacking: 0, joined, ...(copies.length > 0 && { copied: copiedFiles(copies) }) };
  }
  if (of === sheetsOf || of === bundleOf) {
    const trip = lackingParts(of === sheetsOf ? 'lackingSheets' : 'lackingParts', lacking);
    const remark = of === sheetsOf ? trip.brief : lackingFiles(lacking);
    return { lacking: lacking.length, joined, trip, remark };
  }
  // Others in their places: are these all from now on? Once somebody has approved that, they are.
  const others = othersOf(files, former);
  return {
    lacking: lacking.length,
    joined: { of, files: others.length > 0 ? files : [...files, ...lacking] },
    remark: lackingFiles(lacking),
    ...(others.length > 0 && { trip: unlikeFiles(former, files, others) }),
  };
}

const lackingFiles = (lacking: readonly string[]): string =>
  say('lackingFiles', lacking.length, { files: someOf(lacking.map(escapeText)) });

/** Holds fewer files than before, some of them in the places of others: their names do not say which are lacking. */
function unlikeFiles(former: readonly string[], files: readonly string[], others: readonly string[]): Trip {
  const said = { now: figure(files.length), files: someOf(others.map(escapeText)) };
  const [message, brief] = [say('otherFiles', former.length, said), say('otherFilesBriefly', former.length, said)];
  return { guard: 'shrink', scope: 'all', message, brief };
}

function copiedFiles(copies: readonly string[]): Trip {
  const said = { files: someOf(copies.map(escapeText)) };
  const [message, brief] = [say('copiedFiles', copies.length, said), say('copiedFilesBriefly', copies.length)];
  return { guard: 'wrongFile', scope: 'all', message, brief };
}

/** Holds a workbook or a bundle that lacks sheets or files of the one before: nobody says whether their people have left, or what they said. */
function lackingParts(what: 'lackingSheets' | 'lackingParts', lacking: readonly string[]): Trip {
  const message = say(what, lacking.length, { parts: someOf(lacking.map(quote)) });
  const brief =
    what === 'lackingSheets' ? say('lackingSheetsBriefly', lacking.length) : say('lackingPartsBriefly', lacking.length);
  return { guard: 'shrink', scope: 'all', message, brief };
}

/** The names of the files and the sheet that a roster was read of; those of several sheets are in a column. */
const titlesOf = ({ file, part, header, joined }: RosterForm): string[] => [
  ...[file, ...(joined && ![sheetsOf, bundleOf].includes(joined.of) ? joined.files : [])],
  ...(part === undefined || header.includes(sheetColumn) ? [] : [part]),
];

const lastPart = (path: string): string => path.replace(/^.*[/\\]/s, '');

/** Files and a sheet whose names say that their people are gone: `leavers-2026.csv`. */
export const goneTitles = (form: RosterForm): string[] =>
  titlesOf(form).filter((name) => isTitleOfGone(lastPart(name)));

export const sayGoneTitle = (name: string): string => say('goneTitle', 1, { text: quote(lastPart(name)) });

/** Holds the first of such names where nobody watches, until its source had one like it. */
export function unseenTitle(titles: readonly string[], before: RosterForm): Trip[] {
  const [name] = othersOf(titles, titlesOf(before));
  if (name === undefined) return [];
  const message = say('unseenTitle', 1, { text: quote(lastPart(name)) });
  const brief = say('unseenTitleBriefly', 1);
  return [{ guard: 'wrongFile', scope: 'all', message, brief, next: [{ setting: 'everybody' }] }];
}
