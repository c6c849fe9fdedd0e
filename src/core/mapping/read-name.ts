// Reads the first and the last name of a row, or says why they are none.
import { type Reject, type RejectKind, type Row, rejectOf } from '../rows/row.ts';
import { isDamaged } from '../cells/placeholders.ts';
import { cleanCell, groupFault, isEmailAddress } from '../cells/read-cell.ts';
import { statusKind } from '../cells/status-words.ts';
import { quote, isGarbled } from '../text/format.ts';
import { hasTitle, inSpokenOrder } from './names.ts';
import type { Mapping } from './mapping.ts';
import type { NoValues } from './mapping-remarks.ts';
import { say } from '../words/say.ts';
import { listOf } from '../words/words.ts';

export function readName(row: Row, mapping: Mapping): { firstname: string; lastname: string } | Reject {
  const { cells } = row;
  const { fields } = mapping;
  const { fullname } = fields;
  let firstname = fields.firstname?.read(cells);
  let lastname = fields.lastname?.read(cells);
  if (fullname && (firstname === undefined || lastname === undefined)) {
    const whole = cleanCell(cells[fullname.column.index] ?? '');
    if (isDamaged(whole))
      return rejectOf(row, fullname.column, say('damagedCell', 1, { cell: quote(whole) }), 'damaged');
    const split = fullname.split(cells);
    if ('reason' in split) return rejectOf(row, fullname.column, split.reason, 'name');
    if (ideographs.test(split.lastname) && !/\s/.test(cells[fullname.column.index]?.trim() ?? ''))
      mapping.remarks.note('oneWord', `${split.lastname} ${split.firstname}`, row.line);
    const { remark, isGuess } = split;
    const kind = remark === undefined ? undefined : statusKind(remark);
    if (remark !== undefined && kind !== undefined && kind !== 'active') {
      return rejectOf(row, fullname.column, say('remarkInName', 1, { remark: quote(remark) }), 'name');
    }
    if (remark !== undefined) mapping.remarks.note('beside', remark, row.line);
    if (isGuess) mapping.remarks.note('split', split.firstname, row.line);
    firstname ??= split.firstname;
    lastname ??= split.lastname;
  }
  const fault = nameProblem('firstname', firstname, row, mapping);
  const kindOf = (text = ''): RejectKind => (text === '' || mapping.noValues.has(text, 'name') ? 'empty' : 'name');
  if (fault !== undefined)
    return rejectOf(row, fields.firstname?.columns[0] ?? fullname?.column, fault, kindOf(firstname));
  const other = nameProblem('lastname', lastname, row, mapping);
  if (other !== undefined)
    return rejectOf(row, fields.lastname?.columns[0] ?? fullname?.column, other, kindOf(lastname));
  const odd = [firstname, lastname].find((name = '') => /\d/.test(name) && !mapping.noValues.isMeant(name));
  if (odd !== undefined) mapping.remarks.note('digits', odd, row.line);
  if (lastname?.includes(',')) lastname = inSpokenOrder(lastname);
  if (lastname?.includes(',') || (firstname?.includes('.') && hasTitle(firstname)))
    mapping.remarks.note('comma', lastname ?? '', row.line);
  return { firstname: firstname ?? '', lastname: lastname ?? '' };
}

const ideographs = /[\p{Script=Han}\p{Script=Hangul}]/u;

/** Nobody's first or last name has more characters. */
const mostOfName = 200;

/** What a text that begins with no letter or is very long is, if it is no name, as the sentences of `name-` name it. */
function oddName(text: string): string | undefined {
  if (text.length > mostOfName) return 'long';
  if (/^[=+]/.test(text)) return 'formula';
  if (groupFault(text) !== undefined) return 'spoilt';
  return /[\p{L}\d]/u.test(text) ? undefined : 'signs';
}

type NameField = 'firstname' | 'lastname';

