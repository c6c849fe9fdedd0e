// Reads an .xlsx workbook's list of sheets, styles and shared texts.
import { refusal, InputError } from '../../core/errors.ts';
import { listZip } from '../archive/zip.ts';
import type { ReadLimits } from '../files/limits.ts';
import { append, type NamedSheet } from '../workbook/sheet-builder.ts';
import { numberKind, type NumberKind } from './number-format.ts';
import { attributeOf, readXml, type XmlListener } from './xml.ts';

export interface Sheet extends NamedSheet {
  /** Where it is in the archive. */
  part: string;
}

export interface Workbook {
  sheets: Sheet[];
  texts: string[];
  /** By the number that a cell gives for its style. */
  kinds: NumberKind[];
  is1904: boolean;
}

/** What is read as a whole, except shared texts, is small; a file that unpacks to more is made to take memory. */
const mostOfPart = 64 * 1024 ** 2;

export interface Package {
  readonly file: string;
  readonly limits: ReadLimits;
  bytes(part: string): AsyncGenerator<Uint8Array>;
  /** Reads a part to its end. Without such a part nothing is heard. Throws an `InputError` for one that is too large. */
  read(part: string, listener: XmlListener, mostBytes?: number): Promise<void>;
}

export async function openPackage(fd: number, file: string, limits: ReadLimits): Promise<Package> {
  const entries = new Map((await listZip(fd, file, limits)).map((entry) => [entry.name.toLowerCase(), entry]));
  const bytes = async function* (part: string): AsyncGenerator<Uint8Array> {
    yield* entries.get(part.toLowerCase())?.read() ?? [];
  };
  return {
    file,
    limits,
    bytes,
    async read(part, listener, mostBytes = mostOfPart) {
      const entry = entries.get(part.toLowerCase());
      if (!entry) return;
      if (entry.sizeBytes > mostBytes)
        throw new InputError(`${file}: ${part} in it is larger than any workbook needs.`);
      for await (const _ of readXml(bytes(part), listener, file, limits.record));
    },
  };
}

/** Reads what the sheets of a workbook need. Throws an `InputError` if there is no sheet, or too much text. */
export async function readWorkbook(pack: Package): Promise<Workbook> {
  const root = await readRelations(pack, '_rels/.rels', '');
  const part = [...root.values()].find(({ type }) => type.endsWith('/officeDocument'))?.target ?? 'xl/workbook.xml';
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const name = part.slice(folder.length);
  const relations = await readRelations(pack, `${folder}_rels/${name}.rels`, folder);
  const { sheets, is1904 } = await readSheets(pack, part, relations);
  if (sheets.length === 0) throw new InputError(`${pack.file}: the workbook has no sheet with a table.`);
  const targetOf = (type: string, fallback: string): string =>
    [...relations.values()].find((relation) => relation.type.endsWith(type))?.target ?? folder + fallback;
  const texts = await readTexts(pack, targetOf('/sharedStrings', 'sharedStrings.xml'));
  const kinds = await readKinds(pack, targetOf('/styles', 'styles.xml'));
  return { sheets, texts, kinds, is1904 };
}

interface Relation {
  type: string;
  target: string;
}

/** The parts that a part refers to; what is outside of the workbook is left out. */
async function readRelations(pack: Package, part: string, folder: string): Promise<Map<string, Relation>> {
  const relations = new Map<string, Relation>();
  await pack.read(part, {
    open(name, { Id, Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || Id === undefined || TargetMode === 'External') return;
      relations.set(Id, {
        type: Type,
        target: Target.startsWith('/') ? Target.slice(1) : new URL(Target, `file:///${folder}`).pathname.slice(1),
      });
    },
  });
  return relations;
}

async function readSheets(
  pack: Package,
  part: string,
  relations: ReadonlyMap<string, Relation>,
): Promise<Pick<Workbook, 'sheets' | 'is1904'>> {
  const sheets: Sheet[] = [];
  let is1904 = false;
  await pack.read(part, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
      if (name !== 'sheet') return;
      const relation = relations.get(attributeOf(attributes, 'id') ?? '');
      if (!relation?.type.endsWith('/worksheet')) return;
      const isHidden = (attributes['state'] ?? 'visible') !== 'visible';
      // Each is read for itself: many that are one part could take days.
      if (sheets.some(({ part }) => part === relation.target)) return;
      const { file, limits } = pack;
      if (sheets.length >= limits.files) throw refusal('manySheets', { file, most: limits.files });
      sheets.push({ name: attributes['name'] ?? '', isHidden, part: relation.target });
    },
  });
  return { sheets, is1904 };
}

async function readTexts(pack: Package, part: string): Promise<string[]> {
  const texts: string[] = [];
  let characters = 0;
  let text = '';
  let isText = false;
  let phonetic = 0;
  const listener: XmlListener = {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') phonetic++;
      isText = name === 't' && phonetic === 0;
    },
    text(part) {
      if (isText) text = append(text, part, pack.file, pack.limits);
    },
    close(name) {
      isText = false;
      if (name === 'rPh') phonetic--;
      if (name !== 'si') return;
      characters += text.length + 16;
      const { file, limits } = pack;
      if (characters > limits.texts) throw refusal('muchText', { file, most: limits.texts });
      texts.push(unescape(text));
    },
  };
  await pack.read(part, listener, pack.limits.unpacked);
  return texts;
}

/** Characters that XML cannot hold are written `_x000D_` (ECMA-376, 22.9.2.19). */
export function unescape(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

async function readKinds(pack: Package, part: string): Promise<NumberKind[]> {
  const codes = new Map<number, string>();
  const kinds: NumberKind[] = [];
  let isInside = false;
  await pack.read(part, {
    open(name, attributes) {
      const id = Number(attributes['numFmtId'] ?? 0);
      if (name === 'numFmt') codes.set(id, attributes['formatCode'] ?? '');
      if (name === 'cellXfs') isInside = true;
      if (name === 'xf' && isInside) kinds.push(numberKind(id, codes.get(id)));
    },
    close(name) {
      if (name === 'cellXfs') isInside = false;
    },
  });
  return kinds;
}
