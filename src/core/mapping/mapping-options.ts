// What is asked of a mapping, by flags, config and preset, and the rules that they make together.
import { columnsNamed, type Field, listColumns } from '../columns/columns.ts';
import { defined } from '../defined.ts';
import type { AddressesSeen } from './unsettled-columns.ts';
import {
  columnsAsked,
  type ConditionRule,
  type FieldRule,
  type GroupRule,
  type MappingRules,
  type MemberRules,
  parseTemplate,
  type PresenceRules,
  type Wording,
} from './mapping-rules.ts';
import { withNames } from './renaming.ts';

export interface MappingOptions {
  map?: Partial<Record<Field | 'fullname', string>>;
  groups: readonly string[];
  /** Columns whose cells name groups, several of them separated by `;`. */
  groupColumns: readonly string[];
  groupMatrix?: readonly string[];
  /** What stands between several groups in a cell of a column, by its name; of others, `;`. */
  splits?: Readonly<Record<string, readonly string[]>>;
  /** Names of groups by what the roster calls them, in addition to `rename` of the rules; an empty one leaves the group out. */
  rename?: Readonly<Record<string, string>>;
  /** Texts that look like no value but are real; in addition to `allow.values` of the rules. */
  allowValues?: readonly string[];
  /** How messages name what to set; unless said, as settings. */
  wording?: Wording;
  /** The rules of the config. Columns in `map` take precedence over those; groups given above take the place of its groups. */
  rules?: MappingRules;
  defaults?: MappingRules;
  today?: Date;
  /** Where it is the day that it is: a name of the IANA time zones. Unless said, UTC. */
  timezone?: string;
  /** Names of groups given before at the service, the most frequent first. */
  knownGroups?: readonly string[];
  file?: string;
  /** Where addresses stand, once somebody looked since no column is called so. */
  seen?: AddressesSeen;
  /** What leaves out people who are no longer or not yet there, in addition to the rules. */
  presence?: PresenceRules;
}

export function effectiveRules({
  map = {},
  groups,
  groupColumns,
  groupMatrix = [],
  ...options
}: MappingOptions): MappingRules {
  const rules = mergeRules(options.rules ?? {}, options.defaults ?? {});
  const { telephone, fullname, ...others } = map;
  const given: GroupRule[] = [
    ...groups.map((always) => ({ always })),
    ...groupColumns.map((column) => ruleOfColumn(column, options.splits)),
    ...(groupMatrix.length > 0 ? [{ matrix: groupMatrix }] : []),
  ];
  const members: MemberRules = Object.fromEntries(
    Object.entries(others).map(([field, text]) => [field, fromFlag(text)]),
  );
  if (fullname !== undefined) members.fullname = { column: fullname };
  if (telephone !== undefined) members.telephone = telephone === '' ? false : fromFlag(telephone);
  const { allowValues = [], rename = {} } = options;
  const { allow, rename: _, ...merged } = mergeRules({ members, ...(given.length > 0 && { groups: given }) }, rules);
  const values = [...(allow?.values ?? []), ...allowValues];
  const named = {
    ...rules,
    rename: { ...rules.rename, ...rename },
    allow: { ...allow, ...(values.length > 0 && { values }) },
  };
  const leftOut = Object.entries(rename).filter(([, name]) => name === '');
  const all = { ...merged, ...withNames(named, new Map(leftOut)) };
  return options.presence ? withPresence(all, options.presence) : all;
}

/** What the rules leave out, and who is not there. A start date of their own stays. */
function withPresence(rules: MappingRules, { except, startDate }: PresenceRules): MappingRules {
  const { members = {} } = rules;
  return {
    ...rules,
    ...(startDate && { members: { ...members, startDate: members.startDate ?? startDate } }),
    ...(except.length > 0 && { except: [...(rules.except ?? []), ...except] }),
  };
}

/** Signs that occur in no name of a group. */
export const sureSigns: readonly string[] = [';', '|', '\n'];

/** The rule of a column that names groups; several in a cell are separated as `splits` says, else by the sure signs. */
export function ruleOfColumn(column: string, splits: MappingOptions['splits'] = {}): GroupRule {
  const split = Object.hasOwn(splits, column) ? splits[column] : sureSigns;
  return { column, ...(split && split.length > 0 && { split: [...split] }) };
}

/** `--map email="{First}.{Last}@example.com"` is a template, anything else the name of a column. */
function fromFlag(text: string): FieldRule {
  return parseTemplate(text).some((part) => 'column' in part) ? { template: text } : text;
}

/**
 * The columns that flags and config name: what a reader of nested records must look for. Those that a preset names are known
 * to be there, though a system may leave out what it has not.
 */
export function columnsToRead(options: MappingOptions): { paths: string[]; known: string[] } {
  return { paths: columnsAsked(effectiveRules(options)), known: columnsAsked(options.defaults ?? {}) };
}

/**
 * Rules before those that stand behind them. Of conditions, those behind stay for columns that no condition of the same list
 * names: who asks for a department still wants nobody who is suspended. A list that is empty drops them.
 */
export function mergeRules(rules: MappingRules, defaults: MappingRules): MappingRules {
  const members = { ...defaults.members, ...rules.members };
  const isNamed = rules.members?.firstname !== undefined || rules.members?.lastname !== undefined;
  if (isNamed && rules.members?.fullname === undefined) delete members.fullname;
  const conditions = defined({
    only: mergeConditions(rules.only, defaults.only),
    except: mergeConditions(rules.except, defaults.except),
    leavers: mergeConditions(rules.leavers, defaults.leavers),
  });
  return { ...defaults, ...rules, ...conditions, ...(Object.keys(members).length > 0 && { members }) };
}

function mergeConditions(
  own: readonly ConditionRule[] | undefined,
  behind: readonly ConditionRule[] | undefined,
): readonly ConditionRule[] | undefined {
  if (own === undefined || own.length === 0 || behind === undefined) return own ?? behind;
  const isNamed = (column: string): boolean =>
    own.some((rule) => columnsNamed(listColumns([column]), rule.column).length > 0);
  return [...own, ...behind.filter(({ column }) => !isNamed(column))];
}
