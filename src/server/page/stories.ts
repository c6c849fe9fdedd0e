// The pages of the stories, from kept counts; who has not answered, the service is asked each time.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { defined } from '../../core/defined.ts';
import { hideSmallGroups } from '../../core/story/completion.ts';
import { parseBaseUrl } from '../../service/settings.ts';
import { type CompletionOverTime, notAnsweredPage, storiesPage } from '../../page/stories.ts';
import { t } from '../../page/words.ts';
import type { ServerParts } from '../parts.ts';
import { formOf, sendPage } from './session.ts';
import { askWhoAnswered } from '../../../jobs/story/complete-roster.ts';
import { RequestError } from '../../core/errors.ts';
import { sheetParts } from '../../report/files/sheet.ts';
import { ofStatus, peopleSheet, type PersonRow } from '../../report/story/completion-report.ts';
import { originOf } from '../access-log.ts';
import { sendFile } from '../api/mount.ts';
import { awaitAnswer } from '../bodies.ts';
import { refuseUnknown } from '../../intake/brought-file.ts';

const minCell = 5;
/** Times that are read; a year of days and some more. */
const mostTimes = 400;
/** Times that a page shows of a story. */
const shownTimes = 30;

export function registerStories(app: FastifyInstance, parts: ServerParts): void {
  const { config, ledger } = parts.context;
  registerNotAnswered(app, parts);
  app.get('/stories', async (request, reply) => {
    const { baseUrl } = config.service;
    const service = baseUrl === undefined ? '' : parseBaseUrl(baseUrl).address;
    const [newest] = await ledger.listAnswers(service, 1);
    const completion: CompletionOverTime[] = [];
    for (const source of Object.keys(config.sources)) completion.push(...(await overTime(service, source)));
    // Of a story that few people have answered, the figures of questions would describe single ones.
    const stories = (newest?.stories ?? []).filter(({ people }) => people >= minCell);
    const body = storiesPage({ ...defined({ at: newest?.takenAt.toISOString() }), stories, completion, minCell });
    return sendPage(parts, request, reply, { title: t('Stories'), place: 'stories' }, body);
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

/** How long the service may take. */
const withinMs = 60_000;
/** People that the page shows; the file has all. */
const mostShown = 500;

/** Whoever may look at people may. */
function registerNotAnswered(app: FastifyInstance, parts: ServerParts): void {
  const { context } = parts;
  const { ledger, service } = context;
  const { closing } = app;
  let isAsking = false;

  app.post('/stories/people', async (request, reply) => {
    const { source, story } = await keptStory(request);
    const { people, tally, rosterAt } = await ask(request, source, story.ID);
    const shown: PersonRow[] = [];
    for await (const some of ofStatus(people(closing), 'not-answered'))
      shown.push(...some.slice(0, mostShown - shown.length));
    await ledger.noteDeed({ by: request.by, action: 'look at who has not answered', origin: originOf(request) });
    const { notAnswered, notYetGiven } = tally.total;
    const body = notAnsweredPage({
      source,
      story,
      notAnswered,
      notYetGiven,
      people: shown,
      rosterAt: rosterAt.toISOString(),
      askedAt: new Date().toISOString(),
    });
    return sendPage(parts, request, reply, { title: t('Who has not answered'), place: 'stories' }, body);
  });

  app.post('/stories/people/download', async (request, reply) => {
    const { source, story } = await keptStory(request);
    const { people } = await ask(request, source, story.ID);
    return sendFile(context, request, reply, {
      action: 'download who has not answered',
      name: 'not-answered.csv',
      type: 'text/csv; charset=utf-8',
      parts: sheetParts(peopleSheet(ofStatus(people(closing), 'not-answered'))),
    });
  });

  /** The story that was asked for, if its counts are kept and shown. */
  async function keptStory(request: FastifyRequest): Promise<{ source: string; story: { ID: string; name: string } }> {
    const { source = '', story = '' } = formOf(request);
    refuseUnknown(context, source);
    const kept = await ledger.listCompletion({ service: service.address, source }, mostTimes);
    const found = kept.find((each) => each.story.ID === story);
    if (!found) throw new RequestError(404, 'NO_STORY', t('No counts of that story are kept for this source.'));
    if (hideSmallGroups(found.total, found.groups, minCell).total === undefined) {
      throw new RequestError(
        422,
        'FEW',
        t('The roster has fewer than # people, so the page does not name them.', minCell),
      );
    }
    return { source, story: found.story };
  }

  async function ask(request: FastifyRequest, source: string, story: string): ReturnType<typeof askWhoAnswered> {
    if (isAsking) {
      throw new RequestError(409, 'BUSY', t('Somebody else is asking the service for answers. Try again in a minute.'));
    }
    isAsking = true;
    awaitAnswer(request);
    try {
      return await askWhoAnswered(context, { source, story, withinMs, signal: closing });
    } finally {
      isAsking = false;
    }
  }
}
