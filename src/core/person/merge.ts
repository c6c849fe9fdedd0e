// Merges several rows of one person; rejects different people who share an address.
import type { Day } from '../cells/days.ts';
import { defined } from '../defined.ts';
import type { Reject } from '../rows/row.ts';
import { quote } from '../text/quote.ts';
import type { Member } from './member.ts';

/** A row that became a member, as far as merging needs it. */
export interface PersonRow {
  file: string;
  line: number;
  member: Member;
  employeeId?: string;
  /** Not before this day; absent for at once. */
  startsOn?: Day;
  /** The row's cells as read, where they were kept: a reject carries them on. */
  cells?: string[];
}

export interface MergedRows {
  member: Member;
  /** Absent where none of the rows has one. */
  employeeId?: string;
  /** The lines of the rows, in file order. */
  lines: number[];
}

/** The most lines that a reason names: a file with one address for everybody must not make each reason a page long. */
const mostLines = 10;

/**
 * Judges the rows of one person key, in file order. Rows with the same employee id, or with equal names after
 * folding case and accents where one of them has no id, are one person: the first row's names, address and telephone win, a missing telephone
 * is filled from a later row, groups are united in order of first appearance. Rows that begin later than another give no
 * groups yet: somebody whose next job is on a row of its own is not in its groups before. Otherwise every row is a reject
 * that names the lines of all: nobody can tell whose address it is. `emailColumn` is the column to blame.
 */
export function mergeRows(rows: readonly PersonRow[], emailColumn = ''): MergedRows | Reject[] {
  const people = countPeople(rows);
  if (people > 1) {
    const ids = idsOf(rows).slice(0, mostLines);
    const said = ids.length > 1 ? `; employee ids ${ids.map((id) => quote(id)).join(', ')}` : '';
    const reason = `${people === 2 ? 'two' : String(people)} people share this address: ${nameLines(rows)}${said}`;
    const why = { column: emailColumn, reason, kind: 'shared-address' } as const;
    return rows.map(({ file, line, cells = [], employeeId, member: { email: value } }) => {
      return { file, line, cells, value, ...defined({ employeeId }), ...why };
    });
  }
  const [first] = rows;
  if (!first) return [];
  const groups: string[] = [];
  // Not by arguments: a broken export may have a million rows of one person.
  const begins = rows.reduce((earliest, { startsOn = 0 }) => Math.min(earliest, startsOn), Infinity);
  for (const { member, startsOn = 0 } of rows) if (startsOn === begins) addGroups(groups, member.groups);
  const telephone = rows.find(({ member }) => member.telephone !== undefined)?.member.telephone;
  const { firstname, lastname, email } = first.member;
  const member: Member = { firstname, lastname, email, ...defined({ telephone }), groups };
  const [employeeId] = idsOf(rows);
  return { member, ...defined({ employeeId }), lines: rows.map(({ line }) => line) };
}

/** The number of people that the rows tell apart: one for each id, and one for each name that no row with an id has. */
function countPeople(rows: readonly PersonRow[]): number {
  const nameOf = ({ member }: PersonRow): string => `${foldName(member.firstname)}\n${foldName(member.lastname)}`;
  const known = new Set(rows.flatMap((row) => (row.employeeId ? [nameOf(row)] : [])));
  const unknown = new Set(rows.map(nameOf).filter((name) => !known.has(name)));
  return idsOf(rows).length + unknown.size;
}

const idsOf = (rows: readonly PersonRow[]): string[] => [
  ...new Set(rows.flatMap(({ employeeId }) => employeeId || [])),
];

/**
 * Case, accents, kinds and runs of spaces. Only marks of European scripts are accents: in others, a mark is a vowel.
 */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}

function nameLines(rows: readonly PersonRow[]): string {
  const isOneFile = rows.every(({ file }) => file === rows[0]?.file);
  const lines = rows.slice(0, mostLines).map(({ file, line }) => (isOneFile ? String(line) : `${line} of ${file}`));
  const left = rows.length - lines.length;
  const last = left > 0 ? `${left} more` : (lines.pop() ?? '');
  return `lines ${lines.join(', ')} and ${last}`;
}

export function addGroups(groups: string[], more: readonly string[]): void {
  for (const group of more) if (!groups.includes(group)) groups.push(group);
}
