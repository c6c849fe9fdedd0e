// `answers --history`: shows the kept counts of every story over time.
import { listAnswers } from '../../acts/stories.ts';
import { names } from '../../core/story/answer-tally.ts';
import { escapeText } from '../../core/text/escape.ts';
import { percent } from '../../report/story/answers-summary.ts';
import { moment } from '../../core/text/figures.ts';
import { columnsOf } from '../../report/terminal/columns.ts';
import { table } from '../../report/terminal/layout.ts';
import type { Style } from '../../report/terminal/style.ts';
import { tell } from '../frame/session.ts';
import type { Options } from '../options.ts';

type Answers = Awaited<ReturnType<(typeof listAnswers)['run']>>;

export async function showAnswerHistory(options: Options<'answers'>): Promise<number> {
  return tell(options, { command: 'answers' }, [listAnswers, {}], ({ service, snapshots, last }, output) => {
    const kept = snapshots.map((snapshot) => ({
      ...snapshot,
      stories: snapshot.stories.filter(({ story }) => options.story === undefined || names(options.story, story)),
    }));
    if (options.json) output.json('answers', { service, snapshots: kept });
    else output.print(renderHistory(kept, output.style));
    if (last && last.result !== null && last.result !== 'kept') output.note(sayNotKept(last));
  });
}

/** Why there is nothing of the last time that was due. */
function sayNotKept({ at, result, reason }: NonNullable<Answers['last']>): string {
  return `The answers due on ${moment(at)} were not kept: ${result}: ${escapeText(reason)}`;
}

function renderHistory(snapshots: Answers['snapshots'], style: Style): string {
  const rows = snapshots.flatMap(({ takenAt, request, stories }) => {
    return stories.map((story) => ({ takenAt, groups: request.groups ?? [], ...story }));
  });
  if (rows.length === 0)
    return 'No counts are kept yet. `roster-sync answers --keep` keeps them; so does `serve` with answers.schedule.';
  type Row = (typeof rows)[number];
  const sum = ({ questions }: Row, of: 'answered' | 'correct') => questions.reduce((all, each) => all + each[of], 0);
  const { words, numbers } = columnsOf(rows);
  const columns = [
    words('Kept', ({ takenAt }) => moment(takenAt)),
    words('Story', ({ story }) => story.name, { gives: true }),
    words('Of', ({ groups }) => (groups.length === 0 ? 'all' : groups.join(', '))),
    numbers('People', ({ people }) => people),
    numbers('Answers', (row) => sum(row, 'answered')),
    words('Correct', (row) => percent(sum(row, 'correct'), sum(row, 'answered')), { figures: true }),
  ];
  return table(columns, style.width).join('\n');
}
