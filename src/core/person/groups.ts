// Adds groups to a list that stays unique and in order.

/** Adds group names to a list that keeps them unique, in order of first appearance. Changes the list. */
export function addGroups(groups: string[], more: readonly string[]): void {
  for (const group of more) if (!groups.includes(group)) groups.push(group);
}
