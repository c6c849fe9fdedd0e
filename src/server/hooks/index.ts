// Registers the webhook routes and starts handling their events.
import type { FastifyInstance } from 'fastify';
import { startHandlingEvents } from '../../../jobs/index.ts';
import { settleWebhook, type Webhook } from '../../core/webhooks/webhook.ts';
import type { ServerParts } from '../parts.ts';
import { Handshakes } from './handshakes.ts';
import { HookResults } from './results.ts';
import { hookRoutes } from './routes.ts';

/** Registers the routes that HR systems call, and starts to do what they tell. Where no source has a webhook, nothing. */
export async function registerHooks(app: FastifyInstance, { context, poke }: ServerParts): Promise<void> {
  const { config, ledger, log, directory } = context;
  const webhooks = new Map<string, Webhook>();
  for (const [name, { webhook }] of Object.entries(config.sources)) {
    if (webhook) webhooks.set(name, settleWebhook(webhook));
  }
  const results = new HookResults(ledger, log, context.figures);
  const handling = webhooks.size > 0 ? startHandlingEvents(context, { webhooks, poke }) : undefined;
  hookRoutes(app, {
    webhooks,
    results,
    handshakes: new Handshakes(directory?.path, log),
    add: ledger.addEvent,
    carried: () => handling?.poke(),
    now: () => new Date(),
  });
  app.addHook('onClose', async () => {
    await handling?.stop();
    await results.close();
  });
}
