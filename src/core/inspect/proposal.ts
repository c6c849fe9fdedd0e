// Proposes mapping rules for a roster.
import {
  columnsMeaning,
  columnsOffered,
  type Column,
  groupRank,
  isLastNameFirst,
  startDateColumn,
  statusKindOf,
  wholeNameColumns,
  withoutNumber,
} from '../columns/columns.ts';
import { defined } from '../defined.ts';
import { headingKey } from '../words/words.ts';
import { pathSeparators, type ColumnSurvey } from '../columns/column-survey.ts';
import { matrixColumns, orderOf, proposeDomains, type Proposed, severalIn } from './proposed.ts';
import { quote } from '../text/format.ts';
import { addressesSeen, addressTemplate } from '../mapping/unsettled-columns.ts';
import { isTitle } from '../mapping/names.ts';
import { readFlag, statusKind, tellWhoIsThere } from '../cells/status-words.ts';
import type { FoundFields } from '../mapping/find-fields.ts';
import type {
  ConditionRule,
  FieldRule,
  GroupRule,
  MappingRules,
  NameForm,
  StartDateRule,
} from '../mapping/mapping-rules.ts';
import type { Meaning } from '../../data/schemas.ts';

export interface Proposal {
  members: [field: keyof NonNullable<MappingRules['members']>, proposed: Proposed<unknown>][];
  only: Proposed<ConditionRule>[];
  except: Proposed<ConditionRule>[];
  groups: Proposed<GroupRule>[];
  domains: Proposed<string>[];
}

const mostValues = 40;
const coverage = 0.9;

/** `domain`: the one that other sources have, for addresses that are made of names. */
export function propose(found: FoundFields, surveys: readonly ColumnSurvey[], domain?: string): Proposal {
  const groups = proposeGroups(surveys);
  const status = surveys.filter(isStatus).map(proposeStatus);
  return {
    members: proposeMembers(found, surveys, domain),
    only: status,
    except: proposeEnds(surveys),
    groups,
    domains: proposeDomains(found, surveys),
  };
}

export function rulesOf({ members, only, except, groups, domains }: Proposal): MappingRules {
  const inForce = <Rule>(list: readonly Proposed<Rule>[]): Rule[] =>
    list.filter(({ isOff }) => !isOff).map(({ rule }) => rule);
  const conditions = inForce(only);
  const exceptions = inForce(except);
  const allowed = inForce(domains);
  return {
    members: Object.fromEntries(members.filter(([, { isOff }]) => !isOff).map(([field, { rule }]) => [field, rule])),
    ...(conditions.length > 0 && { only: conditions }),
    ...(exceptions.length > 0 && { except: exceptions }),
    groups: inForce(groups),
    ...(allowed.length > 0 && { allow: { emails: { domains: allowed } } }),
  };
}

function proposeMembers(found: FoundFields, surveys: readonly ColumnSurvey[], domain?: string): Proposal['members'] {
  const members: Proposal['members'] = [];
  const offer = (field: Proposal['members'][number][0], rule: unknown, note: string): void =>
    void members.push([field, { rule, note, isOff: true }]);
  for (const field of ['firstname', 'lastname', 'email', 'telephone', 'employeeId'] as const) {
    const source = found[field];
    if (!source) {
      const [offered] = columnsOffered(surveys, field);
      if (offered && field !== 'email') offer(field, offered.name, 'is it this column?');
      continue;
    }
    const isEmpty = source.columns.every(({ index }) => surveys.some((one) => one.index === index && one.filled === 0));
    const note = isEmpty ? `${source.why}, but empty in every row` : source.why;
    members.push([field, { rule: ruleOf(source.columns, source.words), note, ...(isEmpty && { isOff: true }) }]);
  }
  const [prefix] = columnsMeaning(surveys, 'lastnamePrefix');
  const [last] = found.lastname?.columns ?? [];
  if (prefix && last && found.lastname?.why === 'by its name') {
    const template = `{${prefix.name}} {${last.name}}`;
    offer('lastname', { template }, 'is the prefix of the last name not in it already?');
  }
  for (const proposed of proposeStart(surveys)) members.push(['startDate', proposed]);
  if (found.fullname) {
    const { column, form } = found.fullname;
    members.push(['fullname', { rule: { column: column.name, ...defined({ form }) } }]);
  } else if (!found.firstname || !found.lastname) {
    const [whole] = wholeNameColumns(surveys);
    const survey = surveys.find(({ index }) => index === whole?.index);
    if (whole && survey) {
      const rule = { column: whole.name, form: guessForm(survey) };
      offer('fullname', rule, 'the whole name in one column: it is split only if you say how it is written');
    }
  }
  if (!members.some(([field, { isOff }]) => field === 'email' && !isOff)) {
    const [best] = addressesSeen(surveys).columns;
    const filled = surveys.filter((survey) => survey.filled > 0);
    if (best) {
      offer(
        'email',
        best.name,
        'it holds addresses: is it the work address, and not a private one or somebody else’s?',
      );
    } else if (filled.length > 0) {
      const note = domain === undefined ? ', put in your domain' : '';
      const template = addressTemplate(filled, domain);
      offer('email', { template }, `no column contains addresses; if they are made of names like this${note}`);
    }
  }
  return members;
}

