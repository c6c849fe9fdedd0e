// Adds group names to a list that it changes and keeps unique, in order of first appearance.

export function addGroups(groups: string[], more: readonly string[]): void {
  for (const group of more) if (!groups.includes(group)) groups.push(group);
}
