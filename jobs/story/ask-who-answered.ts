// Asks the service who of a source's last roster has answered a story, within a time limit.
import { defined } from '../../src/core/defined.ts';
import { InputError, ServiceError } from '../../src/core/errors.ts';
import { chooseStories } from '../../src/core/story/completion.ts';
import { type Completed, completeRoster, type ReadPeople } from './complete-roster.ts';
import type { KeepAnswersContext } from './keep-answers.ts';
import { askAnalysis } from './story-question-analysis.ts';

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
export async function askWhoAnswered(
  context: KeepAnswersContext,
  { source, story, withinMs, signal }: WhoAnswered,
): Promise<Completed & { rosterAt: Date }> {
  const { config, ledger, trouble, service, pacer, random } = context;
  const roster = await ledger.lastRoster({ service: service.address, source });
  if (roster === undefined) throw new InputError(`No roster of ${source} was sent to ${service.address} yet.`);
  if (roster.isRemoved) {
    throw new InputError(`The people of the last roster of ${source} are no longer kept (retention): import it again.`);
  }
  const { attempts, backoff, deadlineMs } = config.delivery;
  const { app } = config.answers;
  const asker = { service, pacer, trouble, random, policy: { attempts, backoff, deadlineMs } };
  const limit = AbortSignal.timeout(withinMs);
  const request = { story, ...defined({ app }) };
  const analysis = await askAnalysis(asker, request, AbortSignal.any([signal, limit])).catch((error: unknown) => {
    if (!limit.aborted || signal.aborted) throw error;
    throw new ServiceError(`The service did not send the answers within ${withinMs / 1000} seconds. Try again later.`);
  });
  try {
    const chosen = chooseStories(analysis.stories, story);
    if (typeof chosen === 'string') throw new InputError(chosen);
    const of = { service: service.address, source, runIds: roster.runIds };
    const read: ReadPeople = (after, limit) => ledger.rosterPeople(of, after, limit);
    return { ...(await completeRoster(read, { analysis, chosen })), rosterAt: roster.at };
  } finally {
    await analysis.close();
  }
}
