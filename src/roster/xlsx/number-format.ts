// Formats a number or date as its Excel cell shows it.

export type NumberKind = { kind: 'plain' } | { kind: 'date'; hasDay: boolean } | { kind: 'padded'; digits: number };

const plain: NumberKind = { kind: 'plain' };

/** The formats that have a number and no code of their own and are dates or times (ECMA-376, 18.8.30; 27–36 and 50–58 in East Asia). */
function isBuiltInDate(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
}

const builtInTimes = new Set([18, 19, 20, 21, 45, 46, 47]);

/** What a number format makes of a number; `code` is that of the workbook's own formats. */
export function numberKind(id: number, code: string | undefined): NumberKind {
  if (code === undefined) return isBuiltInDate(id) ? { kind: 'date', hasDay: !builtInTimes.has(id) } : plain;
  const [positive = ''] = code.split(';');
  const padded = /^0{2,}$/.exec(positive.trim());
  if (padded) return { kind: 'padded', digits: padded[0].length };
  // What is quoted, escaped, or in brackets is no part of the pattern, except elapsed time.
  const pattern = positive
    .replace(/"[^"]*"|\\.|_./g, '')
    .replace(/\[(h+|m+|s+)\]/gi, '$1')
    .replace(/\[[^[\]]*\]/g, '');
  if (/general/i.test(pattern) || !/[ymdhs]/i.test(pattern)) return plain;
  return { kind: 'date', hasDay: /[yd]/i.test(pattern) || !/[hs]/i.test(pattern) };
}

const dayMs = 86_400_000;
/** Day 0 of the two ways in which Excel counts days, in ms since 1970. */
const epochs = { from1900: Date.UTC(1899, 11, 30), from1904: Date.UTC(1904, 0, 1) };
/** The 31st of December 9999. */
const lastDay = 2_958_465;

/** A day number of Excel as `2026-03-01`, with the time behind it where there is one; a time alone as `08:30:00`. */
export function writeDate(days: number, hasDay: boolean, is1904: boolean): string | undefined {
  if (!(days >= 0 && days <= lastDay + 1)) return undefined;
  // Excel has a 29th of February 1900, which was not: days before it are one less.
  const shifted = !is1904 && days < 60 && days >= 1 ? days + 1 : days;
  const seconds = Math.round((shifted * dayMs) / 1000);
  const text = new Date((is1904 ? epochs.from1904 : epochs.from1900) + seconds * 1000).toISOString();
  const time = text.slice(11, 19);
  if (!hasDay) return time;
  return time === '00:00:00' ? text.slice(0, 10) : `${text.slice(0, 10)} ${time}`;
}

/** A number as a person would have typed it: no exponent, no more than the 15 digits that Excel keeps. */
function writeNumber(value: number): string {
  if (!Number.isFinite(value)) return '';
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return BigInt(value).toString();
  return String(Number(value.toPrecision(15)));
}

/** A time of XML as a person writes it: `2026-03-01T00:00:00` is a day, and no fractions of a second are shown. */
export function plainTime(text: string): string {
  return text
    .replace(/T00:00:00(\.0+)?Z?$/, '')
    .replace('T', ' ')
    .replace(/\.\d+$/, '');
}

/** Excel keeps 15 digits of a number; what has more was rounded. */
export function isRounded(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) >= 1e15;
}

export function writeCell(raw: string, kind: NumberKind, is1904: boolean): string {
  const value = Number(raw);
  if (raw === '' || Number.isNaN(value)) return raw;
  if (kind.kind === 'date') return writeDate(value, kind.hasDay, is1904) ?? writeNumber(value);
  const text = writeNumber(value);
  return kind.kind === 'padded' && value >= 0 ? text.padStart(kind.digits, '0') : text;
}
