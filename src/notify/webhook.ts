// Posts a notice to Slack, to Teams, or as signed JSON.
import { Webhook } from 'standardwebhooks';
import { defined } from '../core/defined.ts';
import type { Notice } from '../core/run/notification.ts';
import { formatFor, type MessageFormat } from '../core/run/message-format.ts';
import { chatText } from './notice-text.ts';
import { slackMessage } from './slack.ts';
import { teamsMessage } from './teams.ts';
import type { Secret } from '../core/secrets/secret.ts';
import { type Post, post, type Reply } from './post.ts';

/** Where messages are posted, and with what they are signed. */
export interface WebhookSettings {
  webhook: Secret;
  webhookSecret?: Secret;
  /** Decided by the host unless it is set. */
  format?: MessageFormat;
}

/** How an attempt is made. */
export interface Attempt extends Pick<Post, 'signal' | 'environment'> {
  /** The same at each attempt, so that a receiver can recognise a repetition. */
  id: string;
  at: Date;
  userAgent: string;
  /** Where the run can be looked at. */
  link?: string | undefined;
}

/**
 * Posts a notice as a message of Slack or Teams, or as JSON: `type`, `timestamp` and `data` as Standard Webhooks has them, and
 * `text` for Mattermost and its like.
 * Signed where there is a secret (headers `webhook-id`, `webhook-timestamp`, `webhook-signature`).
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function postNotice(
  { webhook, webhookSecret, format }: WebhookSettings,
  notice: Notice,
  { id, at, userAgent, link, ...rest }: Attempt,
): Promise<Reply> {
  const url = new URL(webhook.reveal());
  const body = JSON.stringify(messages[format ?? formatFor(url)](notice, { at, link }));
  const signature = webhookSecret ? new Webhook(webhookSecret.reveal()).sign(id, at, body) : undefined;
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    ...defined({ 'webhook-signature': signature }),
  };
  return post({ url, headers, body, ...rest });
}

const messages = { slack: slackMessage, teams: teamsMessage, json: jsonMessage };

function jsonMessage(notice: Notice, { at, link }: { at: Date; link: string | undefined }): object {
  const { type, data } = notice;
  const linked = link === undefined ? data : { ...data, link };
  return { type, timestamp: at, data: linked, text: chatText(notice, link) };
}
