// Opens a file or stream as a roster, by its content.
import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { refusal, codeOf, InputError } from '../core/errors.ts';
import type { RosterFormat } from '../core/rows/row.ts';
import { bytesOf, openPath, peek, type RosterBytes, type Source, sourceOf, tooLarge, spool } from './files/bytes.ts';
import { type ReadLimits, defaultLimits } from './files/limits.ts';
import { formats, recogniseContent, recogniseForeign } from './files/magic.ts';
import { readFailure } from './files/read-failure.ts';
import type { OpenOptions, Opening, RosterFile } from './roster-file.ts';
import { parseDelimiter } from './text/delimiter.ts';
import { parseEncoding } from './text/encoding.ts';
import { openCsv } from './text/csv-reader.ts';
import { explain, Survey } from './text/survey.ts';
import { openDocument } from './json/json-reader.ts';

export type { OpenOptions, RosterFile };

const standardInput = 'standard input';
/** An archive may contain one more archive, and no deeper. */
const mostUnpacked = 3;
const headBytes = 4096;

/**
 * Opens a roster: a file, a folder, `-` for standard input, or a stream; CSV, Excel, OpenDocument, JSON, a bundle of CSV files, each
 * also packed. The content decides the format, then the name, unless `format` is given. Every byte is
 * checked once before a row is returned (what is no file is kept in a temporary one for that). Throws an
 * `InputError` for what cannot be a roster: no such file, no right to read, locked, empty, no rows, a format that is
 * not read, damaged, two encodings, no delimiter, beyond the limits.
 */
export async function openRoster(
  source: string | AsyncIterable<Uint8Array | string>,
  options: OpenOptions = {},
): Promise<RosterFile> {
  const { name = standardInput, now = () => new Date(), encoding, delimiter } = options;
  if (encoding !== undefined) parseEncoding(encoding);
  if (delimiter !== undefined) parseDelimiter(delimiter);
  const opening: Opening = {
    options,
    limits: { ...defaultLimits, ...options.limits },
    now,
    unpacked: 0,
    mustBeSigned: options.pgp?.signedBy !== undefined,
  };
  if (typeof source !== 'string') return openStream(source, name, now, opening);
  if (source === '-') return openStream(process.stdin as Readable, name, now, opening);
  return openPlace(source, opening);
}

async function openPlace(source: string, opening: Opening): Promise<RosterFile> {
  const opened = await openPath(source, opening.options.name);
  switch (opened.kind) {
    case 'folder':
      if (opening.mustBeSigned) throw refusal('notSigned', { name: source });
      return (await import('./bundle/open-bundle.ts')).openFolder(source, opening, openPlace);
    case 'stream':
      return openStream(opened.stream, opening.options.name ?? source, opening.now, opening);
    case 'file':
      if (opened.bytes.sizeBytes > opening.limits.bytes) throw tooLarge(opened.bytes.file, opening.limits.bytes);
      return openBytes(opened.bytes, opening);
  }
}

async function openStream(
  input: AsyncIterable<Uint8Array | string>,
  name: string,
  modifiedAt: () => Date,
  opening: Opening,
): Promise<RosterFile> {
  let close: (() => Promise<void>) | undefined;
  try {
    const peeked = await peek(input, headBytes);
    close = peeked.close;
    return await openContent(peeked.head, { name, stream: peeked.whole, modifiedAt }, opening);
  } catch (error) {
    throw readFailure(name, error);
  } finally {
    await close?.();
  }
}

async function openBytes(bytes: RosterBytes, opening: Opening): Promise<RosterFile> {
  const { head, close } = await peek(bytes.chunks(), headBytes);
  await close();
  return openContent(head, sourceOf(bytes), opening);
}

