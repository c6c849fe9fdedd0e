// `answers --history`: shows the kept counts of every story over time.
import { names } from '../../core/story/answer-tally.ts';
import { escapeText } from '../../core/text/escape.ts';
import { requireBaseUrl } from '../../../config/load.ts';
import { answersSchedule } from '../../core/run/schedule.ts';
import type { AnswerSnapshot } from '../../ledger/story/answers.ts';
import type { Tick } from '../../ledger/runs/ticks.ts';
import { percent } from '../../report/story/answers-summary.ts';
import { figure, moment } from '../../core/text/figures.ts';
import { table } from '../../report/terminal/layout.ts';
import type { Style } from '../../report/terminal/style.ts';
import { parseBaseUrl } from '../../service/address.ts';
import { type GlobalOptions, openLedgerSession, withLedger } from '../frame/session.ts';

const mostSnapshots = 400;

export async function showAnswerHistory(options: GlobalOptions & { story?: string }): Promise<number> {
  const session = openLedgerSession(options);
  const { config, output } = session;
  const { address } = parseBaseUrl(requireBaseUrl(config));
  return withLedger(session, { command: 'answers' }, async ({ ledger }) => {
    const kept = (await ledger.listAnswers(address, mostSnapshots)).toReversed().map((snapshot) => ({
      ...snapshot,
      stories: snapshot.stories.filter(({ story }) => options.story === undefined || names(options.story, story)),
    }));
    const schedules = await ledger.listSchedules(address);
    const last = schedules.find(({ source }) => source === answersSchedule)?.last;
    if (options.json) output.json('answers', { service: address, snapshots: kept });
    else output.print(renderHistory(kept, output.style));
    if (last && last.result !== null && last.result !== 'kept') output.note(sayNotKept(last));
    return 0;
  });
}

/** Why there is nothing of the last time that was due. */
function sayNotKept({ dueAt, result, reason }: Tick): string {
  return `The answers due on ${moment(dueAt.toISOString())} were not kept: ${result}: ${escapeText(reason)}`;
}

function renderHistory(snapshots: readonly AnswerSnapshot[], style: Style): string {
  const rows = snapshots.flatMap(({ takenAt, request, stories }) =>
    stories.map(({ story, people, questions }) => {
      const answered = questions.reduce((sum, question) => sum + question.answered, 0);
      const correct = questions.reduce((sum, question) => sum + question.correct, 0);
      return {
        at: moment(takenAt.toISOString()),
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
