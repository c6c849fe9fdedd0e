// Opens the configured channels and sends notices in the background.
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../core/defined.ts';
import {
  afterHeld,
  type Channel,
  type MessageFormat,
  type Notice,
  type RunEvent,
  type Subscription,
} from '../core/run/notification.ts';
import type { Secret } from '../core/secrets/secret.ts';
import type { ConnectionOptions } from '../http/connections.ts';
import type { Reply } from './post.ts';
import type { Attempt } from './webhook.ts';

export interface NotifierOptions {
  settings: {
    webhook?: Secret;
    webhookSecret?: Secret;
    format?: MessageFormat;
    smtp?: Secret;
    from?: string;
    to: readonly string[];
    heartbeat?: Secret;
    on: readonly RunEvent[];
  };
  userAgent: string;
  /** The address of the pages, for links to runs; without it there are none. */
  publicUrl?: string | undefined;
  environment: ConnectionOptions['environment'];
  /** The longest that one attempt may take, ms. Default: 10 s. */
  timeoutMs?: number;
  /** The longest wait of closing for what is being sent, ms. Default: 5 s. */
  graceMs?: number;
}

export type Notifier = ReturnType<typeof openNotifier>;

/** As long as people wait at a door. */
const attemptMs = 10_000;
const graceMs = 5000;
const lastWordsMs = 1000;

/** Where a run can be looked at. */
function linkTo({ run }: Notice, publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined || run === undefined) return undefined;
  return `${publicUrl.replace(/\/$/, '')}/runs/${encodeURIComponent(run)}`;
}

/** Every channel, as the settings say; undefined where they do not name it. */
function channelsOf(
  settings: NotifierOptions['settings'],
): Record<
  Channel,
  { events: readonly RunEvent[]; send(notice: Notice, attempt: Attempt): Promise<Reply> } | undefined
> {
  const { webhook, webhookSecret, format, smtp, from, to, heartbeat, on } = settings;
  const events: RunEvent[] = on.includes('held') ? [...on, ...afterHeld] : [...on];
  return {
    webhook: webhook && {
      events,
      async send(notice, attempt) {
        const { postNotice } = await import('./webhook.ts');
        return postNotice({ webhook, ...defined({ webhookSecret, format }) }, notice, attempt);
      },
    },
    mail:
      smtp && from !== undefined && to.length > 0
        ? {
            events,
            async send(notice, attempt) {
              const { mailNotice } = await import('./mail.ts');
              return mailNotice({ smtp, from, to }, notice, attempt);
            },
          }
        : undefined,
    heartbeat: heartbeat && {
      events: ['finished'],
      async send({ source = 'test' }, { userAgent, signal, environment }) {
        const { post } = await import('./post.ts');
        const url = new URL(heartbeat.reveal().replaceAll(/\{source\}|%7Bsource%7D/gi, encodeURIComponent(source)));
        return post({ url, headers: { 'user-agent': userAgent }, body: '', signal, environment });
      },
    },
  };
}

/**
 * Notifies people and monitors: opens the channels that the settings name, and connects when something is to be sent. None
 * of it throws, and only `close` waits for it, briefly.
 */
export function openNotifier({ settings, userAgent, publicUrl, environment, ...bounds }: NotifierOptions) {
  const channels = channelsOf(settings);
  const closing = new AbortController();
  const working = new Set<Promise<void>>();
  let open = true;

  return {
    /** The channels that are set. */
    subscriptions: (Object.keys(channels) as Channel[]).flatMap((channel): Subscription[] => {
      const { events } = channels[channel] ?? {};
      return events ? [{ channel, events }] : [];
    }),
    /** Sends one notice; `id` is the same at each attempt. */
    async send(channel: Channel, notice: Notice, id: string): Promise<Reply> {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(bounds.timeoutMs ?? attemptMs)]);
      const attempt = { id, at: new Date(), userAgent, signal, environment, link: linkTo(notice, publicUrl) };
      return (await channels[channel]?.send(notice, attempt)) ?? { ok: false, said: `${channel} is not set any more` };
    },
    /** Lets work run in addition to the main task of the process. Once this is closing, nothing more is begun. */
    inBackground(work: () => Promise<void>): void {
      if (!open) return;
      const done = work()
        .catch(() => {})
        .finally(() => working.delete(done));
      working.add(done);
    },
    async close(): Promise<void> {
      open = false;
      const waited = new AbortController();
      await Promise.race([
        Promise.all(working),
        sleep(bounds.graceMs ?? graceMs, undefined, { signal: waited.signal }).catch(() => {}),
      ]);
      waited.abort();
      // What was on its way ends now, and is recorded as not sent; closing does not wait for a ledger that is away.
      closing.abort();
      await Promise.race([Promise.all(working), sleep(lastWordsMs, undefined, { ref: false })]);
    },
  };
}
