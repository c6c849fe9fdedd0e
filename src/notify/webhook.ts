// Posts a notice as signed JSON, with a text for Slack.
import { Webhook } from 'standardwebhooks';
import type { Notice } from '../core/run/notification.ts';
import { chatText } from './notice-text.ts';
import type { Secret } from '../core/secrets/secret.ts';
import { type Post, post, type Reply } from './post.ts';

/** Where messages are posted, and with what they are signed. */
export interface WebhookSettings {
  webhook: Secret;
  webhookSecret?: Secret;
}

/** How an attempt is made. */
export interface Attempt extends Pick<Post, 'signal' | 'environment'> {
  /** The same at each attempt, so that a receiver can recognise a repetition. */
  id: string;
  at: Date;
  userAgent: string;
}

/**
 * Posts a notice as JSON: `type`, `timestamp` and `data` as Standard Webhooks has them, and `text` for Slack and its like.
 * Signed where there is a secret (headers `webhook-id`, `webhook-timestamp`, `webhook-signature`).
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function postNotice(
  { webhook, webhookSecret }: WebhookSettings,
  notice: Notice,
  { id, at, userAgent, ...rest }: Attempt,
): Promise<Reply> {
  const { type, data } = notice;
  const text = chatText(notice);
  const body = JSON.stringify({ type, timestamp: at, data, text });
  const signature = webhookSecret ? new Webhook(webhookSecret.reveal()).sign(id, at, body) : undefined;
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    ...(signature === undefined ? {} : { 'webhook-signature': signature }),
  };
  return post({ url: new URL(webhook.reveal()), headers, body, ...rest });
}
