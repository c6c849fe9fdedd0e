// Reads a whole cell of groups: lists in the notation of programs, and what programs left instead of a name.

/** Names of types, objects and code: `System.Object[]`, `[object Object]`, `List\`1[System.String]`, `<User object at 0x7f>`, and fields of templates that nobody filled: `{{department}}`, `${dept}`. */
const spoilt =
  /^(?:[$#]?\{\{?[$\w. ]+\}\}|[$#]\{[\w. ]+\}|%[A-Z_]+%|<%.*%>|\[object \w+\]|Array|(?:System|Microsoft|javax?)\.[\w.$`]+(?:\[[\w., ]*\])?(?:@[\da-f]+)?|[\w.]+`\d+\[.*\]|<.* object at 0x[\da-f]+>|#<\w.*>|array\s?\(.*\)|[aOs]:\d+:[{"].*|.*\[\{.*\}\]|\{["'].*["']\s*:.*\})$/s;

/** More of a cell does not tell what it is. */
const mostLookedAt = 300;

/** Why a cleaned cell names no group, as the end of a sentence; undefined if it may. */
export function groupFault(cell: string): string | undefined {
  if (/^=.|^@[A-Z]+\(|^-\d+[-+*/]\d/.test(cell)) return 'is a formula: save its value';
  return spoilt.test(cell.slice(0, mostLookedAt))
    ? 'is what a program wrote in place of a value: export the names'
    : undefined;
}

const closing: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')', '"': '"' };
const item = /(?:"((?:[^"\\]|\\.)*)"\s*|'((?:[^'\\]|\\.)*)'\s*|([^,]*))(?:,\s*|$)/gy;

/**
 * The names in a list as JSON (`["A","B"]`), Python (`['A']`, `('A',)`), PostgreSQL (`{A,B}`) and mailing lists (`"A","B"`) write it;
 * undefined for any other cell.
 */
export function listIn(cell: string): string[] | undefined {
  const first = cell[0] ?? '';
  if (cell.length < 2 || closing[first] !== cell.at(-1) || cell.startsWith('{{')) return undefined;
  const isBare = first === '"';
  const inner = isBare ? cell : cell.slice(1, -1).trim();
  if (isBare ? !/^"[^"]*"(?:\s*,\s*"[^"]*")+$/.test(cell) : first === '(' && !/^(?:'[^']*'|"[^"]*")/.test(inner))
    return undefined;
  const names = [...inner.matchAll(item)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
  return names.map((name) => name.replace(/\\(.)/g, '$1').trim()).filter((name) => name !== '');
}

const separator = ';';

/**
 * Several names as one cell, which `split: ';'` takes apart again. A separator inside a name becomes a comma, so that nobody gets
 * into a group because of another group's name.
 * @param renamed gets the names that were changed
 */
export function namesInOneCell(names: readonly string[], renamed: Set<string>): string {
  const written = names.map((name) => {
    if (!name.includes(separator)) return name;
    renamed.add(name);
    return name.replaceAll(separator, ',');
  });
  return written.join(separator);
}
