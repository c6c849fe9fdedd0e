// Turns a row into a member, or says why it is rejected or filtered.
import { cleanCell, addressFault, hasOddLetters, isEmailAddress } from '../cells/read-cell.ts';
import { statusKind } from '../cells/status-words.ts';
import { foldText } from '../text/wildcard.ts';
import { type Member, personKey } from '../person/member.ts';
import { isDamaged, isPlaceholder } from '../cells/placeholders.ts';
import { type Reject, type RejectKind, type Row, rejectOf } from '../rows/row.ts';
import { type Day, readDay } from '../cells/days.ts';
import { type Unjudged } from './filter.ts';
import type { Mapping } from './mapping.ts';
import { isMailbox, isNobody, isOddDomain, isOneTelephone } from './odd-values.ts';
import { isShortened, readName } from './read-name.ts';
import { isGarbled, listed, someOf, cutText, quote, shownText } from '../text/format.ts';
import { say } from '../words/say.ts';

/** A row that became a member. */
export interface MappedRow {
  row: Row;
  member: Member;
  employeeId?: string;
  /** Not before this day; absent for at once. */
  startsOn?: Day;
}

/** A row that is left out on purpose. */
export interface FilteredRow {
  row: Row;
  /** `Status is not Active or On leave`, `opted out` */
  filtered: string;
  /** Who left, where the row says that somebody did. */
  leaver?: Identity;
}

/** Whose row it is, as far as that can be read. */
interface Identity {
  key?: string;
  employeeId?: string;
}

/** As many characters as Excel takes in a cell. What is longer is no name, address or list of groups. */
const mostOfCell = 32_767;
/** More names in a row than this are not even looked at. */
const mostRaw = 10_000;
/** The most names of groups that a reason quotes. */
const mostNamed = 3;
export const noAddress = (): string => say('empty-email', 1);

/** Whose row it is, also where it cannot become a member. */
export function personOfRow({ cells }: Row, { fields }: Pick<Mapping, 'fields'>): Identity {
  const email = fields.email?.read(cells) ?? '';
  const employeeId = fields.employeeId?.read(cells) ?? '';
  return { ...(isEmailAddress(email) && { key: personKey(email) }), ...(isId(employeeId) && { employeeId }) };
}

/**
 * Makes a member of a row, or says why it is left out, or why it cannot be one: no e-mail, first or last name,
 * something that is no e-mail address or not of an allowed domain, no group or too many. Values are cleaned
 * (`cleanCell`); the address stays as written, the telephone as given unless E.164 is asked for.
 */
