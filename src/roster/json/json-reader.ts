// Reads JSON records as rows: a cell for each path.
import { attempt, parseExactly } from '../../core/attempt.ts';
import { EmptyTable, InputError } from '../../core/errors.ts';
import { addPaths, isDeeper } from '../../core/rows/flatten.ts';
import { type Path, cellAt, isRecord, parsePath, spelledIn } from '../../core/rows/path.ts';
import { type Reject, type RosterForm, type Row, isReject } from '../../core/rows/row.ts';
import type { RosterBytes } from '../files/bytes.ts';
import type { ReadLimits } from '../files/limits.ts';
import { type AskedPaths, batchRows, type Opening, type RosterFile, rosterIn, withoutText } from '../roster-file.ts';
import { decode } from '../text/encoding.ts';
import { type Findings, readAsOf } from '../text/survey.ts';
import { TextNotes } from '../text/text-notes.ts';
import { type RecordText, chooseRecords, cutDocument, cutLines, ListFinder, partOf, walk } from './json-texts.ts';

const mostOfValue = 200;

export interface JsonReading {
  bytes: RosterBytes;
  findings: Findings;
  limits: ReadLimits;
  format: 'json' | 'ndjson';
  /** The JSON pointer of the list; not used for records that stand on a line each. */
  pointer: string;
  notes: string[];
}

/** Opens a document, or records that stand on a line each; in a document the list of people is looked for. */
export async function openDocument(
  bytes: RosterBytes,
  findings: Findings,
  format: 'json' | 'ndjson',
  { options, limits }: Opening,
): Promise<RosterFile> {
  const reading = { bytes, findings, limits, format, notes: [] };
  if (format === 'ndjson') return openJson({ ...reading, pointer: '' }, options);
  const finder = new ListFinder();
  const texts = decode(bytes.chunks(), findings, bytes.file, () => 1);
  await walk(texts, finder, bytes.file, limits);
  // Values one after the other are records, also where they are not on a line each.
  const isSequence = finder.documents > 1 && finder.kind === 'object';
  const pointer = isSequence ? '' : chooseRecords(finder, options.records, bytes.file);
  const part = partOf(finder, { pointer, where: bytes.file, isAnswer: options.isAnswer ?? false });
  const roster = await openJson({ ...reading, pointer, notes: part === undefined ? [] : [part] }, options);
  if (part !== undefined) roster.form.isPartial = true;
  return roster;
}

/**
 * Opens records: looks at all of them for the paths of their values, since a last day may come first in a late one;
 * `asked` ones come in addition, and if no record has one, there is no such column. Throws an `InputError` where there are
 * no records, or a path is none.
 */
export async function openJson(
  reading: JsonReading,
  { paths: asked = [], known = [] }: AskedPaths,
): Promise<RosterFile> {
  const { bytes, limits, format, pointer, notes } = reading;
  const open = new Map([...known, ...asked].map((text) => [text, parsePath(text)]));
  const found: Path[] = [];
  const paths = new Set<string>();
  // A map with a key for each person would make thousands.
  const most = limits.columns;
  let failure: Reject | undefined;
  for await (const records of readRecords(reading)) {
    for (const { value } of records) {
      if (isReject(value)) {
        failure ??= value;
        continue;
      }
      addPaths(value, paths, most);
      for (const path of open.values()) {
        const spelled = spelledIn(value, path);
        if (!spelled) continue;
        found.push(spelled);
        open.delete(path.text);
      }
    }
  }
  if (paths.size === 0) {
    const why = failure ? `none of its records can be read: ${failure.reason}` : 'there is nobody in it';
    throw new (failure ? InputError : EmptyTable)(`${bytes.file}: ${why}. Export it again with the people in it.`);
  }
  if (paths.size >= most) notes.push(`Only the first ${most} values of the records became columns.`);
  const listed = new Set([...paths].map((text) => text.toLowerCase()));
  const others = [...found, ...known.map((text) => parsePath(text))].filter(({ text }) => {
    const isNew = !listed.has(text.toLowerCase());
    listed.add(text.toLowerCase());
    return isNew;
  });
  const columns = [...[...paths].map(parsePath), ...others];
  const form: RosterForm = {
    file: bytes.file,
    format,
    ...withoutText,
    header: columns.map(({ text }) => text),
    headerLine: 0,
    notes,
    ...readAsOf(reading.findings),
    ...(format === 'ndjson' && reading.findings.isUnended && { isUnended: true }),
    ...(format === 'json' && { part: pointer === '' ? 'the document' : pointer }),
  };
  return rosterIn(bytes, form, (chunks) => batchesOf(reading, columns, chunks));
}

async function* batchesOf(
  reading: JsonReading,
  columns: readonly Path[],
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<(Row | Reject)[]> {
  const { file } = reading.bytes;
  const signs = new TextNotes(reading.notes, reading.findings.encoding);
  for await (const records of readRecords(reading, signs, chunks)) {
    const rows = records.map(({ value, line }): Row | Reject => {
      // What cannot be parted into cells stands behind them, where a file of rejects keeps it.
      if (isReject(value)) return { ...value, cells: [...columns.map(() => ''), value.value] };
      return { file, line, cells: columns.map((path) => cellAt(value, path)) };
    });
    for (let at = 0; at < rows.length; at += batchRows) yield rows.slice(at, at + batchRows);
  }
}

interface Read {
  line: number;
  value: Record<string, unknown> | Reject;
}

async function* readRecords(
  { bytes, findings, limits, format, pointer }: JsonReading,
  signs?: TextNotes,
  chunks: AsyncIterable<Uint8Array> = bytes.chunks(),
): AsyncGenerator<Read[]> {
  const { file } = bytes;
  const texts = async function* () {
    let line = 1;
    for await (const text of decode(chunks, findings, file, () => line)) {
      signs?.see(text, line);
      yield text;
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) line++;
    }
  };
  const cut = format === 'ndjson' ? cutLines(texts(), file, limits) : cutDocument(texts(), pointer, file, limits);
  for await (const records of cut) {
    yield records.map((record) => ({ line: record.line, value: read(record, file, limits) }));
  }
}

function read({ text, line }: RecordText, file: string, limits: ReadLimits): Record<string, unknown> | Reject {
  // Whose record it is nobody knows, and one that was cut off has others behind it.
  const reject = (reason: string): Reject => {
    return { file, line, cells: [], column: '', value: text.slice(0, mostOfValue), reason, hidesOthers: true };
  };
  if (isDeeper(text, limits.depth)) return reject(`values stand in each other more than ${limits.depth} levels deep`);
  const value = attempt(() => parseExactly(text));
  if (value === undefined) return { ...reject('the record is not JSON'), kind: 'damaged' };
  return isRecord(value) ? value : reject('the record is not an object with names and values');
}
