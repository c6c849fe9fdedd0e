// The page of the sources, and reading one of them now.
import type { FastifyInstance } from 'fastify';
import type { SourceConfig } from '../../../config/source-schema.ts';
import { startRun } from '../../acts/starting.ts';
import { defined } from '../../core/defined.ts';
import { placeOf } from '../../roster/configured-source.ts';
import { defaultGuards } from '../../core/guards/guard-settings.ts';
import { usualOf } from '../../core/guards/usual.ts';
import { configuredSchedules, nextTimes } from '../../core/run/schedule.ts';
import type { LatestEvent } from '../../ledger/events/events.ts';
import { parseBaseUrl } from '../../service/settings.ts';
import { type ShownEvent, type ShownSource, sourcesPage } from '../../page/sources.ts';
import { askOf } from '../api/mount.ts';
import { awaitAnswer } from '../bodies.ts';
import type { ServerParts } from '../parts.ts';
import { sendPage } from './answers.ts';
import { viewerOf } from './session.ts';

const days = 7;
/** Events of a source that are shown singly. */
const shownEvents = 10;
const shownTimes = 3;

export function registerSources(app: FastifyInstance, parts: ServerParts): void {
  const { config, ledger } = parts.context;

  app.get('/sources', async (request, reply) => {
    const counts = await ledger.eventCounts(days);
    const latest = await ledger.latestEvents(shownEvents);
    const shown: ShownSource[] = [];
    for (const [name, source] of Object.entries(config.sources)) {
      const events = counts.filter((each) => each.source === name);
      const mine = latest.filter((each) => each.source === name);
      const schedule = scheduleOf(name);
      const usual = await usualPeopleOf(name, source);
      shown.push({
        name,
        from: placeOf(source),
        ...defined({ schedule, usual }),
        ...(source.scim && { isPushed: true }),
        ...(source.webhook && {
          webhook: { path: `/hooks/${encodeURIComponent(name)}`, events, latest: mine.map(shownEvent) },
        }),
      });
    }
    for (const { name, by } of await ledger.listKeptSources()) {
      // One of the config wins.
      if (!Object.hasOwn(config.sources, name)) shown.push({ name, from: '', keptBy: by });
    }
    const body = sourcesPage(shown, viewerOf(request), days);
    return sendPage(parts, request, reply, { title: 'Sources', place: 'sources' }, body);
  });

  app.post('/sources/run', async (request, reply) => {
    awaitAnswer(request);
    const { source = '', look = '' } = request.body as Partial<Record<string, string>>;
    const { run } = await askOf(parts, request)(startRun, { source, hold: look === 'first' });
    return reply.redirect(`/runs/${run}`, 303);
  });

  function scheduleOf(name: string): ShownSource['schedule'] {
    const schedule = configuredSchedules(config).get(name);
    if (schedule === undefined) return undefined;
    const next = nextTimes(schedule, new Date(), shownTimes).map((at) => at.toISOString());
    return { cron: schedule.cron, timezone: schedule.timezone, next };
  }

  /** What is usual, and below how many people the guard `shrink` holds a roster. */
  async function usualPeopleOf(name: string, { guards }: SourceConfig): Promise<ShownSource['usual']> {
    const { baseUrl } = config.service;
    if (baseUrl === undefined) return undefined;
    const { censuses } = await ledger.historyOf({ service: parseBaseUrl(baseUrl).address, source: name });
    const usual = usualOf(censuses);
    if (usual === undefined) return undefined;
    const members = censuses.map(({ census }) => census.members);
    const shrink = guards?.shrink ?? defaultGuards.shrink;
    const range = { least: Math.min(...members), most: Math.max(...members) };
    if (shrink === 'off' || usual.isOfBatches) return range;
    const heldBelow = usual.members - Math.floor(Math.max(shrink.count, (usual.members * shrink.percent) / 100));
    return { ...range, ...(heldBelow > 0 && { heldBelow }) };
  }
}

/** What a page says about an event: no person, and no more of its kind than a line. */
function shownEvent({ receivedAt, kind, isWaiting, runId }: LatestEvent): ShownEvent {
  return { at: receivedAt.toISOString(), kind: kind.slice(0, 80), isWaiting, ...(runId !== null && { runId }) };
}
