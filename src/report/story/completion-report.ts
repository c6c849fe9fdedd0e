// Shows who has answered a story: as text, as JSON, and as lists.
import type { z } from 'zod';
import type {
  CompletionCounts,
  CompletionStatus,
  GroupCompletion,
  PersonCompletion,
  RosterPerson,
  ShownCompletion,
} from '../../core/story/completion.ts';
import { count, escapeText, figure, shownText } from '../../core/text/format.ts';
import { percent } from './answers-summary.ts';
import type { CompletionDocument } from '../../acts/shapes/story.ts';
import type { Sheet } from '../files/sheet.ts';
import { tableOf } from '../terminal/columns.ts';
import type { Style } from '../terminal/style.ts';

/** What the document says, before what may be shown of it is chosen. */
export type CompletionReport = Omit<z.output<typeof CompletionDocument>, 'total' | 'groups' | 'hiddenGroups'> & {
  shown: ShownCompletion;
};

export type PersonRow = Pick<RosterPerson, 'firstname' | 'lastname' | 'email' | 'groups'> & PersonCompletion;

const countNames = ['people', 'answered', 'wrongly', 'partly', 'notAnswered', 'notYetGiven'] as const;

/** The answer in one line: `who answered "Fire safety"?  61 of 200 (31 %), least: Sales 9 of 41`. */
export function completionLine({ story, shown }: Pick<CompletionReport, 'story' | 'shown'>): string {
  const question = `who answered "${escapeText(story.name || story.ID)}"?`;
  const { total, groups } = shown;
  if (!total) return `${question}  too few people to say`;
  // Among the larger groups: that of eleven people one has answered says little.
  const large = groups.filter(({ people }) => people * largeShare >= total.people);
  const [least] = large.toSorted((a, b) => shareOf(a) - shareOf(b) || b.people - a.people);
  const all = `${figure(total.answered)} of ${figure(total.people)} (${percent(total.answered, total.people)})`;
  const last = least ? `, least: ${shownText(least.group)} ${figure(least.answered)} of ${figure(least.people)}` : '';
  return `${question}  ${all}${last}`;
}

/** A group is large with at least a tenth of the people. */
const largeShare = 10;

function shareOf({ answered, people }: CompletionCounts): number {
  return people === 0 ? 0 : answered / people;
}

export function renderCompletion(report: CompletionReport, style: Style): string {
  const { shown, strangers, minCell } = report;
  const { total, groups, hidden } = shown;
  if (!total) return `${completionLine(report)}: hidden, because fewer than ${minCell} people could be recognised.`;
  const rows = [...groups, { group: 'Total', ...total }];
  const lines = tableOf(rows, style.width, ({ words, numbers }) => [
    words('Group', ({ group }) => shownText(group), { gives: true }),
    numbers('People', ({ people }) => people),
    numbers('Answered', ({ answered }) => answered),
    words('Share', ({ answered, people }) => percent(answered, people), { figures: true }),
    numbers('Wrongly', ({ wrongly }) => wrongly),
    numbers('Partly', ({ partly }) => partly),
    numbers('Not answered', ({ notAnswered }) => notAnswered),
    numbers('Not yet given', ({ notYetGiven }) => notYetGiven),
  ]);
  return [completionLine(report), '', ...lines, '', ...remarks(strangers, hidden, minCell)].join('\n').trimEnd();
}

function remarks(
  { people, answersWithoutEmail }: CompletionReport['strangers'],
  hidden: number,
  minCell: number,
): string[] {
  const counted = answersWithoutEmail === 1 ? 'counts' : 'count';
  return [
    hidden > 0 &&
      `${count(hidden, 'group is', 'groups are')} hidden, so that nobody in a group of fewer than ${minCell} can be recognised.`,
    people > 0 && `${count(people, 'person', 'people')} answered who ${people === 1 ? 'is' : 'are'} not on the roster.`,
    answersWithoutEmail > 0 &&
      `${count(answersWithoutEmail, 'answer')} without an e-mail address ${counted} for nobody.`,
  ].filter((remark) => remark !== false);
}

export function completionJson({ shown, ...report }: CompletionReport) {
  return { ...report, total: shown.total ?? null, groups: shown.groups, hiddenGroups: shown.hidden };
}

/** A line for each group; the last one, without a group's name, is the total. */
export const groupsSheet = ({ shown }: CompletionReport): Sheet<GroupCompletion> => ({
  ...{ name: 'Progress', list: 'groups', columns: ['group', ...countNames] },
  rows: [...shown.groups, ...(shown.total ? [{ group: '', ...shown.total }] : [])],
});

export const peopleSheet = (rows: AsyncIterable<readonly PersonRow[]>): Sheet<PersonRow> => ({
  ...{ name: 'People', list: 'people', columns: ['firstname', 'lastname', 'email', 'groups', 'status', 'questions'] },
  rows,
});

/** The people of one status. */
export async function* ofStatus(
  people: AsyncIterable<PersonRow[]>,
  wanted: CompletionStatus | 'all',
): AsyncGenerator<PersonRow[]> {
  for await (const some of people) yield some.filter(({ status }) => wanted === 'all' || status === wanted);
}
