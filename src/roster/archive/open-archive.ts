// Opens a zip or gzip archive as a roster.
import { refusal } from '../../core/errors.ts';
import { openBundle } from '../bundle/open-bundle.ts';
import type { Folder } from '../bundle/recognise.ts';
import { listed } from '../../core/text/format.ts';
import { bytesOf, type RosterBytes, type Source } from '../files/bytes.ts';
import { formatByName, formats } from '../files/magic.ts';
import { openingInside, type Opening, type RosterFile } from '../roster-file.ts';
import { openWorkbook } from '../workbook/open-workbook.ts';
import { listZip } from './zip.ts';

export type OpenStream = (
  input: AsyncIterable<Uint8Array>,
  name: string,
  modifiedAt: () => Date,
  opening: Opening,
) => Promise<RosterFile>;

const mostListed = 20;

/** Opens a zip archive: a workbook, one file, or a bundle of files. Throws an `InputError` for anything else. */
export async function openArchive(source: Source, opening: Opening, openStream: OpenStream): Promise<RosterFile> {
  const { options } = opening;
  const bytes = await bytesOf(source, opening.limits.bytes);
  const { file } = bytes;
  let isKept = false;
  try {
    const names = await listNames(bytes, opening);
    refuseForeign(names, file);
    if (names.includes('[Content_Types].xml') || names.includes('xl/workbook.xml')) {
      isKept = true;
      return await openWorkbook('xlsx', bytes, opening);
    }
    if (names.includes('content.xml') && names.includes('mimetype')) {
      await assertSpreadsheet(bytes, names, opening);
      isKept = true;
      return await openWorkbook('ods', bytes, opening, () => readEntry(bytes, 'content.xml', opening));
    }
    if (options.format === 'xlsx' || options.format === 'ods')
      throw refusal('zipOtherFormat', { file, format: formats[options.format].title });
    const read = (name: string, opening: Opening) =>
      openStream(readEntry(bytes, name, opening), `${file}/${name}`, () => bytes.modifiedAt, opening);
    const known = names.filter((name) => formatByName(name) !== undefined);
    // XML may be a workbook of Excel 2003; beside other files it only describes them.
    const readable = known.length > 0 ? known : names.filter((name) => /\.xml$/i.test(name));
    const [only] = readable;
    const inside = openingInside(opening);
    const { modifiedAt } = bytes;
    const folder: Folder = { file, names: readable, open: (name) => read(name, inside), modifiedAt };
    if (options.join || options.format === 'bundle' || readable.length > 1) {
      return await openBundle(folder, opening);
    }
    if (only !== undefined) return await read(only, opening);
    throw refusal('nothingInZip', { file, names: names.length === 0 ? '' : `: ${listed(names, mostListed)}` });
  } finally {
    if (!isKept) await bytes.close();
  }
}

async function listNames(bytes: RosterBytes, { limits }: Opening): Promise<string[]> {
  const entries = bytes.within(async function* (fd) {
    yield* await listZip(fd, bytes.file, limits);
  });
  return Array.fromAsync(entries, ({ name }) => name);
}

async function* readEntry(bytes: RosterBytes, name: string, { limits }: Opening): AsyncGenerator<Uint8Array> {
  yield* bytes.within(async function* (fd) {
    const entry = (await listZip(fd, bytes.file, limits)).find((entry) => entry.name === name);
    if (entry) yield* entry.read();
  });
}

function refuseForeign(names: readonly string[], file: string): void {
  const has = (start: string): boolean => names.some((name) => name.startsWith(start));
  if (names.includes('xl/workbook.bin')) throw refusal('binaryWorkbook', { file });
  if (has('Index/') && has('Metadata/')) throw refusal('appleFile', { file });
  if (has('word/') || has('ppt/')) throw refusal('officeDocument', { file });
}

/** The most bytes of an OpenDocument file that are read besides its sheets. */
const mostOfPart = 1024 ** 2;

/** Throws an `InputError` for an OpenDocument file that is no spreadsheet, or is locked. */
async function assertSpreadsheet(bytes: RosterBytes, names: readonly string[], opening: Opening): Promise<void> {
  const { file } = bytes;
  const read = async (name: string): Promise<string> => {
    let text = '';
    for await (const chunk of readEntry(bytes, name, opening)) {
      text += Buffer.from(chunk).toString('latin1');
      if (text.length > mostOfPart) break;
    }
    return text;
  };
  if (!(await read('mimetype')).startsWith('application/vnd.oasis.opendocument.spreadsheet'))
    throw refusal('noSpreadsheet', { file });
  if (!names.includes('encrypted-package') && !(await read('META-INF/manifest.xml')).includes('encryption-data'))
    return;
  throw refusal('lockedWorkbook', { file });
}
