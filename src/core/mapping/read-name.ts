// Reads the first and the last name of a row, or says why they are none.
import type { Reject, Row } from '../rows/row.ts';
import { statusKind } from '../cells/status-words.ts';
import { quote } from '../text/quote.ts';
import { hasTitle, inSpokenOrder } from './names.ts';
import type { Mapping } from './mapping.ts';
import { nameFault, statusInName } from './name-fault.ts';
import { rejectOf } from './reject-of.ts';

export function readName(row: Row, mapping: Mapping): { firstname: string; lastname: string } | Reject {
  const { cells } = row;
  const { fields } = mapping;
  const { fullname } = fields;
  let firstname = fields.firstname?.read(cells);
  let lastname = fields.lastname?.read(cells);
  if (fullname && (firstname === undefined || lastname === undefined)) {
    const split = fullname.split(cells);
    if ('reason' in split) return rejectOf(row, fullname.column, split.reason);
    if (ideographs.test(split.lastname) && !/\s/.test(cells[fullname.column.index]?.trim() ?? ''))
      mapping.remarks.note('oneWord', `${split.lastname} ${split.firstname}`, row.line);
    const { remark, isGuess } = split;
    const kind = remark === undefined ? undefined : statusKind(remark);
    if (remark !== undefined && kind !== undefined && kind !== 'active')
      return rejectOf(row, fullname.column, `name: it says ${quote(remark)}: correct the name, or remove the row`);
    if (remark !== undefined) mapping.remarks.note('beside', remark, row.line);
    if (isGuess) mapping.remarks.note('split', split.firstname, row.line);
    firstname ??= split.firstname;
    lastname ??= split.lastname;
  }
  const fault = nameProblem('first name', firstname, row, mapping);
  if (fault !== undefined) return rejectOf(row, fields.firstname?.columns[0] ?? fullname?.column, fault);
  const other = nameProblem('last name', lastname, row, mapping);
  if (other !== undefined) return rejectOf(row, fields.lastname?.columns[0] ?? fullname?.column, other);
  if (lastname?.includes(',')) lastname = inSpokenOrder(lastname);
  if (lastname?.includes(',') || (firstname?.includes('.') && hasTitle(firstname)))
    mapping.remarks.note('comma', lastname ?? '', row.line);
  return { firstname: firstname ?? '', lastname: lastname ?? '' };
}

const ideographs = /[\p{Script=Han}\p{Script=Hangul}]/u;

/** Nobody's first or last name has more characters. */
const mostOfName = 200;

/** Why a text that begins with no letter or is very long is no name, as the end of a sentence. */
function oddName(text: string): string | undefined {
  if (text.length > mostOfName) return `has ${text.length.toLocaleString('en')} characters`;
  if (/^[=+]/.test(text)) return 'is a formula';
  return /[\p{L}\d]/u.test(text) ? undefined : 'has no letter';
}

/** Why a text is no name; an odd one only gives a remark. */
function nameProblem(
  what: string,
  text: string | undefined,
  { line }: Row,
  { noValues, remarks }: Mapping,
): string | undefined {
  if (!text) return `${what} is empty`;
  if (noValues.has(text, 'name')) {
    return `${what} is empty: ${quote(text)} stands for no value${noValues.sayKeeping(text)}`;
  }
  if ((!/^\p{L}/u.test(text) || text.length > mostOfName) && !noValues.isMeant(text)) {
    const fault = oddName(text);
    if (fault !== undefined) return `${what}: ${quote(text)} ${fault}, not a name${noValues.sayKeeping(text)}`;
  }
  if (!/[\d;?@&/*†‡^~|#<>=+([{ÃÂâ\u2013\u2014\ufffd]| -| (?:and|und|et|og|och) /.test(text) || noValues.isMeant(text))
    return undefined;
  const said = statusInName(text);
  if (said !== undefined)
    return `${what}: ${quote(text)} says ${quote(said)}: correct the name, or remove the row${noValues.sayKeeping(text)}`;
  if (/[&/*†‡^~|#<>=+([{]| (?:and|und|et|og|och) /.test(text)) remarks.note('signs', text, line);
  if (!/[\d;?@&ÃÂâ\ufffd]/.test(text)) return undefined;
  const fault = nameFault(text);
  if (fault !== undefined) return `${what}: ${quote(text)} ${fault}, not a name${noValues.sayKeeping(text)}`;
  if (!/\d/.test(text)) return undefined;
  remarks.note('digits', text, line);
  return undefined;
}
