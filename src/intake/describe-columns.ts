// Describes the columns of an upload: what each is used for, and why.
import { defined } from '../core/defined.ts';
import type { CheckColumn } from './check-view.ts';
import type { ColumnSurvey } from '../core/columns/column-survey.ts';
import type { Proposed } from '../core/inspect/proposed.ts';
import { severalIn } from '../core/inspect/several-groups.ts';
import { type ColumnUse, splitOf, useOf, useOfSplit } from '../core/mapping/column-uses.ts';
import type { ConditionRule, GroupRule, MappingRules } from '../core/mapping/mapping-rules.ts';
import { count, figure } from '../core/text/figures.ts';
import type { proposeRules } from './understand.ts';

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
  const why = isGroup ? 'Could be groups, too' : whyOf(survey, use, rows);
  return { index, name, samples: examples, use, why, ...defined({ doubt }), more: moreOf(survey, use, rules) };
}

function whyOf(survey: ColumnSurvey, use: ColumnUse, rows: number): string {
  const { filled, addresses, values, separated } = survey;
  if (filled === 0) return 'Empty in every row';
  const [kind = '', said] = use.split(':');
  const sign = kind === 'group' && said ? splitOf(use) : said;
  switch (kind) {
    case '':
      return addresses * 2 > filled ? 'Holds addresses, and is not used' : 'No field is like it';
    case 'email':
      return `${figure(addresses)} of ${count(rows, 'cell')} ${addresses === 1 ? 'is an address' : 'are addresses'}`;
    case 'group':
      if (sign) return `${count(separated.get(sign) ?? 0, 'cell holds', 'cells hold')} a list`;
      return values
        ? `${count(values.size, 'value')} in ${count(filled, 'row')}`
        : `Many values in ${count(filled, 'row')}`;
    case 'mark':
      return `${count(filled, 'row has', 'rows have')} a mark`;
    case 'filter':
      return values ? `${count(values.size, 'value')}; see below` : 'See below';
    case 'startDate':
      return sign === 'dmy' ? 'Dates, day first' : sign === 'mdy' ? 'Dates, month first' : 'Dates';
    case 'telephone':
      return filled === rows ? 'Heading is usual' : `Heading is usual; ${count(rows - filled, 'cell')} empty`;
    default:
      return 'Heading is usual';
  }
}

function doubtOf(survey: ColumnSurvey, use: ColumnUse, { proposal, found }: ProposedRules): string | undefined {
  const named = ({ rule }: Proposed<unknown>): boolean =>
    rule === survey.name ||
    (typeof rule === 'object' && rule !== null && 'column' in rule && rule.column === survey.name);
  if (use === '') {
    const [field] = proposal.members.find(([, proposed]) => proposed.isOff && named(proposed)) ?? [];
    if (field === 'email' && !found.email) return 'It holds addresses. Is it the work address, and nobody else’s?';
    if (field === 'fullname') return 'It holds whole names. Choose how they are written.';
    if (field === 'startDate') return 'Is it the first day of work? Choose how days are written.';
    if (field === 'firstname' || field === 'lastname') return 'Is it this name?';
  }
  if (use === 'group') {
    const several = severalIn(survey);
    if (several.kind !== 'one') return `Is “${several.example}” one group, or several?`;
  }
  return undefined;
}

const signs: Record<string, string> = { ';': ';', ',': ',', '|': '|', '#': '#', '/': '/', '\n': 'line breaks' };

function moreOf(survey: ColumnSurvey, use: ColumnUse, { groups = [] }: MappingRules): CheckColumn['more'] {
  const more = [...survey.separated.keys()]
    .filter((sign) => Object.hasOwn(signs, sign))
    .map((sign) => ({ use: useOfSplit(sign), words: `Groups, split at ${signs[sign]}` }));
  if (use.startsWith('group:') && !more.some((each) => each.use === use)) {
    more.unshift({ use, words: `Groups, split at ${signs[splitOf(use)] ?? splitOf(use)}` });
  }
  if (use.startsWith('rule:')) more.unshift({ use, words: wordsOfRule(groups[Number(use.slice('rule:'.length))]) });
  if (use === 'part') more.unshift({ use, words: 'Part of a field' });
  if (use === 'filter') more.unshift({ use, words: 'Decides who counts' });
  if (use.startsWith('fullname:') && !['fullname:First Last', 'fullname:Last First'].includes(use)) {
    more.unshift({ use, words: `Whole name, ${use.slice('fullname:'.length)}` });
  }
  return more;
}

function wordsOfRule(rule: GroupRule | undefined): string {
  if (rule?.path) return 'Groups, with their levels';
  if (rule?.prefix !== undefined) return `Groups, as “${rule.prefix}…”`;
  return 'Groups, as the rule says';
}
