// Writes a notice as text for chats and mails, escaped for each.
import { type ActStep, withNext } from '../core/errors.ts';
import type { Notice, NoticeLine } from '../core/run/notification.ts';
import { commandOf, nameAtTerminal } from '../report/terminal/commands.ts';

const invisible = '\u{200b}';

/**
 * A notice as the text of a chat, in Slack's mrkdwn, which Mattermost, Discord and others read as well: `&`, `<` and `>` are
 * what makes links and mentions there (https://docs.slack.dev/messaging/formatting-message-text), a plain `@channel` calls
 * nobody, and nothing but the commands can be taken for a link, whatever a file or a server is called.
 * @param link to the run, where it can be looked at
 */
export function chatText({ subject, lines, next }: Notice, link?: string): string {
  const [first = '', ...others] = [subject, ...lines].map((line) => worded(line, slackText));
  return [`*${first}*`, ...others, ...next.map(indented), ...(link === undefined ? [] : [link])].join('\n');
}

export function slackText(line: string): string {
  return unlinked(line)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(']', `]${invisible}`)
    .replaceAll(/@(?=(?:all|channel|everyone|here)\b)/gi, `@${invisible}`);
}

/** A notice as the plain text of a mail, in which a program that shows it finds no address to make a link of but ours. */
export function mailText({ lines, next }: Notice, link?: string): string {
  const last = link === undefined ? [] : ['', link];
  return `${[...lines.map((line) => worded(line, unlinked)), ...next.map(indented), ...last].join('\n')}\n`;
}

/** A line, escaped, with the commands for what to do next, which are ours. */
export function worded(line: NoticeLine, escape: (text: string) => string): string {
  return typeof line === 'string' ? escape(line) : withNext(escape(line.text), line.next, nameAtTerminal);
}

const indented = (step: ActStep): string => `  ${commandOf(step)}`;

/** A text in which nothing is an address: `https:` and names of hosts are interrupted by a character that nobody sees. */
export function unlinked(text: string): string {
  return text.replaceAll('://', `:${invisible}//`).replaceAll(/(?<=[\p{L}\p{N}])\.(?=\p{L})/gu, `.${invisible}`);
}