export function mapRow(row: Row, mapping: Mapping): MappedRow | FilteredRow | Reject {
  const { missing, leftOut, cells } = row;
  if (leftOut !== undefined) return { row, filtered: leftOut };
  const cut = missing && mapping.needed.find(({ index }) => missing.has(index));
  if (cut) {
    noteHeading(row, mapping);
    return rejectOf(row, cut, say('shortRow', 1, { column: shownText(cut.name) }));
  }
  for (const { name, index } of mapping.read) {
    const cell = cells[index] ?? '';
    if (cell.length > mostOfCell)
      return { ...row, column: name, value: cutText(cell), reason: say('longCell', mostOfCell), kind: 'damaged' };
  }
  const { fields } = mapping;
  const email = fields.email?.read(cells) ?? '';
  const employeeId = fields.employeeId?.read(cells) ?? '';
  // Also of a row that is left out for another reason: it tells whose the id is.
  const isOut = mapping.optedOut.has(email, isId(employeeId) ? employeeId : undefined);
  const gone = leaverOf(row, mapping) ?? filter(row, mapping);
  if (gone) return gone;
  if (isOut) return { row, filtered: say('optedOut', 1) };
  if (email === '') {
    noteHeading(row, mapping);
    return rejectOf(row, fields.email?.columns[0], noAddress(), 'empty');
  }
  if ((!email.includes('@') && foldText(email) === foldText(mapping.emailColumn)) || repeatsHeadings(row, mapping)) {
    mapping.remarks.note('header', email, row.line);
    return rejectOf(row, fields.email?.columns[0], say('repeatsHeader', 1));
  }
  const name = readName(row, mapping);
  if ('reason' in name) return name;
  const fault = addressFault(email);
  if (fault !== undefined) {
    const [why, kind] = isPlaceholder(email)
      ? ([say('placeholderAddress', 1, { email: quote(email) }), 'empty'] as const)
      : ([fault, 'not-an-address'] as const);
    return rejectOf(row, fields.email?.columns[0], why, kind);
  }
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (mapping.isDomainAllowed?.(domain) === false) {
    return rejectOf(row, fields.email?.columns[0], say('refusedDomain', 1, { email: quote(email) }));
  }
  const startsOn = readStart(row, mapping);
  if (typeof startsOn === 'object') return startsOn;
  const groups = readGroups(row, mapping);
  if (!Array.isArray(groups)) return groups;
  const { noValues } = mapping;
  if (isOddDomain(domain) && !noValues.isMeant(email)) mapping.remarks.note('domain', domain, row.line);
  if (hasOddLetters(email)) mapping.remarks.note('letters', email, row.line);
  if (isMailbox(email) && !noValues.isMeant(email)) mapping.remarks.note('mailbox', email, row.line);
  const isMeant = noValues.isMeant(name.firstname) || noValues.isMeant(name.lastname);
  if (!isMeant && isNobody(name.firstname, name.lastname)) mapping.remarks.note('nobody', name.lastname, row.line);
  const member: Member = { ...name, email, groups };
  const telephone = readTelephone(row, mapping);
  // No database can store such a text unchanged: what is remembered would differ from what was sent.
  const broken = brokenOf(member, telephone, employeeId);
  if (broken !== undefined) return brokenRow(row, broken);
  if (telephone !== '') member.telephone = telephone;
  // Avoids an object for each of a million rows.
  const mapped: MappedRow = { row, member };
  if (isId(employeeId)) mapped.employeeId = employeeId;
  else if (isShortened(employeeId) || isDamaged(employeeId)) mapping.remarks.note('noId', employeeId, row.line);
  if (startsOn !== undefined) mapped.startsOn = startsOn;
  return mapped;
}

/** A line of a sheet made by hand: `Left this year`, above the people of whom that is so. */
function noteHeading({ cells, line }: Row, { remarks }: Mapping): void {
  const [text, ...more] = cells.map(cleanCell).filter((cell) => cell !== '');
  if (text !== undefined && more.length === 0 && statusKind(text) === 'ended') remarks.note('heading', text, line);
}

/** Where addresses are made from other columns, one of a header is none of somebody's either. */
const repeatsHeadings = ({ cells }: Row, { read }: Mapping): boolean =>
  read.length > 1 && read.every(({ name, index }) => foldText(cleanCell(cells[index] ?? '')) === foldText(name));

/** The first day of work, where that is still to come. */
function readStart(row: Row, { fields, startOrder, today, timezone, days }: Mapping): Day | undefined | Reject {
  const { startDate } = fields;
  if (!startDate) return undefined;
  const cell = startDate.read(row.cells);
  days.note(startDate.words, cell, startOrder);
  const day = readDay(cell, startOrder, timezone);
  if (typeof day === 'object')
    return rejectOf(row, startDate.columns[0], say('startDate', 1, { day: day.reason }), 'day');
  return day !== undefined && (today === undefined || day > today) ? day : undefined;
}

function leaverOf(row: Row, mapping: Mapping): FilteredRow | Reject | undefined {
  for (const { holds, words } of mapping.leavers) {
    const result = holds(row.cells);
    if (result === false) continue;
    if (result !== true) return unjudged(row, result);
    const leaver = personOfRow(row, mapping);
    return { row, filtered: say('leaver', 1, { words }), leaver };
  }
  return undefined;
}

const isId = (text: string): boolean => text !== '' && !isPlaceholder(text) && !isShortened(text) && !isDamaged(text);

function filter(row: Row, { only, except }: Mapping): FilteredRow | Reject | undefined {
  for (const { holds, otherwise } of only) {
    const result = holds(row.cells);
    if (result === false) return { row, filtered: otherwise };
    if (result !== true) return unjudged(row, result);
  }
  for (const { holds, words } of except) {
    const result = holds(row.cells);
    if (result === true) return { row, filtered: words };
    if (result !== false) return unjudged(row, result);
  }
  return undefined;
}

