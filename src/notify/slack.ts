// Writes a notice as a message of Slack, in blocks.
import type { Notice } from '../core/run/notification.ts';
import { chatText, slackText } from './notice-text.ts';

/** The longest text of a section, and of the fallback, in characters. */
const longestText = 3000;

/**
 * A notice as Slack's Block Kit: what happened, the commands, a button that opens the run, and when it was.
 * `text` is what a notification on a screen shows.
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks,
 * https://docs.slack.dev/reference/block-kit/blocks/section-block (3,000 characters),
 * https://docs.slack.dev/reference/block-kit/block-elements/button-element (75 characters of text, 3,000 of the address)
 */
export function slackMessage(notice: Notice, { at, link }: { at: Date; link: string | undefined }): object {
  const { subject, lines, commands, type } = notice;
  const code = commands.length === 0 ? [] : [section(`\`\`\`${commands.map(slackText).join('\n')}\`\`\``)];
  const button = { type: 'button', text: { type: 'plain_text', text: 'Open the run' }, url: link };
  return {
    text: cut(chatText(notice), longestText),
    blocks: [
      section(`*${slackText(subject)}*`),
      section(lines.map(slackText).join('\n')),
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
