// What the page shows that asks whether a file is meant as it was read, and how it describes the columns.
import type { LikeGroup } from '../core/inspect/like-groups.ts';
import { type ColumnUse, splitOf, useOf, useOfSplit } from '../core/mapping/column-uses.ts';
import type { RosterFile } from '../roster/roster-file.ts';
import { defined } from '../core/defined.ts';
import type { ColumnSurvey } from '../core/columns/column-survey.ts';
import { type Proposed, severalIn } from '../core/inspect/proposed.ts';
import type { ConditionRule, GroupRule, MappingRules } from '../core/mapping/mapping-rules.ts';
import { say } from '../core/words/say.ts';
import type { proposeRules } from './understand.ts';

export interface CheckColumn {
  /** 0-based place in the header. */
  index: number;
  name: string;
  samples: readonly string[];
  use: ColumnUse;
  why: string;
  doubt?: string;
  /** What it can be used for besides what every column can: how its values would be split, a rule that says more. */
  more: readonly { use: ColumnUse; words: string }[];
}

export interface CheckGroup {
  /** As the file has it. */
  name: string;
  /** What it becomes; empty where it is left out. */
  group: string;
  /** Its columns, or `everybody`. */
  from: string;
  people: number;
}

export interface CheckFilter {
  /** As a sentence: `Leave out the 7 people whose Status is Left`. */
  words: string;
  isOn: boolean;
  /** The names of a few people whom it leaves out, and how many more there are. */
  names: readonly string[];
  further: number;
}

/** `headerLine` is 1-based, 0 where there is none; `part` is the sheet of a workbook, the file in an archive. */
export type CheckReading = Pick<RosterFile['form'], 'format' | 'encoding' | 'delimiter' | 'headerLine' | 'part'>;

/** What comes out of the rows: `rows = members + merged + filtered + rejects`. */
export type CheckSum = Record<'rows' | 'members' | 'merged' | 'filtered' | 'rejects', number>;

/** What was planned with this very choice. */
export type CheckPlan = Record<'invited' | 'silent' | 'later' | 'unchanged', number>;

export interface CheckProblem {
  message: string;
  field?: 'columns' | 'groups' | 'reading' | 'source';
}

export interface CheckView {
  upload: string;
  fileName: string;
  source: string;
  problems: readonly CheckProblem[];
  given: Partial<Record<'encoding' | 'delimiter' | 'headerLine' | 'sheet', string>>;
  /** The same names as other encodings read them, to pick by eye. */
  readings: readonly { encoding: string; names: readonly string[] }[];
  /** The sheets to choose from, where it is not known which one is meant. */
  sheets: readonly { name: string; words: string }[];
  /** Absent where the file cannot be read as it is said to be. */
  read?: CheckReading;
  rows: number;
  names: readonly string[];
  columns: readonly CheckColumn[];
  groups: readonly CheckGroup[];
  /** Names of groups given before, the most frequent first. */
  usedBefore: readonly string[];
  /** The group for everybody; empty for none. */
  always: string;
  like: readonly LikeGroup[];
  filters: readonly CheckFilter[];
  later?: { people: number; from?: string; to?: string };
  invite: boolean;
  forceSync: boolean;
  sum?: CheckSum;
  plan?: CheckPlan;
  /** What is known about where the file comes from: that it is one of rejects, and of which run. */
  origin?: string;
  /** What was noticed of how the file is written, a sentence each. */
  readNotes: readonly string[];
  /** What was noticed of its rows, a sentence each. */
  rowNotes: readonly string[];
  /** Whether the choice is to be kept for the next file. */
  remember: boolean;
  /** How many changes of cells somebody made. */
  changes: number;
}

type ProposedRules = ReturnType<typeof proposeRules>;

interface Known {
  rules: MappingRules;
  filters: readonly ConditionRule[];
  proposed: ProposedRules;
  rows: number;
}

/** The columns in the header's order, those that are doubtful first. */
export function describeColumns(surveys: readonly ColumnSurvey[], known: Known): CheckColumn[] {
  const columns = surveys.map((survey) => describe(survey, known));
  return columns.toSorted((one, other) => Number(other.doubt !== undefined) - Number(one.doubt !== undefined));
}

