import { cleanCell } from './cell.ts';

/** What stands between several groups in one cell. */
const separator = ';';

/** Adds group names to a list that keeps them unique, in order of first appearance. Changes the list. */
export function addGroups(groups: string[], more: readonly string[]): void {
  for (const group of more) if (!groups.includes(group)) groups.push(group);
}

/** The groups that a cell names: split at `;`, each cleaned; empty ones are left out, repeated ones kept once. */
export function splitGroups(cell: string): string[] {
  const groups: string[] = [];
  for (const part of cell.includes(separator) ? cell.split(separator) : [cell]) {
    const group = cleanCell(part);
    if (group !== '' && !groups.includes(group)) groups.push(group);
  }
  return groups;
}
