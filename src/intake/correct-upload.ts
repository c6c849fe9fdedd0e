// Changes cells of a kept upload, takes such changes back, and reads a row of it as it is now.
import { Correction, Corrector, isOfSameCells, type MadeCorrection } from '../core/rows/corrections.ts';
import { RequestError } from '../core/errors.ts';
import { isReject } from '../core/rows/row.ts';
import { quote } from '../core/text/format.ts';
import { say } from '../core/words/say.ts';
import type { RosterFile } from '../roster/roster-file.ts';
import type { KeptUpload } from './kept-uploads.ts';
import { withUpload } from './open-upload.ts';

/** What somebody asks for: the cell of a row, or each cell of a column that holds `was`; with null it is as in the file again. */
export interface CellChange extends Omit<Correction, 'column' | 'value'> {
  /** Its heading, or its 0-based place. */
  column: string | number;
  value: string | null;
}

/** More are made in the file rather than here. */
const mostCorrections = 1000;

/**
 * The corrections of an upload with these changes; one of the same cells takes the place of the earlier one.
 * @throws RequestError for a change of a cell that is not there, or is not the only one of its heading
 */
export async function correctedWith(upload: KeptUpload, changes: readonly CellChange[]): Promise<Correction[]> {
  return withUpload({ ...upload, corrections: [] }, async (roster) => {
    const { header } = roster.form;
    let corrections = upload.corrections;
    if (changes.length > mostCorrections) throw tooMany();
    for (const { column: named, value, line, file = upload.name, was } of changes) {
      const column = columnOf(header, named);
      if ((line === undefined) === (was === undefined))
        throw new RequestError(422, 'INPUT', 'Say one of `line` and `was`. Nothing was changed.');
      const cells = { column, ...(line === undefined ? { was: was ?? '' } : { file, line }) };
      const others = corrections.filter((each) => !isOfSameCells(each, cells));
      // In the form in which it is kept: by that it is told whether an upload was planned as it is.
      corrections = value === null ? others : [...others, Correction.parse({ ...cells, value })];
    }
    if (corrections.length > mostCorrections) throw tooMany();
    const added = corrections.filter((each) => !upload.corrections.includes(each));
    const corrector = new Corrector(corrections, header);
    const lacking = (): Correction | undefined =>
      added.find((each) => corrector.made()[corrections.indexOf(each)]?.row === undefined);
    if (!lacking()) return corrections;
    for await (const batch of roster.batches()) {
      for (const row of batch) corrector.correct(row);
      if (!lacking()) return corrections;
    }
    const { line, was = '', column = 0 } = lacking() ?? {};
    const what =
      line === undefined
        ? say('noSuchCell', 1, { column: quote(header[column] ?? ''), was: quote(was) })
        : say('noRowToChange', 1, { line });
    throw new RequestError(422, 'NO_CELL', what);
  });
}

const tooMany = (): RequestError => new RequestError(422, 'TOO_MANY', say('manyChanges', 1, { most: mostCorrections }));

/** Throws a RequestError where no column, or more than one, has the heading. */
function columnOf(header: readonly string[], named: string | number): number {
  const isNamed = (heading: string, at: number): boolean =>
    typeof named === 'number' ? at === named : heading.trim() === named.trim();
  const [column, another] = [header.findIndex(isNamed), header.findLastIndex(isNamed)];
  if (column < 0) throw new RequestError(422, 'NO_COLUMN', say('noSuchHeading', 1));
  if (column === another) return column;
  throw new RequestError(422, 'NO_COLUMN', 'Several columns have that heading: say the place of one, from 0.');
}

/** The headings of an upload, and what a row of it holds now and in the file. Throws a RequestError where it is not there. */
export async function rowOf(
  upload: KeptUpload,
  { file, line }: { file: string; line: number },
  signal?: AbortSignal,
): Promise<{ header: string[]; cells: string[]; inFile: string[] }> {
  const use = async (roster: RosterFile) => {
    const { header } = roster.form;
    const corrector = new Corrector(upload.corrections, header);
    for await (const batch of roster.batches()) {
      const row = batch.find((each) => each.line === line && each.file === file);
      if (row && !isReject(row)) return { header, cells: corrector.correct(row).cells, inFile: row.cells };
    }
    throw new RequestError(404, 'NO_CELL', say('noRowInLine', 1, { line }));
  };
  return withUpload({ ...upload, corrections: [] }, use, signal);
}

/** The corrections of an upload, and what each came to, also where that is nothing. */
export async function correctionsOf(
  upload: KeptUpload,
  signal?: AbortSignal,
): Promise<{ header: string[]; made: readonly MadeCorrection[] }> {
  const use = async (roster: RosterFile) => {
    if (upload.corrections.length > 0) for await (const _ of roster.batches());
    return { header: roster.form.header, made: roster.corrections?.() ?? [] };
  };
  return withUpload(upload, use, signal);
}