/** People who start later wait until then: in force if the column's name and days are clear. */
function proposeStart(surveys: readonly ColumnSurvey[]): Proposed<StartDateRule>[] {
  const start = startDateColumn(surveys);
  const survey = surveys.find(({ index }) => index === start?.column.index);
  if (!start || !survey) return [];
  const { name, filled } = survey;
  if (filled === 0) return [{ rule: name, note: 'by its name, but empty in every row', isOff: true }];
  const { order, doubts } = readingOf(survey, surveys, start.isSure, 'is this the first day of work?');
  const note = [...doubts, 'new people who begin later wait until then'].join(' ');
  return [{ rule: order ? { column: name, order } : name, note, ...(doubts.length > 0 && { isOff: true }) }];
}

/** The order in which days are read, where that is not clear, and what to ask before they count; `question` unless its name is sure. */
function readingOf(survey: ColumnSurvey, surveys: readonly ColumnSurvey[], isSure: boolean, question: string) {
  const days = orderOf(survey, surveys);
  const doubts = isSure ? [] : [question];
  if (days?.isSure === false) doubts.push('is this the order of day and month?');
  return { order: days?.order, doubts };
}

function ruleOf(columns: readonly Column[], words: string): FieldRule {
  const [first, ...others] = columns;
  if (words.includes('{')) return { template: words };
  return others.length > 0 ? { columns: columns.map(({ name }) => name) } : (first?.name ?? '');
}

function guessForm(survey: ColumnSurvey): NameForm {
  if (survey.examples.some((name) => name.includes(','))) return 'Last, First';
  return isLastNameFirst(survey) ? 'Last First' : 'First Last';
}

function proposeGroups(surveys: readonly ColumnSurvey[]): Proposed<GroupRule>[] {
  const matrix = matrixColumns(surveys);
  const ranked = surveys
    .flatMap((survey) => {
      const found = matrix.includes(survey) || areTitles(survey) ? undefined : groupRank(survey);
      return found ? [{ survey, ...found, key: headingKey(withoutNumber(survey.name)) }] : [];
    })
    .toSorted((a, b) => a.rank - b.rank || b.survey.filled - a.survey.filled);
  const numbered = Map.groupBy(
    ranked.filter(({ survey }) => /\d$/.test(survey.name)),
    ({ key }) => key,
  );
  const seen = new Set<string>();
  const rules: Proposed<GroupRule>[] = [];
  // Columns are taken until one of them has a group for nearly everybody.
  let isCovered = false;
  for (const { survey, key, meaning, isOffered } of ranked) {
    const column = (numbered.get(key)?.length ?? 0) > 1 ? `${withoutNumber(survey.name)}*` : survey.name;
    if (seen.has(column)) continue;
    seen.add(column);
    const { shape, doubt = '' } = shapeOf(survey, key, meaning);
    const note = survey.filled === 0 ? 'empty in every row' : rowsNote(survey) + doubt;
    const isOff = survey.filled === 0 || isCovered || isOffered;
    rules.push({ rule: { column, ...shape }, note, ...(isOff && { isOff }) });
    isCovered ||= !isOffered && survey.filled >= survey.rows * coverage;
  }
  if (matrix.length > 0) {
    const note = 'each of these columns is a group, of those who have a mark in it';
    const isOff = rules.some((rule) => !rule.isOff);
    rules.push({ rule: { matrix: matrix.map(({ name }) => name) }, note, ...(isOff && { isOff }) });
  }
  if (rules.every(({ isOff }) => isOff)) {
    const note = 'no column is sure to name groups: one for everybody, if you want that';
    rules.unshift({ rule: { always: 'All staff' }, note, isOff: true });
  }
  return rules;
}

