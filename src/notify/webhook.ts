// Posts a notice to Slack, to Teams, or as signed JSON.
import { Webhook } from 'standardwebhooks';
import { defined } from '../core/defined.ts';
import { type MessageFormat, formatFor, type Notice, type NoticeLine } from '../core/run/notification.ts';
import { commandOf } from '../report/terminal/commands.ts';
import type { Secret } from '../core/secrets/secret.ts';
import { chatText, slackText, unlinked, worded } from './notice-text.ts';
import { type Post, type Reply, post } from './post.ts';

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
  const commands = notice.next.map(commandOf);
  const linked = { ...data, ...(commands.length > 0 && { commands }), ...defined({ link }) };
  return { type, timestamp: at, data: linked, text: chatText(notice, link) };
}

/** The longest text of a section, and of the fallback, in characters. */
const longestText = 3000;

/**
 * A notice as Slack's Block Kit: what happened, the commands, a button that opens the run, and when it was.
 * `text` is what a notification on a screen shows.
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks,
 * https://docs.slack.dev/reference/block-kit/blocks/section-block (3,000 characters),
 * https://docs.slack.dev/reference/block-kit/block-elements/button-element (75 characters of text, 3,000 of the address)
 */
function slackMessage(notice: Notice, { at, link }: { at: Date; link: string | undefined }): object {
  const { subject, lines, next, type } = notice;
  const commands = next.map((step) => slackText(commandOf(step)));
  const code = commands.length === 0 ? [] : [section(`\`\`\`${commands.join('\n')}\`\`\``)];
  const button = { type: 'button', text: { type: 'plain_text', text: 'Open the run' }, url: link };
  return {
    text: cut(chatText(notice), longestText),
    blocks: [
      section(`*${slackText(subject)}*`),
      section(lines.map((each) => worded(each, slackText)).join('\n')),
      ...code,
      ...(link === undefined ? [] : [{ type: 'actions', elements: [button] }]),
      { type: 'context', elements: [{ type: 'mrkdwn', text: `${type}, ${at.toISOString()}` }] },
    ],
  };
}

function section(text: string): object {
  return { type: 'section', text: { type: 'mrkdwn', text: cut(text, longestText) } };
}

/** The beginning of a text that is too long. No half of an escaped sign or of a character is left at the end. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 2).replace(/(?:&[a-z]*|\p{Cs})$/u, '')} …`;
}

/** The largest message that Teams takes, in bytes, less some room for what it adds. */
const mostBytes = 28_000;

/**
 * A notice as the message that the webhook of a workflow, or an incoming webhook, takes: one Adaptive Card as attachment.
 * Its texts are runs of a `RichTextBlock`, which unlike a `TextBlock` know no Markdown, so that nothing in them has to be
 * escaped. A card that is too large loses its last lines.
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using (message, 28 KB),
 * https://adaptivecards.io/explorer/TextRun.html, https://adaptivecards.io/explorer/Action.OpenUrl.html
 */
function teamsMessage(notice: Notice, { at, link }: { at: Date; link: string | undefined }): object {
  for (let { lines } = notice; ; lines = lines.slice(0, -1)) {
    const isCut = lines.length < notice.lines.length;
    const message = messageOf({ ...notice, lines: isCut ? [...lines, '…'] : lines }, { at, link });
    if (Buffer.byteLength(JSON.stringify(message)) <= mostBytes || lines.length === 0) return message;
  }
}

function messageOf(
  { subject, lines, next, type }: Notice,
  { at, link }: { at: Date; link: string | undefined },
): object {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      line(subject, { weight: 'Bolder', size: 'Medium' }),
      ...lines.map((text) => line(text)),
      ...next.map((step) => line(commandOf(step), { fontType: 'Monospace' })),
      line(`${type}, ${at.toISOString()}`, { isSubtle: true, size: 'Small' }),
    ],
    ...(link !== undefined && { actions: [{ type: 'Action.OpenUrl', title: 'Open the run', url: link }] }),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

function line(text: NoticeLine, look: object = {}): object {
  return {
    type: 'RichTextBlock',
    spacing: 'Small',
    inlines: [{ type: 'TextRun', text: worded(text, unlinked), ...look }],
  };
}
