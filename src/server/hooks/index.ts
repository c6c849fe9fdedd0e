// Registers the webhook routes and starts handling their events.
import type { FastifyInstance } from 'fastify';
import { namesOf } from '../../../jobs/events/events-with-people.ts';
import { startHandlingEvents } from '../../../jobs/events/handle-events.ts';
import { saysLeft } from '../../core/webhooks/event.ts';
import { type EventRules, settleWebhook, type Webhook } from '../../core/webhooks/webhook.ts';
import type { NewEvent } from '../../ledger/events/events.ts';
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
  /** Notes whom it says to leave: older rosters do not send them, also while it waits. */
  async function add(event: NewEvent): Promise<boolean> {
    const { source, kind, people } = event;
    const rules = webhooks.get(source);
    if (!rules || !saysLeft(kind, rules.kinds)) return ledger.addEvent(event);
    // Handling it says what cannot be read.
    const leavers = await namesOf(context, { source, rules }, people).catch(() => []);
    return ledger.addEvent({ ...event, leavers });
  }
  const handling = events.size > 0 ? startHandlingEvents(context, { sources: events, poke }) : undefined;
  hookRoutes(app, {
    webhooks,
    results,
    keepToken: handshakesIn(directory?.path, log),
    add,
    carried: () => handling?.poke(),
    now: () => new Date(),
  });
  app.addHook('onClose', async () => {
    await handling?.stop();
    await results.close();
  });
}
