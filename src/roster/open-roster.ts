import type { Readable } from 'node:stream';
import { openFile, spool } from './bytes.ts';
import { parseDelimiter } from './delimiter.ts';
import { parseEncoding } from './encoding.ts';
import { defaultLimits, type ReadLimits } from './limits.ts';
import { RosterReader, type RosterFile } from './roster-reader.ts';
import { explain, Offence, Survey } from './survey.ts';

export type { RosterFile };

/** How to read a roster, where that is not to be found out. */
export interface OpenOptions {
  /** A WHATWG label of UTF-8, UTF-16 or Windows-1252. */
  encoding?: string;
  /** One sign, or `comma`, `semicolon`, `tab`, `pipe`. */
  delimiter?: string;
  limits?: Partial<ReadLimits>;
  now?: () => Date;
  /** What standard input and streams are called in rows and messages. */
  name?: string;
}

const standardInput = 'standard input';

/**
 * Opens a CSV file, `-` for standard input, or a stream. Looks at every byte once, so that the encoding is certain
 * before a row is given out (what is no file is kept in a temporary one for that), then reads the header. Throws
 * an `InputError` for what cannot be a roster: no such file, a folder, no right to read, locked, empty, no rows,
 * not text, two encodings, no delimiter, a line or a file beyond the limits.
 */
export async function openRoster(source: string | Readable, options: OpenOptions = {}): Promise<RosterFile> {
  const { name = standardInput, now = () => new Date() } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const encoding = options.encoding === undefined ? undefined : parseEncoding(options.encoding);
  const delimiter = options.delimiter === undefined ? undefined : parseDelimiter(options.delimiter);
  const stream = source === '-' ? process.stdin : source;
  const survey = new Survey(typeof stream === 'string' ? stream : name, limits, encoding);
  const bytes =
    typeof stream === 'string'
      ? await openFile(stream, survey, limits, now)
      : await spool(stream, name, survey, limits, now);
  try {
    return await RosterReader.begin(bytes, survey.end(), limits, delimiter);
  } catch (error) {
    const failure = error instanceof Offence ? await explain(error, bytes) : error;
    await bytes.close();
    throw failure;
  }
}
