// `answers`: fetches who answered what, to a file or stdout; with `--history`, shows the counts that are kept.
import { keepAnswers, listAnswers } from '../../acts/stories.ts';
import { defined } from '../../core/defined.ts';
import type { AnalysedAnswer, Analysis, AnalysisRequest } from '../../core/story/analysis.ts';
import { type AnswerFigures, AnswerTally, names } from '../../core/story/answer-tally.ts';
import { InputError } from '../../core/errors.ts';
import { count, duration, escapeText, moment } from '../../core/text/format.ts';
import { megabytes } from '../../report/run/progress.ts';
import {
  answersJson,
  answersNdjson,
  answersSheet,
  percent,
  renderAnswers,
  renderBreaches,
} from '../../report/story/answers-summary.ts';
import { tableOf } from '../../report/terminal/columns.ts';
import type { Style } from '../../report/terminal/style.ts';
import { sheetParts } from '../../report/files/sheet.ts';
import { outputFormat, refuseEmpty } from '../frame/read-flags.ts';
import { whileAsking } from '../frame/asking.ts';
import { openSession, type Session, tell, withActs } from '../frame/session.ts';
import { checkWrittenFiles, writeOut } from '../frame/written-files.ts';
import type { Options } from '../options.ts';

const formats = ['csv', 'xlsx', 'ndjson', 'json'] as const;

/** Needs no ledger. Without `-o` the rows go to stdout; with `--summary` or `--json` alone there are no rows. */
export async function fetchAnswers(options: Options<'answers'>): Promise<number> {
  if (options.history) return showHistory(options);
  const session = openSession(options);
  const { config, output } = session;
  const target = targetOf(options);
  checkWrittenFiles({ departed: options.output }, config);
  const request = requestOf(options);
  const began = performance.now();
  return whileAsking(session, options.quiet ?? false, async ({ service, signal, progress, ask }) => {
    const analysis = await ask(request);
    const tally = new AnswerTally(analysis.stories, analysis.breaches, request);
    const answers = counted(analysis, tally, signal, progress?.read);
    const isWhole = await write(analysis, answers, { ...target, tally, session });
    // Parts that the format did not use are checked too.
    if (isWhole) for await (const _ of answers);
    progress?.stop();
    if (!isWhole) return 0;
    const figures = tally.conclude();
    if (options.summary)
      session.output[target.format === undefined || target.file ? 'print' : 'note'](
        renderAnswers(figures, output.style),
      );
    for (const line of renderBreaches(figures.breaches)) output.note(line);
    if (options.keep) await keep(session, { service, request, figures });
    const took = duration(performance.now() - began);
    const where = target.file === undefined ? '' : `, in ${escapeText(target.file)}`;
    output.note(`${count(figures.answers, 'answer')}${where}   ${megabytes(analysis.sizeBytes)}   ${took}`);
    if (options.json) {
      const { hash = null, responseTime = null, sizeBytes } = analysis;
      const file = target.file ?? null;
      output.json('answers', { service, request, file, sizeBytes, hash, responseTime, ...answersJson(figures) });
    }
    return 0;
  });
}

async function keep(
  session: Session,
  snapshot: { service: string; request: AnalysisRequest; figures: AnswerFigures },
): Promise<void> {
  await withActs(session, { command: 'answers', create: true }, (ask) => ask(keepAnswers, snapshot));
  session.output.note('The counts are kept: `roster-sync answers --history` shows how they grow.');
}

/** What is asked for: a flag that is not given narrows nothing. */
function requestOf({ app, story, group, user }: Options<'answers'>): AnalysisRequest {
  refuseEmpty({ app, story, group, user });
  return {
    ...defined({ app, story }),
    ...(group.length === 0 ? {} : { groups: group }),
    ...(user.length === 0 ? {} : { users: user }),
  };
}

/** Where the rows go, to stdout without a file, and in which format; without one there are none. */
function targetOf({
  output: file,
  format,
  excel = false,
  summary = false,
  json = false,
  keep,
  user,
}: Options<'answers'>) {
  const named = outputFormat(formats, format, file);
  if (json && file === undefined && format !== undefined) {
    throw new InputError(
      '--json prints one document on standard output: name a file with -o for the answers, or leave out --format.',
    );
  }
  if (keep && user.length > 0) {
    throw new InputError('--keep cannot be combined with --user: the kept counts name no person.');
  }
  const chosen = named ?? (summary || json || keep ? undefined : 'csv');
  if (excel && chosen !== 'csv') throw new InputError('--excel goes with --format csv only.');
  return { format: chosen, file, excel };
}

/** The answers, counted as they pass. Can be read once. */
async function* counted(
  analysis: Analysis,
  tally: AnswerTally,
  signal: AbortSignal,
  read: ((answers: number) => void) | undefined,
): AsyncGenerator<AnalysedAnswer[]> {
  for await (const some of analysis.answers()) {
    signal.throwIfAborted();
    tally.add(some);
    read?.(tally.answers);
    yield some;
  }
}

async function write(
  analysis: Analysis,
  answers: AsyncIterable<AnalysedAnswer[]>,
  { format, file, excel, session }: ReturnType<typeof targetOf> & { tally: AnswerTally; session: Session },
): Promise<boolean> {
  switch (format) {
    case 'csv':
    case 'xlsx':
      return writeOut(session.output, file, sheetParts(answersSheet(analysis.stories, answers), { format, excel }));
    case 'ndjson':
      return writeOut(session.output, file, answersNdjson(analysis.stories, answers));
    case 'json':
      return writeOut(session.output, file, analysis.bytes());
    case undefined:
      return true;
  }
}

type Kept = Awaited<ReturnType<(typeof listAnswers)['run']>>;

async function showHistory(options: Options<'answers'>): Promise<number> {
  return tell(options, { command: 'answers' }, [listAnswers, {}], ({ service, snapshots, last }, output) => {
    const kept = snapshots.map((snapshot) => ({
      ...snapshot,
      stories: snapshot.stories.filter(({ story }) => options.story === undefined || names(options.story, story)),
    }));
    if (options.json) output.json('answers', { service, snapshots: kept });
    else output.print(renderHistory(kept, output.style));
    // Why there is nothing of the last time that was due.
    if (last && last.result !== null && last.result !== 'kept')
      output.note(`The answers due on ${moment(last.at)} were not kept: ${last.result}: ${escapeText(last.reason)}`);
  });
}

function renderHistory(snapshots: Kept['snapshots'], style: Style): string {
  const rows = snapshots.flatMap(({ takenAt, request, stories }) => {
    return stories.map((story) => ({ takenAt, groups: request.groups ?? [], ...story }));
  });
  if (rows.length === 0)
    return 'No counts are kept yet. `roster-sync answers --keep` keeps them; so does `serve` with answers.schedule.';
  type Row = (typeof rows)[number];
  const sum = ({ questions }: Row, of: 'answered' | 'correct') => questions.reduce((all, each) => all + each[of], 0);
  const lines = tableOf(rows, style.width, ({ words, numbers }) => [
    words('Kept', ({ takenAt }) => moment(takenAt)),
    words('Story', ({ story }) => story.name, { gives: true }),
    words('Of', ({ groups }) => (groups.length === 0 ? 'all' : groups.join(', '))),
    numbers('People', ({ people }) => people),
    numbers('Answers', (row) => sum(row, 'answered')),
    words('Correct', (row) => percent(sum(row, 'correct'), sum(row, 'answered')), { figures: true }),
  ]);
  return lines.join('\n');
}
