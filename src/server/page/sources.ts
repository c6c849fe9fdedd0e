// The pages of sources, also those kept in the ledger, and of settings with the checks of `doctor`.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SourceConfig } from '../../../config/source-schema.ts';
import { startRun } from '../../acts/starting.ts';
import { defined } from '../../core/defined.ts';
import { placeOf } from '../../roster/configured-source.ts';
import { defaultGuards } from '../../core/guards/guard-settings.ts';
import { usualOf } from '../../core/guards/usual.ts';
import { configuredSchedules, nextTimes } from '../../core/run/schedule.ts';
import { parseBaseUrl } from '../../service/settings.ts';
import { keptSource, settingsPage, type ShownSource, sourcesPage } from '../../page/sources.ts';
import { t } from '../../page/words.ts';
import { askOf } from '../api/mount.ts';
import { awaitAnswer } from '../bodies.ts';
import type { ServerParts } from '../parts.ts';
import { formOf, paramOf, requireScope, sendPage, viewerOf } from './session.ts';
import { RequestError } from '../../core/errors.ts';
import { parseKeptBlock, writeKeptSource } from '../../../config/kept-source.ts';
import { askService } from '../../acts/upkeep.ts';
import { getSource, keepSource, removeSource } from '../../acts/sources.ts';
import { isFromConfig } from '../../wiring/kept-sources.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  backupFindings,
  configFindings,
  type Finding,
  pgpFindings,
  problem,
  remark,
  tableFindings,
} from '../../wiring/findings.ts';
import { originOf } from '../access-log.ts';

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
    return sendPage(parts, request, reply, { title: t('Sources'), place: 'sources' }, body);
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
    if (block === undefined) throw new RequestError(400, 'INPUT', t('The settings are missing from the form.'));
    const text = block.replaceAll('\r\n', '\n');
    if (shown !== at) {
      const changed = t(
        '{by} has saved other settings since this page was loaded. Save again to replace them with these.',
        1,
        { by },
      );
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

/** How long a page waits for each of the longer checks, ms. */
const withinMs = 15_000;

/** Whoever may steer runs may have the service asked, as `doctor` does. */
export function registerSettings(app: FastifyInstance, parts: ServerParts): void {
  const { config, ledger } = parts.context;
  const isEmbedded = config.databaseUrl === undefined;
  const hasMore = isEmbedded || Object.values(config.sources).some(({ pgp }) => pgp !== undefined);
  let underWay = 0;

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    more: readonly Finding[] = [],
  ): Promise<FastifyReply> {
    const notReady = await parts.notReady();
    const what = t('ledger and queue');
    const ready: Finding[] =
      notReady.length === 0
        ? [{ what, state: 'ok', text: t('they answer') }]
        : notReady.map((text) => ({ what, state: 'problem', text }));
    const checks = [...(await configFindings(config)), ...ready, ...more];
    const view = { settings: config.settings, checks, mayAsk: viewerOf(request).mayRun, hasMore };
    const body = settingsPage({ ...view, ...defined({ file: config.file }) });
    return sendPage(parts, request, reply, { title: t('Settings'), place: 'settings' }, body);
  }

  app.get('/settings', async (request, reply) => show(request, reply));

  app.post('/settings/ask', async (request, reply) => {
    awaitAnswer(request);
    return show(request, reply, [await askOf(parts, request)(askService, {})]);
  });

  app.post('/settings/check', async (request, reply) => {
    requireScope(request, 'run');
    if (underWay > 0) throw new RequestError(409, 'BUSY', t('These checks are still running. Try again in a minute.'));
    await ledger.noteDeed({ by: request.by, action: 'check backup, tables and keys', origin: originOf(request) });
    const found = await Promise.all([
      within(t('backup'), backupFindings(config)),
      within(t('tables'), isEmbedded ? tableFindings(parts.context) : Promise.resolve([])),
      within('PGP', pgpFindings(config)),
    ]);
    return show(request, reply, found.flat());
  });

  /** What a check finds, or that it takes too long for a page; it then ends by itself. */
  async function within(what: string, check: Promise<Finding[]>): Promise<Finding[]> {
    underWay += 1;
    const found = check
      .catch((error: unknown) => [problem(what, error)])
      .finally(() => {
        underWay -= 1;
      });
    const text = t(
      'this takes longer than # seconds: whoever runs roster-sync can check it without a limit',
      withinMs / 1000,
    );
    return Promise.race([found, sleep(withinMs, [remark(what, text)], { ref: false })]);
  }
}
