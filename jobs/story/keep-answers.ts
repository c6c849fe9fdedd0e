// Fetches the answers that are due and keeps counts, or also what each person answered.
import { defined } from '../../src/core/defined.ts';
import type { Analysis, AnalysisRequest } from '../../src/core/story/analysis.ts';
import { AnswerTally } from '../../src/core/story/answer-tally.ts';
import { chooseStories, type SourceCompletion } from '../../src/core/story/completion.ts';
import { ServiceError } from '../../src/core/errors.ts';
import { personKey } from '../../src/core/person/member.ts';
import type { NewPersonAnswer } from '../../src/ledger/story/answers.ts';
import { reasonOf } from '../run/run-source.ts';
import { completionBySource } from './complete-roster.ts';
import { tidyAfterRun } from '../upkeep/prune-ledger.ts';
import { type AnswersContext, askAnalysis } from './story-question-analysis.ts';

/** The number of answers of people that one statement writes or removes: it takes some ms, and nobody waits for it. */
const rowsAtOnce = 1000;

/**
 * Asks for the answers that the config names, and keeps what it says about them: counts, or what people answered as well.
 * What was kept at this time already, by a process that has died over the rest, is not asked for again.
 * @param dueAt when it was due
 * @returns `failed` where something that was asked for is not kept, and why
 * @throws the reason of the signal once that is aborted; the rest is left to the process that takes it over
 */
export async function keepAnswers(
  context: AnswersContext,
  { dueAt, signal }: { dueAt: Date; signal: AbortSignal },
): Promise<{ result: 'kept' | 'failed'; reason: string }> {
  const { config, ledger, log, service } = context;
  const { stories, app, groups } = config.answers;
  const narrowed = { ...defined({ app }), ...(groups.length === 0 ? {} : { groups }) };
  const requests: AnalysisRequest[] =
    stories.length === 0 ? [narrowed] : stories.map((story) => ({ story, ...narrowed }));
  const kept = await ledger.keptOfDue({ service: service.address, dueAt });
  const reasons: string[] = [];
  for (const request of requests) {
    if (kept.some(({ story }) => story === request.story)) continue;
    try {
      await keepOne(context, { request, dueAt, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      const reason = reasonOf(error);
      log.error({ story: request.story, cause: reason }, 'answers could not be kept');
      reasons.push(request.story === undefined ? reason : `${request.story}: ${reason}`);
      // The service refuses every request, or does not answer.
      if (error instanceof ServiceError && error.exitCode === 6) break;
    }
  }
  await tidyAfterRun(context);
  return { result: reasons.length === 0 ? 'kept' : 'failed', reason: reasons.join(' ') };
}

async function keepOne(
  context: AnswersContext,
  { request, dueAt, signal }: { request: AnalysisRequest; dueAt: Date; signal: AbortSignal },
): Promise<void> {
  const { config, ledger, log, service } = context;
  const analysis = await askAnalysis({ ...context, policy: config.delivery }, request, signal);
  try {
    if (request.story !== undefined && analysis.stories.length === 0) {
      throw new ServiceError(`The service reports no story called "${request.story}".`);
    }
    const id = await ledger.newSnapshot();
    const tally = new AnswerTally(analysis.stories, analysis.breaches, request);
    for await (const some of analysis.answers()) {
      signal.throwIfAborted();
      tally.add(some);
    }
    const figures = tally.conclude();
    if (config.answers.keep === 'people') await keepPeople(context, { analysis, id, signal });
    const completion = await completionOf(context, { analysis, request, signal });
    const due = { id, at: dueAt };
    const isFirst = await ledger.keepAnswers({ service: service.address, request, figures, completion, due });
    if (!isFirst) return;
    await removeReplaced(context, analysis, id);
    const { answers, breaches } = figures;
    log.info({ ...request, answers, breaches: breaches.length }, 'answers are kept');
  } finally {
    await analysis.close();
  }
}

/**
 * How far the people of each source are with the story that was asked for. Where everything was asked for there is none
 * that is meant, and where groups were, people in none of them would seem to have answered nothing.
 */
async function completionOf(
  context: AnswersContext,
  { analysis, request, signal }: { analysis: Analysis; request: AnalysisRequest; signal: AbortSignal },
): Promise<SourceCompletion[]> {
  if (request.story === undefined || request.groups !== undefined) return [];
  const chosen = chooseStories(analysis.stories, request.story);
  if (typeof chosen === 'string') return [];
  const sources = Object.keys(context.config.sources);
  return completionBySource(context, { service: context.service.address, sources, signal }, { analysis, chosen });
}

/** Records what each person answered. People without an e-mail address are left out: they could not be looked up or forgotten. */
async function keepPeople(
  { ledger, service }: AnswersContext,
  { analysis, id, signal }: { analysis: Analysis; id: number; signal: AbortSignal },
): Promise<void> {
  const snapshot = { snapshotId: id, service: service.address };
  let number = 0;
  let rows: NewPersonAnswer[] = [];
  for await (const answers of analysis.answers()) {
    signal.throwIfAborted();
    for (const { story: at, question, item } of answers) {
      const key = personKey(item.email);
      const of = analysis.stories[at];
      if (key === '' || !of) continue;
      const { response, correct = null, attempts = null } = item.answer;
      const { ID: storyId, name: story, app } = of.story;
      const text = of.questions[question]?.question ?? '';
      number += 1;
      rows.push({ number, appId: app.ID, storyId, story, question: text, key, response, correct, attempts });
    }
    while (rows.length >= rowsAtOnce) {
      await ledger.addPersonAnswers(snapshot, rows.slice(0, rowsAtOnce));
      rows = rows.slice(rowsAtOnce);
    }
  }
  if (rows.length > 0) await ledger.addPersonAnswers(snapshot, rows);
}

/** What people answered before to these stories goes, also where it is no longer to be kept. */
async function removeReplaced({ ledger, service }: AnswersContext, analysis: Analysis, id: number): Promise<void> {
  for (const { story } of analysis.stories) {
    const replaced = { service: service.address, snapshotId: id, appId: story.app.ID, storyId: story.ID };
    while (!(await ledger.removeReplacedAnswers(replaced, rowsAtOnce)).isDone);
  }
}
