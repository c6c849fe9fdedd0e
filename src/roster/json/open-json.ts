// Opens JSON or NDJSON as a roster.
import type { RosterBytes } from '../files/bytes.ts';
import { decode } from '../text/decode.ts';
import type { Opening } from '../opening.ts';
import type { RosterFile } from '../roster-file.ts';
import type { Findings } from '../text/survey.ts';
import { chooseRecords, ListFinder, refusePart } from './find-records.ts';
import { JsonReader } from './json-reader.ts';
import { walk } from './json-texts.ts';

export async function openJson(
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
