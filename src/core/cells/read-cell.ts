// Cleans a cell and guards it against formulas, finds the e-mail address in it, and reads the groups it lists.
import { quote } from '../text/format.ts';
import { isDamaged } from './placeholders.ts';
import { say } from '../words/say.ts';

/**
 * Control characters, soft hyphens, byte order marks, and the format characters that nobody sees but that make
 * two equal names differ. U+200C and U+200D stay where a script needs them: after a mark (Sinhala, Devanagari
 * conjuncts) or an Arabic letter, before another letter.
 */
const invisible =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|(?<![\p{M}\p{Script=Arabic}])[\u200c\u200d]|[\u200c\u200d](?!\p{L})/gu;
const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Visible characters of ASCII and Latin, none of which NFC changes, with single spaces between them: nearly every cell. */
const plain = /^[!-~\u00a1-\u00ac\u00ae-\u024f]+(?: [!-~\u00a1-\u00ac\u00ae-\u024f]+)*$/;

/** As a person meant it: NFC, nothing invisible, line breaks and tabs as one space, trimmed; all else as written. */
export function cleanCell(cell: string): string {
  if (cell === '' || plain.test(cell)) return cell;
  return cell.replace(lineBreaks, ' ').replace(invisible, '').normalize('NFC').trim();
}

/** Dutch and Afrikaans names that begin with one: `'t Hart`, `'s-Gravenhage`, `'n Blom`. */
const apostropheOfName = /^'[dnst][\s-]/i;

/** Whether a cell begins with the apostrophe by which Excel marks text, and not with one of a name. */
export function hasTextMark(cell: string): boolean {
  return cell.charCodeAt(0) === 39 && !apostropheOfName.test(cell);
}

/** What a spreadsheet would run (OWASP, "CSV Injection"), or begins with a text mark. Our reader takes one away. */
export const guarded = /^(?:'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]|'(?![dnst][\s-]))/i;

export function guardCell(cell: string): string {
  return guarded.test(cell) ? `'${cell}` : cell;
}

