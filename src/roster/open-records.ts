// Opens records that arrive one by one, such as pages of an API, as a roster.
import { attempt } from '../core/attempt.ts';
import { refusal, InputError } from '../core/errors.ts';
import { spool } from './files/bytes.ts';
import { openJson } from './json/json-reader.ts';
import { defaultLimits, type ReadLimits } from './files/limits.ts';
import type { AskedPaths, RosterFile } from './roster-file.ts';

export interface RecordsOptions extends AskedPaths {
  name: string;
  /** When the records were as they are; without it, when they had all come. */
  modifiedAt?: Date;
  limits?: Partial<ReadLimits>;
  now?: () => Date;
}

/**
 * Opens records that come one after the other, such as the pages of an API, as a roster: each is a row, whose number
 * is its line. They are kept in a temporary file, one on a line, so that they can be read more than once; the
 * checksum is of that file. Throws an `InputError` if there are none, or beyond the limits.
 */
export async function openRecords(records: AsyncIterable<unknown>, options: RecordsOptions): Promise<RosterFile> {
  const { name, now = () => new Date(), modifiedAt } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const bytes = await spool(linesOf(records, name, limits), {
    file: name,
    most: limits.bytes,
    modifiedAt: () => modifiedAt ?? now(),
  });
  try {
    if (bytes.sizeBytes === 0) throw new InputError(`${name}: it gave no records at all, so there is nobody in it.`);
    const findings = { encoding: 'utf-8', bom: false, markLength: 0, isUnended: false } as const;
    const reader = await openJson({ bytes, findings, limits, format: 'ndjson', pointer: '', notes: [] }, options);
    reader.form.format = 'json';
    return reader;
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

/** Characters that are gathered before they are written. */
const pageCharacters = 64 * 1024;

async function* linesOf(records: AsyncIterable<unknown>, name: string, limits: ReadLimits): AsyncGenerator<string> {
  let page = '';
  let number = 0;
  for await (const record of records) {
    number++;
    // What cannot be written as JSON becomes a record that is rejected.
    const line = attempt(() => JSON.stringify(record)) ?? 'null';
    if (line.length > limits.record) throw refusal('longRecord', { name, number, most: limits.record });
    page += `${line}\n`;
    if (page.length < pageCharacters) continue;
    yield page;
    page = '';
  }
  if (page !== '') yield page;
}