/** `Mr`, `Dr.`: forms of address and not positions. */
const areTitles = ({ values, filled }: ColumnSurvey): boolean =>
  filled > 0 && values !== undefined && [...values.keys()].every(isTitle);

function rowsNote({ filled, values }: ColumnSurvey): string {
  const rows = filled === 1 ? '1 row' : `${filled} rows`;
  return values ? `${values.size} different in ${rows}` : `many different in ${rows}`;
}

function shapeOf(survey: ColumnSurvey, key: string, meaning: Meaning): { shape: Partial<GroupRule>; doubt?: string } {
  const isList = meaning === 'group' || /^(?:classes|sections|courses|orgs|schools)$/.test(key);
  const several = severalIn(survey, isList);
  const split = several.kind === 'list' ? several.separator : isList ? ';' : undefined;
  const path = pathSeparators.find((separator) => (survey.separated.get(separator) ?? 0) * 2 > survey.filled);
  const shape: Partial<GroupRule> = {
    ...(split && { split }),
    ...(path && { path: { separator: path, take: 'full' } }),
  };
  if (several.kind !== 'unclear') return { shape };
  const { example, separator } = several;
  return {
    shape,
    doubt: `; is ${quote(example)} one group? If it is several, add split: ${JSON.stringify(separator)}`,
  };
}

function isStatus(survey: ColumnSurvey): boolean {
  const { values, filled } = survey;
  if (filled === 0 || values === undefined || values.size > mostValues) return false;
  if (statusKindOf(survey) !== undefined) return true;
  return columnsOffered([survey], 'status').length > 0 && tellWhoIsThere([...values.keys()]);
}

function proposeStatus(survey: ColumnSurvey): Proposed<ConditionRule> {
  const { name, values = new Map<string, number>(), filled, rows } = survey;
  const words = [...values.keys()];
  const flags = words.map(readFlag);
  if (flags.every((flag) => flag !== undefined)) {
    const is = statusKindOf(survey) === 'status';
    const gone = words.filter((_, at) => flags[at] !== is).reduce((sum, word) => sum + (values.get(word) ?? 0), 0);
    return { rule: { column: name, is }, note: `leaves out ${gone} rows`, ...(gone === 0 && { isOff: true }) };
  }
  const ended = words.filter((word) => statusKind(word) === 'ended');
  // Reasons for which people left, beside empty cells of those who are there.
  if (statusKindOf(survey) === 'gone' && words.every((word) => ended.includes(word) || !statusKind(word)))
    return { rule: { column: name, empty: true }, note: `leaves out ${filled} rows`, isOff: true };
  const future = words.filter((word) => statusKind(word) === 'future');
  const unknown = words.filter((word) => statusKind(word) === undefined);
  const kept = words.filter((word) => !ended.includes(word) && !future.includes(word));
  const said = [
    ...(ended.length > 0 ? [`leaves out ${ended.join(', ')}`] : []),
    ...(future.length > 0 ? [`not yet there: ${future.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`not known, so kept: ${unknown.join(', ')}`] : []),
  ];
  const wanted = [...kept, ...(filled < rows ? [''] : [])];
  const isOff = kept.length === words.length || wanted.length === 0;
  return { rule: { column: name, in: isOff ? words : wanted }, note: said.join('; '), ...(isOff && { isOff }) };
}

/**
 * A last day in the past means that somebody left; proposed only if both the column's name and its days are certain.
 */
function proposeEnds(surveys: readonly ColumnSurvey[]): Proposed<ConditionRule>[] {
  const sure = columnsMeaning(surveys, 'endDate');
  const found = new Set([...sure, ...columnsOffered(surveys, 'endDate')].map(({ index }) => index));
  return surveys
    .filter(({ index, filled }) => filled > 0 && found.has(index))
    .map((survey) => {
      const isSure = sure.some(({ index }) => index === survey.index);
      const { order, doubts } = readingOf(survey, surveys, isSure, 'is this the last day of work?');
      const rule: ConditionRule = { column: survey.name, past: true, ...defined({ order }) };
      const isOff = doubts.length > 0;
      return { rule, note: isOff ? doubts.join(' ') : 'a day in the past', isOff };
    });
}