/** Why a text is no name; an odd one only gives a remark. */
function nameProblem(
  which: NameField,
  text: string | undefined,
  { line }: Row,
  { noValues, remarks }: Mapping,
): string | undefined {
  if (!text) return say(`empty-${which}`, 1);
  if (noValues.has(text, 'name') || isDamaged(text)) return sayFault('none', which, text, noValues);
  if ((!/^\p{L}/u.test(text) || text.length > mostOfName) && !noValues.isMeant(text)) {
    const fault = oddName(text);
    if (fault !== undefined) return sayFault(fault, which, text, noValues);
  }
  if (
    !/[\d;?@&/*†‡^~|#<>=+([{ÃÂâ\u2013\u2014\ufffd]| -|: | (?:and|und|et|og|och) /.test(text) ||
    noValues.isMeant(text)
  )
    return undefined;
  const said = statusInName(text);
  if (said !== undefined) return sayFault('status', which, text, noValues, quote(said));
  if (/[&/*†‡^~|#<>=+([{]| (?:and|und|et|og|och) /.test(text)) remarks.note('signs', text, line);
  if (!/[\d;?@&ÃÂâ\ufffd]/.test(text)) return undefined;
  const fault = nameFault(text);
  return fault === undefined ? undefined : sayFault(fault, which, text, noValues);
}

function sayFault(fault: string, which: NameField, text: string, noValues: NoValues, status = ''): string {
  const keep = noValues.sayKeeping(text);
  return say(`name-${fault}`, text.length, { field: say(`field-${which}`, 1), text: quote(text), status, keep });
}

const months = listOf('short-months');
/** `1-Mar`, `01. Mrz 24`: what Excel makes of a text such as `1/3`. */
const dayOfMonth = /^\d{1,2}[-. ]{1,2}(\p{L}{3,4})(?:[-. ]{1,2}\d{2,4})?$/u;
/** `Mar-24`, `Mrz.-24` */
const monthOfYear = /^(\p{L}{3,4})\.?-\d{2,4}$/u;
const day = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?:[T ][\d:.Z+]*)?$/;

const shortened = /^\d(?:[.,]\d+)?E[+-]?\d+$/i;

/** Whether a text is a number that a spreadsheet has shortened, such as `4.67012E+11`: its last digits are lost. */
export function isShortened(text: string): boolean {
  // Called for every telephone and id: nearly all have a digit or a space in the second place.
  const second = text.charCodeAt(1);
  return !(second === 32 || (second > 47 && second < 58)) && shortened.test(text);
}

/** `Ren?`, `M?ller` */
const lostLetter = /\p{L}\?|\?\p{L}/u;

/** `&uuml;`, `&#39;` */
const htmlCode = /&(?:\p{L}+|#\d+|#x[\da-f]+);/iu;

/** What stands in brackets or stars, or after or before a dash or another sign: `[LEFT] Ann`, `Ek (ausgeschieden)`, `Ek - on leave`, `LEAVER: Ek`. */
const beside =
  /[([{*]([^()[\]{}*]{3,60})[)\]}*]|\s(?:[-\u2013\u2014]+|[*/|])\s*([^-\u2013\u2014*/|]{3,60})$|^([^-\u2013\u2014:]{3,60}?)(?=\s[-\u2013\u2014]|:\s)/gu;

/** What a cleaned text with a sign in it says about a person beside the name, such as `LEFT`; undefined if it is a name. */
function statusInName(text: string): string | undefined {
  for (const [, inBrackets, after, before] of text.matchAll(beside)) {
    const said = (inBrackets ?? after ?? before ?? '').trim();
    const kind = statusKind(said);
    if (kind !== undefined && kind !== 'active') return said;
  }
  return undefined;
}

/** What a cleaned text with a digit, an `@`, a `;`, a `?` or a sign of garbled text in it is, if it is surely nobody's name, as the sentences of `name-` name it; undefined if it may be one. */
export function nameFault(text: string): string | undefined {
  if (isGarbled(text)) return 'garbled';
  if (lostLetter.test(text)) return 'lost';
  if (htmlCode.test(text)) return 'html';
  if (text.includes(';')) return 'list';
  if (text.includes('@') && text.split(/[\s<>()]/).some(isEmailAddress)) return 'address';
  const month = (dayOfMonth.exec(text) ?? monthOfYear.exec(text))?.[1];
  if (day.test(text) || (month !== undefined && months().has(month.toLowerCase()))) return 'date';
  return /\p{L}/u.test(text) && !isShortened(text) ? undefined : 'number';
}
