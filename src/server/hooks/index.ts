// Registers the webhooks, handles their events, and stores tokens that a person must hand back to a system.
import type { FastifyInstance } from 'fastify';
import { namesOf } from '../../../jobs/events/events-with-people.ts';
import { startHandlingEvents } from '../../../jobs/events/handle-events.ts';
import { saysLeft } from '../../core/webhooks/event.ts';
import { type EventRules, settleWebhook, type Webhook } from '../../core/webhooks/webhook.ts';
import type { NewEvent } from '../../ledger/events/events.ts';
import type { ServerParts } from '../parts.ts';
import { HookResults } from './results.ts';
import { hookRoutes } from './routes.ts';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '../../core/errors.ts';
import { fileNameOf } from '../../core/rows/source.ts';
import type { Logger } from '../../process/logger.ts';

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

/** The most tokens to keep: before there is a secret, anybody can send one. */
const most = 20;

/**
 * Keeps a token: the right one becomes the secret. They are kept in a file that only its owner can read, never in a log, one
 * on a line after its time. It throws a StorageError when there is no place for it.
 * @param directory the data directory; without one nothing can be kept
 */
export function handshakesIn(directory: string | undefined, log: Logger) {
  return async (source: string, token: string, now: Date): Promise<void> => {
    if (directory === undefined) throw new StorageError('There is no data directory to keep the token in.');
    const folder = join(directory, 'handshakes');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${fileNameOf(source)}.txt`);
    const kept = await readFile(file, 'utf8').catch(() => '');
    if (kept.includes(` ${token}\n`)) return;
    if (kept.split('\n').length > most)
      throw new StorageError(`${file} is full of tokens: remove it, and ask for a new token.`);
    await appendFile(file, `${now.toISOString()} ${token}\n`, { mode: 0o600 });
    log.warn(
      { source, file },
      'a verification token arrived: return it as docs/webhook-systems.md says, then set it as the secret',
    );
  };
}