function readGroups(row: Row, mapping: Mapping): string[] | Reject {
  const raw: string[] = [];
  for (const { add } of mapping.groups) {
    const result = add(row.cells, raw);
    if (result) return unjudged(row, result);
    if (raw.length > mostRaw) return rejectGroups(row, mapping, tooManyGroups(mostRaw));
  }
  const { names, noValues } = mapping;
  const groups: string[] = [];
  for (const each of raw) {
    if (isGarbled(each) && !noValues.isMeant(each)) {
      const said = { group: quote(each), keep: noValues.sayKeeping(each) };
      return rejectGroups(row, mapping, say('group-garbled', 1, said));
    }
    const name = names.nameOf(each);
    if (name !== undefined && !groups.includes(name)) groups.push(name);
    if (groups.length > names.perPerson) return rejectGroups(row, mapping, tooManyGroups(names.perPerson));
  }
  if (groups.length > 0) return groups;
  if (raw.length > 0) {
    const left = raw.map((name) => quote(name));
    return rejectGroups(row, mapping, say('leftOutGroups', 1, { groups: listed(left, mostNamed) }));
  }
  const why = whyNoGroup(row, mapping);
  if (why === undefined) return rejectGroups(row, mapping, say('noRule', 1));
  return rejectGroups(row, mapping, say('noGroup', 1, { why }), 'empty');
}

/** Why the group columns of a row give no group; undefined if they hold something. */
function whyNoGroup(row: Row, mapping: Mapping): string | undefined {
  const columns = [...new Set(mapping.groups.flatMap((group) => group.columns))];
  const read = columns.map(({ name, index }) => ({ name: shownText(name), cell: cleanCell(row.cells[index] ?? '') }));
  const empty = read.filter(({ cell }) => !/[^\s;,|/\\>]/.test(cell)).map(({ name }) => name);
  const none = read.filter(({ name, cell }) => !empty.includes(name) && isPlaceholder(cell));
  const said = [
    ...(empty.length > 0 ? [say('emptyColumns', empty.length, { columns: someOf(empty, mostNamed) })] : []),
    ...none.slice(0, mostNamed).map(({ name, cell }) => say('noValueIn', 1, { column: name, cell: quote(cell) })),
  ];
  return said.length > 0 ? said.join('; ') : undefined;
}

/** Why somebody with too many groups is not sent. */
export function tooManyGroups(perPerson: number): string {
  return say('manyGroups', 1, { most: perPerson });
}

function rejectGroups(row: Row, { groups }: Mapping, reason: string, kind: RejectKind = 'group'): Reject {
  const column = groups.flatMap((group) => group.columns)[0];
  const value = column ? (row.cells[column.index] ?? '').trim() : '';
  return { ...row, column: column?.name ?? '', value, reason, kind };
}

function readTelephone({ cells, line }: Row, { fields, number, noValues, remarks }: Mapping): string {
  const telephone = fields.telephone?.read(cells) ?? '';
  if (telephone === '') return '';
  const isNone = noValues.has(telephone) || (telephone.endsWith('0') && noDigitButZero.test(telephone));
  if (isNone || isShortened(telephone)) {
    remarks.note(isNone ? 'noTelephone' : 'shortened', telephone, line);
    return '';
  }
  if (!number && (isOneTelephone(telephone) || noValues.isMeant(telephone))) return telephone;
  const found = number?.(telephone);
  if (found === undefined) remarks.note('noNumber', telephone, line);
  return found ?? '';
}

/** `000 000`, `+0`; not a text without digits, whose meaning is unknown. */
const noDigitButZero = /^[+\s()./-]*0[0+\s()./-]*$/;

/** The first text with half of a character that takes two units, such as an emoji that was cut in two; JSON can write one. */
function brokenOf({ firstname, lastname, groups }: Member, telephone: string, employeeId: string): string | undefined {
  if (!firstname.isWellFormed()) return firstname;
  if (!lastname.isWellFormed()) return lastname;
  if (!telephone.isWellFormed()) return telephone;
  if (!employeeId.isWellFormed()) return employeeId;
  for (const group of groups) if (!group.isWellFormed()) return group;
  return undefined;
}

function brokenRow(row: Row, broken: string): Reject {
  return {
    ...row,
    column: '',
    value: broken,
    reason: say('halfCharacter', 1, { text: quote(broken) }),
    kind: 'damaged',
  };
}

function unjudged(row: Row, { column, reason, kind }: Unjudged): Reject {
  return rejectOf(row, column, reason, kind);
}