function describe(survey: ColumnSurvey, { rules, filters, proposed, rows }: Known): CheckColumn {
  const { index, name, examples } = survey;
  const use = useOf(name, rules, filters);
  const doubt = doubtOf(survey, use, proposed);
  const isGroup = use === '' && proposed.proposal.groups.some(({ rule }) => rule.column === name);
  const why = isGroup ? say('whyGroupsToo', 1) : whyOf(survey, use, rows);
  return { index, name, samples: examples, use, why, ...defined({ doubt }), more: moreOf(survey, use, rules) };
}

function whyOf(survey: ColumnSurvey, use: ColumnUse, rows: number): string {
  const { filled, addresses, values, separated } = survey;
  if (filled === 0) return say('whyEmpty', 1);
  const [kind = '', said] = use.split(':');
  const sign = kind === 'group' && said ? splitOf(use) : said;
  switch (kind) {
    case '':
      return say(addresses * 2 > filled ? 'whyUnusedAddresses' : 'whyNoField', 1);
    case 'email':
      return say('whyAddresses', addresses, { cells: say('cellsCounted', rows) });
    case 'group':
      if (sign) return say('whyList', separated.get(sign) ?? 0);
      return values
        ? say('whyValues', values.size, { rows: say('rowsCounted', filled) })
        : say('whyManyValues', filled);
    case 'mark':
      return say('whyMark', filled);
    case 'filter':
      return values ? say('whyFilterValues', values.size) : say('whyFilter', 1);
    case 'startDate':
      return say(sign === 'dmy' ? 'whyDayFirst' : sign === 'mdy' ? 'whyMonthFirst' : 'whyDates', 1);
    case 'telephone':
      return filled === rows ? say('whyHeading', 1) : say('whyHeadingEmpty', rows - filled);
    default:
      return say('whyHeading', 1);
  }
}

function doubtOf(survey: ColumnSurvey, use: ColumnUse, { proposal, found }: ProposedRules): string | undefined {
  const named = ({ rule }: Proposed<unknown>): boolean =>
    rule === survey.name ||
    (typeof rule === 'object' && rule !== null && 'column' in rule && rule.column === survey.name);
  if (use === '') {
    const [field] = proposal.members.find(([, proposed]) => proposed.isOff && named(proposed)) ?? [];
    if (field === 'email' && !found.email) return say('doubtAddress', 1);
    if (field === 'fullname') return say('doubtWholeNames', 1);
    if (field === 'startDate') return say('doubtFirstDay', 1);
    if (field === 'firstname' || field === 'lastname') return say('doubtName', 1);
  }
  if (use === 'group') {
    const several = severalIn(survey);
    if (several.kind !== 'one') return say('doubtSeveral', 1, { example: several.example });
  }
  return undefined;
}

const signs = [';', ',', '|', '#', '/', '\n'];
const splitWords = (sign: string): string => say(sign === '\n' ? 'splitAtLines' : 'splitAt', 1, { sign });

function moreOf(survey: ColumnSurvey, use: ColumnUse, { groups = [] }: MappingRules): CheckColumn['more'] {
  const more = [...survey.separated.keys()]
    .filter((sign) => signs.includes(sign))
    .map((sign) => ({ use: useOfSplit(sign), words: splitWords(sign) }));
  if (use.startsWith('group:') && !more.some((each) => each.use === use)) {
    more.unshift({ use, words: splitWords(splitOf(use)) });
  }
  if (use.startsWith('rule:')) more.unshift({ use, words: wordsOfRule(groups[Number(use.slice('rule:'.length))]) });
  if (use === 'part') more.unshift({ use, words: say('partOfField', 1) });
  if (use === 'filter') more.unshift({ use, words: say('decidesWhoCounts', 1) });
  if (use.startsWith('fullname:') && !['fullname:First Last', 'fullname:Last First'].includes(use)) {
    more.unshift({ use, words: say('wholeName', 1, { form: use.slice('fullname:'.length) }) });
  }
  return more;
}

function wordsOfRule(rule: GroupRule | undefined): string {
  if (rule?.path) return say('groupsWithLevels', 1);
  if (rule?.prefix !== undefined) return say('groupsWithPrefix', 1, { prefix: rule.prefix });
  return say('groupsByRule', 1);
}
