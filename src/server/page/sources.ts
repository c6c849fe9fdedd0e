// The pages of the sources: read one now; look at, edit and remove one that is kept in the ledger.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SourceConfig } from '../../../config/source-schema.ts';
import { startRun } from '../../acts/starting.ts';
import { defined } from '../../core/defined.ts';
import { placeOf } from '../../roster/configured-source.ts';
import { defaultGuards } from '../../core/guards/guard-settings.ts';
import { usualOf } from '../../core/guards/usual.ts';
import { configuredSchedules, nextTimes } from '../../core/run/schedule.ts';
import { parseBaseUrl } from '../../service/settings.ts';
import { type ShownSource, sourcesPage } from '../../page/sources.ts';
import { askOf } from '../api/mount.ts';
import { awaitAnswer } from '../bodies.ts';
import type { ServerParts } from '../parts.ts';
import { formOf, paramOf, requireScope, sendPage, viewerOf } from './session.ts';
import { RequestError } from '../../core/errors.ts';
import { parseKeptBlock, writeKeptSource } from '../../../config/kept-source.ts';
import { getSource, keepSource, removeSource } from '../../acts/sources.ts';
import { keptSource } from '../../page/settings.ts';
import { isFromConfig } from '../../wiring/kept-sources.ts';

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
          webhook: { path: `/hooks/${encodeURIComponent(name)}`, events, latest: mine },
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
    const { source = '', look = '' } = formOf(request);
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

/** The most bytes of a form with such settings. */
const mostOfForm = 512 * 1024;

export function registerKeptSources(app: FastifyInstance, parts: ServerParts): void {
  const nameOf = (request: FastifyRequest): string => paramOf(request, 'name');

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    typed?: { block: string; problems: string[] },
  ): Promise<FastifyReply> {
    const { name, by, at, settings } = await askOf(parts, request)(getSource, { source: nameOf(request) });
    const body = keptSource({
      ...{ name, by, at },
      block: typed?.block ?? settings,
      problems: typed?.problems ?? [],
      exported: writeKeptSource(name, settings),
      isOverruled: isFromConfig(parts.context.config, name),
      mayRun: viewerOf(request).mayRun,
    });
    return sendPage(parts, request, reply, { title: name, place: 'import' }, body);
  }

  app.get('/kept/:name', async (request, reply) => show(request, reply));

  app.post('/kept/:name', { bodyLimit: mostOfForm }, async (request, reply) => {
    requireScope(request, 'run');
    const { name, by, at } = await askOf(parts, request)(getSource, { source: nameOf(request) });
    const { block, shown } = request.body as { block?: string; shown?: string };
    if (block === undefined) throw new RequestError(400, 'INPUT', 'The settings are missing from the form.');
    const text = block.replaceAll('\r\n', '\n');
    if (shown !== at) {
      const changed = `${by} has saved other settings since this page was loaded. Save again to replace them with these.`;
      return show(request, reply.code(409), { block: text, problems: [changed] });
    }
    const parsed = parseKeptBlock(text);
    if ('problems' in parsed) return show(request, reply.code(422), { block: text, problems: parsed.problems });
    await askOf(parts, request)(keepSource, { source: name, settings: text });
    return reply.redirect(`/kept/${encodeURIComponent(name)}`, 303);
  });

  app.post('/kept/:name/remove', async (request, reply) => {
    await askOf(parts, request)(removeSource, { source: nameOf(request) });
    return reply.redirect('/import', 303);
  });
}