const localPart = String.raw`[^\s@"<>()\[\]\\,;:\u201c\u201d\u200c\u200d.]+`;
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}\-]{0,61}[\p{L}\p{N}\p{M}])?`;
let address: RegExp | undefined;

/** Made when it is first needed, since that takes as long as to read thousands of rows. */
function makeAddress(): RegExp {
  const domain = String.raw`(?:${label}\.)+(?!\d+$)[\p{L}\p{N}][\p{L}\p{N}\p{M}\-]*[\p{L}\p{N}\p{M}]`;
  return new RegExp(String.raw`^${localPart}(?:\.${localPart})*@${domain}$`, 'u');
}

/** What most addresses look like: letters and digits of ASCII, and the few signs with which nothing can be wrong. */
const ordinary =
  /^[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$/;

/** RFC 5321, 4.5.3.1: a path has at most 256 octets, with its angle brackets. */
const longestAddress = 254;

/**
 * Whether a text can be an e-mail address that an invitation reaches: one `@`, no spaces, quotes or brackets, a
 * domain with a dot. Letters of any script are allowed on both sides. Not all of RFC 5322 on purpose: what that
 * allows beyond this is, in a roster, a mistake.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > longestAddress || !text.includes('@') || /[\s,;]/.test(text)) return false;
  return ordinary.test(text) || (text.isWellFormed() && (address ??= makeAddress()).test(text));
}

const linked = /^mailto:([^?]+)/i;
const named = /^([^<>()]*)[<(]\s*(?:mailto:)?([^<>()\s]+)\s*[>)]$/i;

/** The primary one of those that Exchange and Active Directory list: `smtp:ann@old.example;SMTP:ann@example.com`. */
const primary = /(?:^|[\s;,|])SMTP:([^\s;,|]+)/;

/** As people and mail programs write it: `mailto:ann@example.com`, `Ann Ek <ann@example.com>`, `Ann Ek (ann@example.com)`; any other text as it is. */
export function addressIn(text: string): string {
  const end = text.charCodeAt(text.length - 1);
  const found = end === 62 || end === 41 ? named.exec(text) : undefined;
  if (found) return found[1]?.includes('@') || !isEmailAddress(found[2] ?? '') ? text : (found[2] ?? '');
  if (text.charCodeAt(6) !== 58) return text.includes(':') ? (primary.exec(text)?.[1] ?? text) : text;
  const link = linked.exec(text)?.[1]?.trim() ?? '';
  return isEmailAddress(link) ? link : text;
}

/** The name that mail programs write before an address: `Ann Ek <ann@example.com>`; any other text as it is. */
export function nameBeside(text: string): string {
  const found = named.exec(text);
  return found && isEmailAddress(found[2] ?? '') ? (found[1] ?? '').trim().replace(/^"(.*)"$/, '$1') : text;
}

/** Whether an address has letters before the `@` that many mail servers refuse: none of ASCII, or dots over letters that have their own. */
export function hasOddLetters(email: string): boolean {
  return !ordinary.test(email) && /[^ -~]/.test(email.slice(0, email.lastIndexOf('@')));
}

/** Before the `@`, a server may take what follows these signs for the address that is meant: `x%evil.example@ours.example`. */
const routing = /[%!]/;

const latin = /\p{Script=Latin}/u;
const likeLatin = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Whether a word of Latin letters has one of another alphabet that looks the same, such as a Cyrillic `а`. */
function isMixed(email: string): boolean {
  return likeLatin.test(email) && email.split(/[@._+-]/).some((word) => latin.test(word) && likeLatin.test(word));
}

/**
 * Why nobody may be invited by an address; undefined if somebody may. Beyond `isEmailAddress`: no characters that only look
 * like others (full-width letters, ligatures, `\uff20`), which a mail server turns into another address than the one that we
 * remember, and no sign by which a mail server sends it on to another.
 */
export function addressFault(email: string): string | undefined {
  if (email.length <= longestAddress && ordinary.test(email)) return undefined;
  const said = { email: quote(email) };
  if (!isEmailAddress(email)) return say('notAnAddress', 1, said);
  if (routing.test(email.slice(0, email.lastIndexOf('@')))) return say('routedAddress', 1, said);
  if (email.normalize('NFKC') !== email.normalize('NFC') || /[\uff20\ufe6b\u3002\uff61]/.test(email)) {
    return say('lookingAlike', 1, said);
  }
  return isMixed(email) ? say('mixedLetters', 1, said) : undefined;
}

/** Names of types, objects and code: `System.Object[]`, `[object Object]`, `List\`1[System.String]`, `<User object at 0x7f>`, and fields of templates that nobody filled: `{{department}}`, `${dept}`. */
const spoilt =
  /^(?:[$#]?\{\{?[$\w. ]+\}\}|[$#]\{[\w. ]+\}|%[A-Z_]+%|<%.*%>|\[object \w+\]|Array|(?:System|Microsoft|javax?)\.[\w.$`]+(?:\[[\w., ]*\])?(?:@[\da-f]+)?|[\w.]+`\d+\[.*\]|<.* object at 0x[\da-f]+>|#<\w.*>|array\s?\(.*\)|[aOs]:\d+:[{"].*|.*\[\{.*\}\]|\{["'].*["']\s*:.*\})$/s;

/** The most characters of a group's name: what is longer is no name. */
export const longestGroup = 500;
/** More of a cell does not tell what it is. */
const mostLookedAt = 300;

/** What a cleaned cell is that names no group, as the sentences of `group-` name it; undefined if it may. */
export function groupFault(cell: string): string | undefined {
  if (/^=.|^@[A-Z]+\(|^-\d+[-+*/]\d/.test(cell)) return 'formula';
  if (isDamaged(cell)) return 'damaged';
  if (cell.length > longestGroup) return 'long';
  return spoilt.test(cell.slice(0, mostLookedAt)) ? 'spoilt' : undefined;
}

const closing: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')', '"': '"' };
/** A text in quotes, or from one without its end on: only so is a cell of many quotes looked through once. */
const quoted = /"(?:[^"\\]|\\.?)*("|$)|'(?:[^'\\]|\\.?)*('|$)/gs;
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
  // `[EXT] Sales [DK]` is a name.
  const bare = inner.replace(quoted, (text, double, single) => (double || single ? '' : text));
  if (!isBare && (bare.includes(first) || bare.includes(closing[first] ?? ''))) return undefined;
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
