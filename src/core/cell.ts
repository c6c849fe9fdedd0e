/**
 * Control characters, soft hyphens, byte order marks, and the format characters that nobody sees but that make
 * two equal names differ. U+200C and U+200D stay where a script needs them: after a mark (Sinhala, Devanagari
 * conjuncts) or an Arabic letter, before another letter.
 */
const invisible =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|(?<![\p{M}\p{Script=Arabic}])[\u200c\u200d]|[\u200c\u200d](?!\p{L})/gu;
const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const plain = /^[!-~]+(?: [!-~]+)*$/;

/**
 * The text of a cell as a person meant it: NFC, without characters that cannot be seen, line breaks and tabs as
 * one space, trimmed. Everything else stays as written.
 */
export function cleanCell(cell: string): string {
  if (cell === '' || plain.test(cell)) return cell;
  return cell.replace(lineBreaks, ' ').replace(invisible, '').normalize('NFC').trim();
}

const localPart = String.raw`[^\s@"<>()\[\]\\,;:\u201c\u201d\u200c\u200d.]+`;
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}\-]{0,61}[\p{L}\p{N}\p{M}])?`;
const address = new RegExp(
  String.raw`^${localPart}(?:\.${localPart})*@(?:${label}\.)+(?!\d+$)[\p{L}\p{N}][\p{L}\p{N}\p{M}\-]*[\p{L}\p{N}\p{M}]$`,
  'u',
);

/** RFC 5321, 4.5.3.1: a path has at most 256 octets, with its angle brackets. */
const longestAddress = 254;

/**
 * Whether a text can be an e-mail address that an invitation reaches: one `@`, no spaces, quotes or brackets, a
 * domain with a dot. Letters of any script are allowed on both sides. Not all of RFC 5322 on purpose: what that
 * allows beyond this is, in a roster, a mistake.
 */
export function isEmailAddress(text: string): boolean {
  return text.length <= longestAddress && address.test(text);
}
