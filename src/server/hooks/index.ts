// Registers the webhook routes and starts handling their events.
import type { FastifyInstance } from 'fastify';
import { startHandlingEvents } from '../../../jobs/events/handle-events.ts';
import { type EventRules, settleWebhook, type Webhook } from '../../core/webhooks/webhook.ts';
import type { ServerParts } from '../parts.ts';
import { handshakesIn } from './handshakes.ts';
import { HookResults } from './results.ts';
import { hookRoutes } from './routes.ts';

export async function registerHooks(app: FastifyInstance, { context, poke }: ServerParts): Promise<void> {
  const { config, ledger, log, directory } = context;
  const webhooks = new Map<string, Webhook>();
  for (const [name, { webhook }] of Object.entries(config.sources)) {
    if (webhook) webhooks.set(name, settleWebhook(webhook));
  }
  const events = new Map<string, EventRules>(webhooks);
  for (const [name, { scim }] of Object.entries(config.sources)) {
    if (scim) events.set(name, { quietMs: scim.quiet, longestMs: scim.longest });
  }
  const results = new HookResults(ledger, log, context.figures);
  const handling = events.size > 0 ? startHandlingEvents(context, { sources: events, poke }) : undefined;
  hookRoutes(app, {
    webhooks,
    results,
    keepToken: handshakesIn(directory?.path, log),
    add: ledger.addEvent,
    carried: () => handling?.poke(),
    now: () => new Date(),
  });
  app.addHook('onClose', async () => {
    await handling?.stop();
    await results.close();
  });
}
