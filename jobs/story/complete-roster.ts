// Joins a story's answers to the people of a roster; asks the service who of the last one has answered.
import type { WithLedger } from '../../src/wiring/context.ts';
import type { Analysis } from '../../src/core/story/analysis.ts';
import {
  chooseStories,
  CompletionJoin,
  CompletionTally,
  numberQuestions,
  type PersonCompletion,
  type RosterPerson,
  type SourceCompletion,
} from '../../src/core/story/completion.ts';
import { defined } from '../../src/core/defined.ts';
import { InputError, ServiceError, refusal } from '../../src/core/errors.ts';
import { say } from '../../src/core/words/say.ts';
import { type AnswersContext, askAnalysis } from './story-question-analysis.ts';

/** Reads a page of the people of a roster after a key, in the order of their keys. */
export type ReadPeople = (after: string, limit: number) => Promise<RosterPerson[]>;

const readingOf =
  (ledger: WithLedger['ledger'], of: { service: string; source: string; runIds: readonly string[] }): ReadPeople =>
  (after, limit) =>
    ledger.rosterPeople(of, after, limit);

/** The number of people read from the ledger at a time. */
const page = 2000;

/**
 * Joins the answers to a story, of which `chosen` are the places in the analysis, to the people of a roster. Memory grows
 * by some 40 bytes a person and a bit for each question, whatever the number of answers.
 */
export async function completeRoster(
  read: ReadPeople,
  { analysis, chosen }: { analysis: Analysis; chosen: readonly number[] },
) {
  const versions = chosen.map((at) => ({ questions: analysis.stories[at]?.questions ?? [] }));
  const numbers = numberQuestions(versions);
  const join = new CompletionJoin(numbers);
  let found = 0;
  for await (const people of peopleOf(read)) {
    for (const { key } of people) join.addPerson(key);
    found += people.length;
  }
  for await (const answers of analysis.answers()) {
    for (const { story, question, item } of answers) {
      const number = numbers[chosen.indexOf(story)]?.[question];
      if (number !== undefined) join.addAnswer(item, number);
    }
  }
  const questions = Math.max(0, ...versions.map((version) => version.questions.length));
  const tally = new CompletionTally(questions);
  return {
    join,
    /** Complete once `people` were read to their end. */
    tally,
    /** How many people the roster has. */
    found,
    /** The most questions that a version of the story has. */
    questions,
    /** Everybody with where they are, counted as they pass. */
    async *people(signal: AbortSignal): AsyncGenerator<(RosterPerson & PersonCompletion)[]> {
      for await (const people of peopleOf(read)) {
        signal.throwIfAborted();
        const rows = people.map((person) => ({ ...person, ...join.statusOf(person) }));
        for (const row of rows) tally.add(row.groups, row);
        yield rows;
      }
    },
  };
}

async function* peopleOf(read: ReadPeople): AsyncGenerator<RosterPerson[]> {
  for (let after = ''; ;) {
    const people = await read(after, page);
    const last = people.at(-1);
    if (last === undefined) return;
    yield people;
    after = last.key;
  }
}

/** Counts how far the people of each source are with a story; of sources that have sent a roster whose people are kept. */
export async function completionBySource(
  { ledger }: WithLedger,
  { service, sources, signal }: { service: string; sources: readonly string[]; signal: AbortSignal },
  answers: { analysis: Analysis; chosen: readonly number[] },
): Promise<SourceCompletion[]> {
  const all: SourceCompletion[] = [];
  const { ID = '', name = '' } = answers.analysis.stories[answers.chosen[0] ?? 0]?.story ?? {};
  for (const source of sources) {
    const roster = await ledger.lastRoster({ service, source });
    if (!roster || roster.isRemoved) continue;
    const read = readingOf(ledger, { service, source, runIds: roster.runIds });
    const { people, tally, questions } = await completeRoster(read, answers);
    for await (const _ of people(signal));
    const { total, groups } = tally;
    all.push({ source, rosterAt: roster.at.toISOString(), story: { ID, name }, questions, total, groups });
  }
  return all;
}

/** Whose answers to which story, and how long the service may take. */
export interface WhoAnswered {
  source: string;
  /** The ID or name of the story. */
  story: string;
  withinMs: number;
  signal: AbortSignal;
}

/**
 * The people of the source's last roster with where they are, and when that roster was planned. Once this resolves, the
 * service is not needed any more: reading the people asks only the ledger.
 * @throws InputError when there is no such roster or story; ServiceError when the service refuses, or takes too long
 */
export async function askWhoAnswered(context: AnswersContext, { source, story, withinMs, signal }: WhoAnswered) {
  const { config, ledger, service } = context;
  const roster = await ledger.lastRoster({ service: service.address, source });
  if (roster === undefined) throw refusal('noRosterSent', { source, service: service.address });
  if (roster.isRemoved) throw refusal('removedRoster', { source });
  const { app } = config.answers;
  const asker = { ...context, policy: config.delivery };
  const limit = AbortSignal.timeout(withinMs);
  const request = { story, ...defined({ app }) };
  const analysis = await askAnalysis(asker, request, AbortSignal.any([signal, limit])).catch((error: unknown) => {
    if (!limit.aborted || signal.aborted) throw error;
    throw new ServiceError(say('lateAnswers', 1, { seconds: withinMs / 1000 }));
  });
  try {
    const chosen = chooseStories(analysis.stories, story);
    if (typeof chosen === 'string') throw new InputError(chosen);
    const read = readingOf(ledger, { service: service.address, source, runIds: roster.runIds });
    return { ...(await completeRoster(read, { analysis, chosen })), rosterAt: roster.at };
  } finally {
    await analysis.close();
  }
}
