/** A value of a cell: a text, a number with the number of its style, a flag, an error, or a formula's text. */
export type XlsCell = string | { number: number; style?: number } | boolean | { error: true } | { formula: string };

export interface XlsSheet {
  name: string;
  rows: readonly (readonly (XlsCell | undefined)[])[];
  /** Cells merged over rows: first row, last row, column, from 0. */
  merges?: readonly (readonly [number, number, number])[];
  hiddenRows?: readonly number[];
  isHidden?: boolean;
}

export interface XlsParts {
  sheets: readonly XlsSheet[];
  /** `old` names its stream and its version as Excel 5 did. */
  version?: 'old' | 'new';
  /** Texts stand in their cells, as some programs write them. */
  isInline?: boolean;
  is1904?: boolean;
  /** Codes of number formats, used as style 1, 2 …; style 0 is plain. A number is a built-in format. */
  formats?: readonly (string | number)[];
  isLocked?: boolean;
  /** Without the last records. */
  isCut?: boolean;
}

/** A record (MS-XLS, 2.1.4); what is longer than one may be is continued. */
export function record(type: number, ...data: Uint8Array[]): Buffer {
  const all = Buffer.concat(data);
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(all.length, 2);
  return Buffer.concat([head, all]);
}

export function shorts(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 2);
  for (const [at, number] of numbers.entries()) bytes.writeUInt16LE(number & 0xffff, at * 2);
  return bytes;
}

function long(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}

function double(number: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(number);
  return bytes;
}

/** A text of BIFF8, narrow where its characters allow. */
export function wideText(text: string, lengthBytes: 1 | 2 = 2): Buffer {
  const length = lengthBytes === 1 ? Buffer.from([text.length]) : shorts(text.length);
  const isWide = /[^\0-\xff]/.test(text);
  return Buffer.concat([length, Buffer.from([isWide ? 1 : 0]), Buffer.from(text, isWide ? 'utf16le' : 'latin1')]);
}

/** The shared texts, in records of at most `most` bytes: a text that is parted says again how wide it is. */
export function sharedTexts(texts: readonly string[], most = 8224): Buffer {
  const parts: number[][] = [[...long(texts.length), ...long(texts.length)]];
  const room = () => most - (parts.at(-1)?.length ?? 0);
  const put = (bytes: Iterable<number>) => parts.at(-1)?.push(...bytes);
  for (const text of texts) {
    const isWide = /[^\0-\xff]/.test(text);
    if (room() < 4) parts.push([]);
    put([...shorts(text.length), isWide ? 1 : 0]);
    for (let at = 0; at < text.length;) {
      if (room() < 2) parts.push([isWide ? 1 : 0]);
      const some = text.slice(at, at + Math.floor(room() / (isWide ? 2 : 1)));
      put(Buffer.from(some, isWide ? 'utf16le' : 'latin1'));
      at += some.length;
    }
  }
  return Buffer.concat(parts.map((part, at) => record(at === 0 ? 0xfc : 0x3c, Buffer.from(part))));
}

/** The stream with the records of a workbook. */
export function streamOfXls({ sheets, version = 'new', ...parts }: XlsParts): Buffer {
  const texts: string[] = [];
  const { formats = [], isInline = false } = parts;
  const begin = (kind: number) => record(0x809, shorts(version === 'new' ? 0x600 : 0x500, kind, 0, 0));
  const bodies = sheets.map((sheet) => sheetOf(sheet, isInline, texts, begin(0x10), parts.isCut ?? false));
  const codes = formats.map((format, at) => (typeof format === 'number' ? format : 164 + at));
  const shared = [
    begin(5),
    ...(parts.isLocked ? [record(0x2f, shorts(1, 1))] : []),
    record(0x42, shorts(1200)),
    record(0x22, shorts(parts.is1904 ? 1 : 0)),
    ...formats.flatMap((format, at) => {
      if (typeof format === 'number') return [];
      return [record(0x41e, shorts(164 + at), wideText(format))];
    }),
    ...[0, ...codes].map((code) => record(0xe0, shorts(0, code), Buffer.alloc(16))),
  ];
  const end = Buffer.concat([sharedTexts(texts), record(0x0a)]);
  const names = sheets.map(({ name, isHidden }) => {
    return { flags: Buffer.from([isHidden ? 1 : 0, 0]), text: wideText(name, 1) };
  });
  const namesLength = names.reduce((sum, { text }) => sum + 4 + 6 + text.length, 0);
  let offset = Buffer.concat(shared).length + namesLength + end.length;
  const listed = names.map(({ flags, text }, at) => {
    const one = record(0x85, long(offset), flags, text);
    offset += bodies[at]?.length ?? 0;
    return one;
  });
  return Buffer.concat([...shared, ...listed, end, ...bodies]);
}

