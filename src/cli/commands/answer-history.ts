// `answers --history`: shows the kept counts of every story over time.
import { listAnswers } from '../../acts/stories.ts';
import { names } from '../../core/story/answer-tally.ts';
import { escapeText } from '../../core/text/escape.ts';
import { percent } from '../../report/story/answers-summary.ts';
import { figure, moment } from '../../core/text/figures.ts';
import { table } from '../../report/terminal/layout.ts';
import type { Style } from '../../report/terminal/style.ts';
import { type GlobalOptions, tell } from '../frame/session.ts';

type Answers = Awaited<ReturnType<(typeof listAnswers)['run']>>;

export async function showAnswerHistory(options: GlobalOptions & { story?: string }): Promise<number> {
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
  const rows = snapshots.flatMap(({ takenAt, request, stories }) =>
    stories.map(({ story, people, questions }) => {
      const answered = questions.reduce((sum, question) => sum + question.answered, 0);
      const correct = questions.reduce((sum, question) => sum + question.correct, 0);
      return {
        at: moment(takenAt),
        story: story.name,
        groups: request.groups ?? [],
        people,
        answered,
        correct,
      };
    }),
  );
  if (rows.length === 0)
    return 'No counts are kept yet. `roster-sync answers --keep` keeps them; so does `serve` with answers.schedule.';
  const lines = table(
    [
      { heading: 'Kept', cells: rows.map(({ at }) => at) },
      { heading: 'Story', cells: rows.map(({ story }) => escapeText(story)), gives: true },
      { heading: 'Of', cells: rows.map(({ groups }) => (groups.length === 0 ? 'all' : escapeText(groups.join(', ')))) },
      { heading: 'People', cells: rows.map(({ people }) => figure(people)), figures: true },
      { heading: 'Answers', cells: rows.map(({ answered }) => figure(answered)), figures: true },
      { heading: 'Correct', cells: rows.map(({ answered, correct }) => percent(correct, answered)), figures: true },
    ],
    style.width,
  );
  return lines.join('\n');
}
