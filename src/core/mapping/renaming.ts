// What somebody decides about the groups of a file, as rules: another name, the name of another group, or none.
import { cleanCell } from '../cells/read-cell.ts';
import { foldText } from '../text/wildcard.ts';
import type { MappingRules } from './mapping-rules.ts';

type NameRules = Pick<MappingRules, 'rename' | 'renamePatterns' | 'allow'>;

/** The rules with other names of groups, by those that the file has; the group whose name is empty is left out. */
export function withNames(
  { rename = {}, renamePatterns, allow = {} }: NameRules,
  names: ReadonlyMap<string, string>,
): Pick<MappingRules, 'rename' | 'allow'> {
  const decided = new Set([...names.keys()].map(foldText));
  const isOpen = (name: string): boolean => !decided.has(foldText(name));
  const { except = [], ...ofGroups } = allow.groups ?? {};
  const leftOut = [...names].flatMap(([from, to]) => (to === '' ? [from] : []));
  const refused = [...except.filter(isOpen), ...leftOut];
  // Where patterns rename, too, only a name of its own keeps a group from them.
  const own = [...names].map(([from, to]) => [from, to === '' ? from : to] as const);
  const renamed = [
    ...Object.entries(rename).filter(([from]) => isOpen(from)),
    ...own.filter(([from, to]) => from !== to || renamePatterns !== undefined),
  ];
  const groups = { ...ofGroups, ...(refused.length > 0 && { except: refused }) };
  const { groups: _, ...others } = allow;
  const allowed = { ...others, ...(Object.keys(groups).length > 0 && { groups }) };
  return {
    ...(renamed.length > 0 && { rename: Object.fromEntries(renamed) }),
    ...(Object.keys(allowed).length > 0 && { allow: allowed }),
  };
}

/** What may stand between a name and the new one, as spreadsheets copy it and people write it; the first that a line has. */
const between = ['\t', '→', ';', ',', '='];

/** Two columns that somebody pastes: what the file says, and what it becomes; and the first line that has only one. */
export function readNames(text: string): { names: Map<string, string>; wrong?: string } {
  const names = new Map<string, string>();
  let wrong: string | undefined;
  for (const line of text.split(/\r?\n|\r/)) {
    const sign = between.find((each) => line.includes(each));
    const [from = '', to = ''] = (sign === undefined ? [line] : line.split(sign)).map(unquoted);
    if (from !== '' && to !== '') names.set(from, to);
    else if (sign === undefined && from !== '') wrong ??= from;
  }
  return { names, ...(wrong !== undefined && { wrong }) };
}

const unquoted = (cell: string): string =>
  cleanCell(
    cell
      .trim()
      .replace(/^"(.*)"$/s, '$1')
      .replaceAll('""', '"'),
  );