function sheetOf(
  { rows, merges = [], hiddenRows = [] }: XlsSheet,
  isInline: boolean,
  texts: string[],
  begin: Buffer,
  isCut: boolean,
): Buffer {
  const cells = rows.flatMap((cells, row) =>
    cells.map((cell, column) => {
      const place = (style = 0) => shorts(row, column, style);
      if (cell === undefined) return Buffer.alloc(0);
      if (typeof cell === 'string') {
        return isInline ? record(0x204, place(), wideText(cell)) : record(0xfd, place(), long(texts.push(cell) - 1));
      }
      if (typeof cell === 'boolean') return record(0x205, place(), Buffer.from([cell ? 1 : 0, 0]));
      if ('number' in cell) return record(0x203, place(cell.style), double(cell.number));
      if ('error' in cell) return record(0x205, place(), Buffer.from([0x2a, 1]));
      const formula = Buffer.concat([place(), Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff]), Buffer.alloc(8)]);
      return Buffer.concat([record(0x06, formula), record(0x207, wideText(cell.formula))]);
    }),
  );
  return Buffer.concat([
    begin,
    ...hiddenRows.map((row) => record(0x208, shorts(row, 0, 9, 255, 0, 0, 0x20, 0))),
    ...cells,
    ...(merges.length > 0
      ? [record(0xe5, shorts(merges.length), ...merges.map(([from, to, column]) => shorts(from, to, column, column)))]
      : []),
    ...(isCut ? [] : [record(0x0a)]),
  ]);
}

const none = 0xffffffff;

/** A compound file (MS-CFB) with the given streams at the top, each in sectors of 512 bytes. */
export function compoundFile(streams: Readonly<Record<string, Uint8Array>>): Buffer {
  const sectors: Buffer[] = [];
  const chains: number[] = [];
  const add = (bytes: Uint8Array): number => {
    const first = sectors.length;
    const count = Math.max(1, Math.ceil(bytes.length / 512));
    for (let at = 0; at < count; at++) {
      sectors.push(Buffer.concat([bytes.subarray(at * 512, at * 512 + 512), Buffer.alloc(512)]).subarray(0, 512));
      chains.push(at === count - 1 ? 0xfffffffe : first + at + 1);
    }
    return first;
  };
  const names = Object.keys(streams);
  const entry = (name: string, type: number, [right, child]: [number, number], start: number, size: number) => {
    const bytes = Buffer.alloc(128);
    bytes.write(name, 'utf16le');
    bytes.writeUInt16LE(name.length * 2 + 2, 64);
    bytes.writeUInt8(type, 66);
    bytes.writeUInt32LE(none, 68);
    bytes.writeUInt32LE(right, 72);
    bytes.writeUInt32LE(child, 76);
    bytes.writeUInt32LE(start, 116);
    bytes.writeUInt32LE(size, 120);
    return bytes;
  };
  const entries = names.map((name, at) => {
    const content = streams[name] ?? new Uint8Array();
    // A stream of fewer than 4096 bytes would stand elsewhere.
    const padded = Buffer.concat([content, Buffer.alloc(Math.max(0, 4096 - content.length))]);
    return entry(name, 2, [at + 2 <= names.length ? at + 2 : none, none], add(padded), padded.length);
  });
  const directory = add(Buffer.concat([entry('Root Entry', 5, [none, 1], 0xfffffffe, 0), ...entries]));
  const fatCount = Math.ceil((chains.length + Math.ceil(chains.length / 127)) / 128);
  const fatAt = sectors.length;
  const fat = Buffer.alloc(fatCount * 512, 0xff);
  for (const [at, next] of chains.entries()) fat.writeUInt32LE(next, at * 4);
  for (let at = 0; at < fatCount; at++) fat.writeUInt32LE(0xfffffffd, (fatAt + at) * 4);
  const head = Buffer.alloc(512);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(head);
  head.writeUInt16LE(3, 26);
  head.writeUInt16LE(9, 30);
  head.writeUInt16LE(6, 32);
  head.writeUInt32LE(fatCount, 44);
  head.writeUInt32LE(directory, 48);
  head.writeUInt32LE(4096, 56);
  head.writeUInt32LE(0xfffffffe, 60);
  head.writeUInt32LE(0xfffffffe, 68);
  head.fill(0xff, 76);
  for (let at = 0; at < fatCount; at++) head.writeUInt32LE(fatAt + at, 76 + at * 4);
  return Buffer.concat([head, ...sectors, fat]);
}

/** An old workbook. */
export function xlsOf(parts: XlsParts): Buffer {
  const stream = streamOfXls(parts);
  return compoundFile({ [parts.version === 'old' ? 'Book' : 'Workbook']: stream });
}
