// Opens a text as CSV or JSON.
import type { RosterFormat } from '../../core/rows/row.ts';
import { type RosterBytes, type Source, spool } from '../files/bytes.ts';
import { openCsv } from './csv-reader.ts';
import { parseDelimiter } from './delimiter.ts';
import { parseEncoding, decode } from './encoding.ts';
import type { Opening, RosterFile } from '../roster-file.ts';
import { explain, Survey, type Findings } from './survey.ts';
import { chooseRecords, ListFinder, refusePart } from '../json/find-records.ts';
import { openJson } from '../json/json-reader.ts';
import { walk } from '../json/json-texts.ts';

/** Looks at every byte once, so that the encoding is certain before a row is given out. */
export async function openText(
  source: Source,
  format: Extract<RosterFormat, 'csv' | 'json' | 'ndjson'>,
  opening: Opening,
): Promise<RosterFile> {
  const { options, limits } = opening;
  const encoding = options.encoding === undefined ? undefined : parseEncoding(options.encoding);
  const delimiter = options.delimiter === undefined ? undefined : parseDelimiter(options.delimiter);
  const survey = new Survey(source.name, format === 'json' ? Infinity : limits.record, encoding);
  const bytes = source.bytes ?? (await take(source, survey, opening));
  try {
    if (source.bytes) for await (const chunk of bytes.chunks()) survey.push(chunk);
    const findings = await survey.end();
    if (format === 'csv') return await openCsv(bytes, findings, limits, delimiter, options.headerLine);
    return await openDocument(bytes, findings, format, opening);
  } catch (error) {
    const failure = await explain(error, bytes);
    await bytes.close();
    throw failure;
  }
}

function take({ name, stream, modifiedAt }: Source, survey: Survey, { limits }: Opening): Promise<RosterBytes> {
  const see = (chunk: Uint8Array): void => survey.push(chunk);
  return spool(stream, { file: name, most: limits.bytes, modifiedAt, see, explain });
}

async function openDocument(
  bytes: RosterBytes,
  findings: Findings,
  format: 'json' | 'ndjson',
  { options, limits }: Opening,
): Promise<RosterFile> {
  const { records, isAnswer = false } = options;
  const notes: string[] = [];
  if (format === 'ndjson') return openJson({ bytes, findings, limits, format, pointer: '', notes }, options);
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
  return openJson({ bytes, findings, limits, format, pointer, notes }, options);
}
