// The page of the settings: what is in force, and the checks of `doctor`; those that may take long are asked for.
import { RequestError } from '../../core/errors.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { defined } from '../../core/defined.ts';
import { settingsPage } from '../../page/settings.ts';
import {
  backupFindings,
  configFindings,
  type Finding,
  pgpFindings,
  problem,
  remark,
  serviceFinding,
  tableFindings,
} from '../../wiring/findings.ts';
import { originOf } from '../access-log.ts';
import type { ServerParts } from '../parts.ts';
import { requireScope, sendPage, viewerOf } from './session.ts';

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
    const ready: Finding[] =
      notReady.length === 0
        ? [{ what: 'ledger and queue', state: 'ok', text: 'they answer' }]
        : notReady.map((text) => ({ what: 'ledger and queue', state: 'problem', text }));
    const checks = [...(await configFindings(config)), ...ready, ...more];
    const view = { settings: config.settings, checks, mayAsk: viewerOf(request).mayRun, hasMore };
    const body = settingsPage({ ...view, ...defined({ file: config.file }) });
    return sendPage(parts, request, reply, { title: 'Settings', place: 'settings' }, body);
  }

  app.get('/settings', async (request, reply) => show(request, reply));

  app.post('/settings/ask', async (request, reply) => {
    requireScope(request, 'run');
    await ledger.noteDeed({ by: request.by, action: 'ask the service', origin: originOf(request) });
    return show(request, reply, [await serviceFinding(config)]);
  });

  app.post('/settings/check', async (request, reply) => {
    requireScope(request, 'run');
    if (underWay > 0) throw new RequestError(409, 'BUSY', 'These checks are still running. Try again in a minute.');
    await ledger.noteDeed({ by: request.by, action: 'check backup, tables and keys', origin: originOf(request) });
    const found = await Promise.all([
      within('backup', backupFindings(config)),
      within('tables', isEmbedded ? tableFindings(parts.context) : Promise.resolve([])),
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
    const text = `this takes longer than ${withinMs / 1000} seconds: run \`roster-sync doctor\``;
    return Promise.race([found, sleep(withinMs, [remark(what, text)], { ref: false })]);
  }
}