async function openContent(head: Uint8Array, source: Source, opening: Opening): Promise<RosterFile> {
  const { options, unpacked, limits, mustBeSigned } = opening;
  const { name, stream, modifiedAt } = source;
  const content = recogniseContent(head, name);
  if (mustBeSigned && content !== 'pgp' && content !== 'gzip') throw refusal('notSigned', { name });
  // Of workbooks, .xlsx is a zip, and what looks like an old one may be an .xlsx that is locked.
  const isPacked = ['gzip', 'zip', 'pgp', 'xls'].includes(content);
  if (isPacked && unpacked >= mostUnpacked) throw new InputError(`${name}: it is an archive in archives. Unpack it.`);
  const inner: Opening = { ...opening, unpacked: unpacked + 1 };
  switch (content) {
    case 'zip':
      return openZip(source, inner);
    case 'pgp':
      return openEncrypted(source, inner);
    case 'gzip':
      return openStream(gunzip(stream, name, limits), name, modifiedAt, inner);
    case 'xls':
    case 'html':
    case 'xml': {
      const bytes = await bytesOf(source, limits.bytes);
      const unlocked = content === 'xls' && (await (await import('./locked/unlock.ts')).unlock(bytes, opening));
      if (unlocked) return openZip(sourceOf(unlocked), inner);
      return (await import('./workbook/open-workbook.ts')).openWorkbook(content, bytes, opening);
    }
    case 'csv':
    case 'json':
    case 'ndjson':
      return openPlain(head, source, options.format ?? content, opening);
  }
}

async function openPlain(
  head: Uint8Array,
  source: Source,
  format: RosterFormat,
  opening: Opening,
): Promise<RosterFile> {
  const { name } = source;
  const foreign = recogniseForeign(head, name);
  if (foreign !== undefined) throw new InputError(`${name}: ${foreign}`);
  if (format === 'bundle') throw new InputError(`${name}: this is neither a folder nor a zip archive of files.`);
  if (format === 'csv' || format === 'json' || format === 'ndjson') return openText(source, format, opening);
  throw new InputError(`${name}: this is not ${formats[format].title}. Leave the format out, and it is detected.`);
}

/** Looks at every byte once, so that the encoding is certain before a row is given out. */
async function openText(
  source: Source,
  format: Extract<RosterFormat, 'csv' | 'json' | 'ndjson'>,
  opening: Opening,
): Promise<RosterFile> {
  const { options, limits } = opening;
  const encoding = options.encoding === undefined ? undefined : parseEncoding(options.encoding);
  const delimiter = options.delimiter === undefined ? undefined : parseDelimiter(options.delimiter);
  const survey = new Survey(source.name, format === 'json' ? Infinity : limits.record, encoding);
  const { name: file, stream, modifiedAt } = source;
  const see = (chunk: Uint8Array): void => survey.push(chunk);
  const bytes = source.bytes ?? (await spool(stream, { file, most: limits.bytes, modifiedAt, see, explain }));
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

async function openZip(source: Source, opening: Opening): Promise<RosterFile> {
  return (await import('./archive/open-archive.ts')).openArchive(source, opening, openStream);
}

/** What is encrypted with PGP, once all of it is decrypted. */
async function openEncrypted(source: Source, opening: Opening): Promise<RosterFile> {
  const { pgp, ...options } = opening.options;
  const { name: file, stream: chunks, modifiedAt } = source;
  if (!pgp) throw refusal('encryptedWithoutKey', { file });
  const { decrypt } = await import('./pgp/decrypt.ts');
  const plain = await decrypt({ file, chunks, modifiedAt }, pgp, opening.limits);
  await source.bytes?.close();
  try {
    return await openBytes(plain, { ...opening, options, mustBeSigned: false });
  } catch (error) {
    await plain.close();
    throw error;
  }
}

/** Unpacks gzip. Throws an `InputError` if it is damaged, cut off, or unpacks to more than the limit. */
async function* gunzip(
  packed: AsyncIterable<Uint8Array>,
  name: string,
  limits: ReadLimits,
): AsyncGenerator<Uint8Array> {
  // A chunk is valid only until the next one is asked for, and a stream asks ahead.
  const copies = async function* () {
    for await (const chunk of packed) yield Uint8Array.from(chunk);
  };
  const input = Readable.from(copies(), { objectMode: false });
  const unpacked = createGunzip();
  // Errors come out of the iteration below.
  pipeline(input, unpacked, () => {});
  let size = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limits.unpacked) throw tooLarge(`${name}, unpacked`, limits.unpacked);
      yield chunk;
    }
  } catch (error) {
    if (!codeOf(error).startsWith('Z_')) throw error;
    throw new InputError(`${name}: the gzip archive is damaged or cut off. Fetch it again.`, { cause: error });
  }
}
