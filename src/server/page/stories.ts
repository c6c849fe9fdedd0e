// The page of the stories, from the counts that `serve` keeps: the service is not asked.
import type { FastifyInstance } from 'fastify';
import { defined } from '../../core/defined.ts';
import { hideSmallGroups } from '../../core/story/completion.ts';
import { parseBaseUrl } from '../../service/settings.ts';
import { type CompletionOverTime, storiesPage } from '../../page/stories.ts';
import type { ServerParts } from '../parts.ts';
import { sendPage } from './answers.ts';
import { registerNotAnswered } from './not-answered.ts';

const minCell = 5;
/** Times that are read; a year of days and some more. */
const mostTimes = 400;
/** Times that a page shows of a story. */
const shownTimes = 30;

export function registerStories(app: FastifyInstance, parts: ServerParts): void {
  const { config, ledger } = parts.context;
  registerNotAnswered(app, parts, minCell);
  app.get('/stories', async (request, reply) => {
    const { baseUrl } = config.service;
    const service = baseUrl === undefined ? '' : parseBaseUrl(baseUrl).address;
    const [newest] = await ledger.listAnswers(service, 1);
    const completion: CompletionOverTime[] = [];
    for (const source of Object.keys(config.sources)) completion.push(...(await overTime(service, source)));
    // Of a story that few people have answered, the figures of questions would describe single ones.
    const stories = (newest?.stories ?? []).filter(({ people }) => people >= minCell);
    const body = storiesPage({ ...defined({ at: newest?.takenAt.toISOString() }), stories, completion, minCell });
    return sendPage(parts, request, reply, { title: 'Stories', place: 'stories' }, body);
  });

  async function overTime(service: string, source: string): Promise<CompletionOverTime[]> {
    const byStory = new Map<string, CompletionOverTime>();
    for (const { story, takenAt, total, groups } of await ledger.listCompletion({ service, source }, mostTimes)) {
      const found = byStory.get(story.ID) ?? { source, story: story.name || story.ID, storyId: story.ID, times: [] };
      byStory.set(story.ID, found);
      if (found.times.length >= shownTimes) continue;
      found.times.push({ at: takenAt.toISOString(), shown: hideSmallGroups(total, groups, minCell) });
    }
    return [...byStory.values()];
  }
}
