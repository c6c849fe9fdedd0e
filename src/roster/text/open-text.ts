// Opens a text as CSV or JSON.
import type { RosterFormat } from '../../core/rows/row.ts';
import { spool, type RosterBytes } from '../files/bytes.ts';
import { CsvReader } from './csv-reader.ts';
import { parseDelimiter } from './delimiter.ts';
import { parseEncoding, decode } from './encoding.ts';
import type { Opening, RosterFile } from '../roster-file.ts';
import { explain, Offence, Survey, type Findings } from './survey.ts';
import { chooseRecords, ListFinder, refusePart } from '../json/find-records.ts';
import { JsonReader } from '../json/json-reader.ts';
import { walk } from '../json/json-texts.ts';

export type Source =
  | { bytes: RosterBytes }
  | { name: string; stream: AsyncIterable<Uint8Array>; modifiedAt: () => Date };

/** Looks at every byte once, so that the encoding is certain before a row is given out. */
export async function openText(
  source: Source,
  format: Extract<RosterFormat, 'csv' | 'json' | 'ndjson'>,
  opening: Opening,
): Promise<RosterFile> {
  const { options, limits } = opening;
  const encoding = options.encoding === undefined ? undefined : parseEncoding(options.encoding);
  const delimiter = options.delimiter === undefined ? undefined : parseDelimiter(options.delimiter);
  const name = 'bytes' in source ? source.bytes.file : source.name;
  const survey = new Survey(name, format === 'json' ? Infinity : limits.record, encoding);
  const bytes = 'bytes' in source ? source.bytes : await take(source, survey, opening);
  try {
    if ('bytes' in source) for await (const chunk of bytes.chunks()) survey.push(chunk);
    const findings = await survey.end();
    if (format === 'csv') return await CsvReader.begin(bytes, findings, limits, delimiter, options.headerLine);
    return await openJson(bytes, findings, format, opening);
  } catch (error) {
    const failure = error instanceof Offence ? await explain(error, bytes) : error;
    await bytes.close();
    throw failure;
  }
}

function take(source: Exclude<Source, { bytes: unknown }>, survey: Survey, { limits }: Opening): Promise<RosterBytes> {
  const { name, stream, modifiedAt } = source;
  return spool(stream, {
    file: name,
    most: limits.bytes,
    modifiedAt,
    see: (chunk) => survey.push(chunk),
    explain: async (error, bytes) => (error instanceof Offence ? explain(error, bytes) : error),
  });
}

async function openJson(
  bytes: RosterBytes,
  findings: Findings,
  format: 'json' | 'ndjson',
  { options, limits }: Opening,
): Promise<RosterFile> {
  const { records, isAnswer = false } = options;
  const notes: string[] = [];
  if (format === 'ndjson') return JsonReader.begin({ bytes, findings, limits, format, pointer: '', notes }, options);
  const finder = new ListFinder();
  await walk(
    decode(bytes.chunks(), findings, bytes.file, () => 1),
    finder,
    bytes.file,
    limits,
  );
  // Values one after the other are records, also where they are not on a line each.
  const isSequence = finder.documents > 1 && finder.kind === 'object';
  const pointer = isSequence ? '' : chooseRecords(finder, records, bytes.file);
  if (isAnswer) refusePart(finder, pointer, bytes.file);
  return JsonReader.begin({ bytes, findings, limits, format, pointer, notes }, options);
}
