// Undoes URL, JSON and HTML escapes level by level, so that escaped secrets are found.

/** A text with its escapes undone, and where each of its units begins in the text that they stood in. */
export interface Unescaped {
  text: string;
  /** For each unit of `text`, and for its end, the place in the original; absent of the original itself. */
  starts?: Uint32Array;
}

/** JSON within JSON within JSON, URL-encoded again: nobody who echoes a text goes further. */
const mostLevels = 6;

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
/** `%C3%BC`, `\u00fc`, `\xfc`, `\n`, `&#252;`, `&#xfc;`, `&amp;`; and `+`, which is a space in a form. */
const escapes =
  /(?:%[\dA-Fa-f]{2})+|\\(?:u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[^ux])|&(?:#\d{1,8}|#[xX][\dA-Fa-f]{1,8}|amp|lt|gt|quot|apos|nbsp);|\+/g;

/** Undone once, twice and so on: URL encoding, JSON, HTML. Steps grow with the length of the text only. */
export function unescapeLevels(text: string): Unescaped[] {
  const levels: Unescaped[] = [{ text }];
  for (let level = 1, before: Unescaped = { text }; level <= mostLevels; level++) {
    const next = undo(before);
    if (!next) break;
    levels.push(next);
    before = next;
  }
  return levels;
}

export function startOf({ starts }: Unescaped, at: number): number {
  return starts ? (starts[at] ?? 0) : at;
}

/** Undefined where there was nothing to undo. */
function undo(before: Unescaped): Unescaped | undefined {
  const { text } = before;
  if (text.search(escapes) === -1) return undefined;
  const units = new Uint16Array(text.length);
  const starts = new Uint32Array(text.length + 1);
  let length = 0;
  let done = 0;
  const put = (unit: number, at: number): void => {
    units[length] = unit;
    starts[length++] = startOf(before, at);
  };
  const putCode = (code: number, at: number): void => {
    if (code <= 0xffff) put(code, at);
    else for (const unit of String.fromCodePoint(code).split('')) put(unit.charCodeAt(0), at);
  };
  const copyTo = (end: number): void => {
    for (; done < end; done++) put(text.charCodeAt(done), done);
  };
  for (const { index, 0: escape } of text.matchAll(escapes)) {
    const meant = meaningOf(escape);
    if (meant === undefined) continue;
    copyTo(index);
    for (const { code, at } of meant) putCode(code, index + at);
    done = index + escape.length;
  }
  if (done === 0) return undefined;
  copyTo(text.length);
  starts[length] = startOf(before, text.length);
  const undone = Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
  return { text: undone, starts: starts.subarray(0, length + 1) };
}

/** The characters that an escape stands for, and where in it each begins; undefined if there is no such character. */
function meaningOf(escape: string): { code: number; at: number }[] | undefined {
  const [first, second = '', third = ''] = escape;
  if (first === '%') return charactersIn(Buffer.from(escape.replaceAll('%', ''), 'hex'));
  let code = 0x20;
  if (first === '\\') {
    code = escape.length > 2 ? Number.parseInt(escape.slice(2), 16) : (controls[second] ?? second).charCodeAt(0);
  } else if (second === '#') {
    code = /x/i.test(third) ? Number.parseInt(escape.slice(3, -1), 16) : Number(escape.slice(2, -1));
  } else if (first === '&') code = named[escape.slice(1, -1)]?.charCodeAt(0) ?? 0;
  return code > 0x10ffff ? undefined : [{ code, at: 0 }];
}

/** URL-encoded bytes as UTF-8; a byte that begins no character of it as Latin-1. */
function charactersIn(bytes: Buffer): { code: number; at: number }[] {
  const characters: { code: number; at: number }[] = [];
  for (let from = 0; from < bytes.length;) {
    const first = bytes[from] ?? 0;
    const size = first < 0xc2 || first > 0xf4 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    const others = bytes.subarray(from + 1, from + size);
    const isWhole = others.length === size - 1 && others.every((byte) => (byte & 0xc0) === 0x80);
    const code = others.reduce(
      (sum, byte) => (sum << 6) | (byte & 0x3f),
      size === 1 ? first : first & (0xff >> (size + 1)),
    );
    characters.push({ code: isWhole && code <= 0x10ffff ? code : first, at: from * 3 });
    from += isWhole ? size : 1;
  }
  return characters;
}
