// `completion --over-time`: shows how many people had answered a story at each kept time.
import { requireBaseUrl } from '../../../config/load.ts';
import { names } from '../../core/story/answer-tally.ts';
import { hideSmallGroups, type ShownCompletion } from '../../core/story/completion.ts';
import { escapeText } from '../../core/text/escape.ts';
import { percent } from '../../report/story/answers-summary.ts';
import { figure, moment } from '../../core/text/figures.ts';
import { table } from '../../report/terminal/layout.ts';
import type { Style } from '../../report/terminal/style.ts';
import { parseBaseUrl } from '../../service/address.ts';
import { type GlobalOptions, openLedgerSession, withLedger } from '../frame/session.ts';

const mostTimes = 400;

/** How far the people of a source were with a story at one time, small groups hidden. */
interface Then {
  /** ISO 8601. */
  at: string;
  rosterAt: string;
  shown: ShownCompletion;
}

/**
 * `roster-sync completion --over-time`: how many people of a source had answered a story at each time at which `serve` kept
 * its answers. Names nobody, and asks the service nothing.
 */
export async function showCompletionHistory(
  options: GlobalOptions & { story: string; source: string },
  minCell: number,
): Promise<number> {
  const session = openLedgerSession(options);
  const { config, output } = session;
  const { story, source } = options;
  const { address: service } = parseBaseUrl(requireBaseUrl(config));
  return withLedger(session, { command: 'completion' }, async ({ ledger }) => {
    const kept = await ledger.listCompletion({ service, source }, mostTimes);
    const times = kept
      .filter((each) => names(story, each.story))
      .toReversed()
      .map(({ takenAt, rosterAt, total, groups }) => {
        return { at: takenAt.toISOString(), rosterAt, shown: hideSmallGroups(total, groups, minCell) };
      });
    if (options.json) output.json('completion', { service, story, source, minCell, times });
    else output.print(renderTimes(times, output.style));
    return 0;
  });
}

function renderTimes(times: readonly Then[], style: Style): string {
  if (times.length === 0) {
    return 'No history of this story is kept for this source. Add the story to answers.stories: `serve` then keeps its counts by answers.schedule.';
  }
  const shown = times.flatMap(({ at, shown: { total } }) => (total ? [{ at, ...total }] : []));
  if (shown.length === 0) return 'Nothing is shown: there are fewer people than --min-cell.';
  const lines = table(
    [
      { heading: 'Kept', cells: shown.map(({ at }) => moment(at)) },
      { heading: 'People', cells: shown.map(({ people }) => figure(people)), figures: true },
      { heading: 'Answered', cells: shown.map(({ answered }) => figure(answered)), figures: true },
      { heading: 'Share', cells: shown.map(({ answered, people }) => percent(answered, people)), figures: true },
      { heading: 'Wrongly', cells: shown.map(({ wrongly }) => figure(wrongly)), figures: true },
      { heading: 'Not yet given', cells: shown.map(({ notYetGiven }) => figure(notYetGiven)), figures: true },
    ],
    style.width,
  );
  return [...lines, ...groupLines(times, style)].join('\n');
}

/** The groups as they were first and are now. */
function groupLines(times: readonly Then[], style: Style): string[] {
  const [first, now] = [times[0], times.at(-1)];
  if (!first || !now || now.shown.groups.length === 0) return [];
  const { groups, hidden } = now.shown;
  const then = new Map(first.shown.groups.map((each) => [each.group, percent(each.answered, each.people)]));
  const lines = table(
    [
      { heading: 'Group', cells: groups.map(({ group }) => escapeText(group)), gives: true },
      { heading: 'First', cells: groups.map(({ group }) => then.get(group) ?? '-'), figures: true },
      { heading: 'Now', cells: groups.map(({ answered, people }) => percent(answered, people)), figures: true },
      { heading: 'Answered', cells: groups.map(({ answered }) => figure(answered)), figures: true },
      { heading: 'Of', cells: groups.map(({ people }) => figure(people)), figures: true },
    ],
    style.width,
  );
  return ['', ...lines, ...(hidden > 0 ? [`${figure(hidden)} small groups are hidden.`] : [])];
}
