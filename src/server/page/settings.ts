// The page of the settings: what is in force, and the checks of `doctor` that need no second process.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { settingsPage } from '../../page/settings.ts';
import {
  type Finding,
  secretFindings,
  serviceFinding,
  settingsFinding,
  sourceFindings,
} from '../../wiring/findings.ts';
import { originOf } from '../api/deeds.ts';
import type { ServerParts } from '../parts.ts';
import { sendPage } from './answers.ts';
import { requireScope, viewerOf } from './session.ts';

/** Adds it. Whoever may steer runs may have the service asked, as `doctor` does. */
export function registerSettings(app: FastifyInstance, parts: ServerParts): void {
  const { config, ledger } = parts.context;

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
    const checks = [
      await settingsFinding(config),
      ...secretFindings(config),
      ...sourceFindings(config),
      ...ready,
      ...more,
    ];
    const view = { settings: config.settings, checks, mayAsk: viewerOf(request).mayRun };
    const body = settingsPage({ ...view, ...(config.file !== undefined && { file: config.file }) });
    return sendPage(parts, request, reply, { title: 'Settings', place: 'settings' }, body);
  }

  app.get('/settings', async (request, reply) => show(request, reply));

  app.post('/settings/ask', async (request, reply) => {
    requireScope(request, 'run');
    await ledger.noteDeed({ by: request.by, action: 'ask the service', origin: originOf(request) });
    return show(request, reply, [await serviceFinding(config)]);
  });
}
