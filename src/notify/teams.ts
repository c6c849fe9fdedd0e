// Writes a notice as an Adaptive Card in a message of Microsoft Teams.
import type { Notice } from '../core/run/notification.ts';
import { unlinked } from './notice-text.ts';

/** The largest message that Teams takes, in bytes, less some room for what it adds. */
const mostBytes = 28_000;

/**
 * A notice as the message that the webhook of a workflow, or an incoming webhook, takes: one Adaptive Card as attachment.
 * Its texts are runs of a `RichTextBlock`, which unlike a `TextBlock` know no Markdown, so that nothing in them has to be
 * escaped. A card that is too large loses its last lines.
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using (message, 28 KB),
 * https://adaptivecards.io/explorer/TextRun.html, https://adaptivecards.io/explorer/Action.OpenUrl.html
 */
export function teamsMessage(notice: Notice, { at, link }: { at: Date; link: string | undefined }): object {
  for (let { lines } = notice; ; lines = lines.slice(0, -1)) {
    const isCut = lines.length < notice.lines.length;
    const message = messageOf({ ...notice, lines: isCut ? [...lines, '…'] : lines }, { at, link });
    if (Buffer.byteLength(JSON.stringify(message)) <= mostBytes || lines.length === 0) return message;
  }
}

function messageOf(
  { subject, lines, commands, type }: Notice,
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
      ...commands.map((text) => line(text, { fontType: 'Monospace' })),
      line(`${type}, ${at.toISOString()}`, { isSubtle: true, size: 'Small' }),
    ],
    ...(link !== undefined && { actions: [{ type: 'Action.OpenUrl', title: 'Open the run', url: link }] }),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

function line(text: string, look: object = {}): object {
  return { type: 'RichTextBlock', spacing: 'Small', inlines: [{ type: 'TextRun', text: unlinked(text), ...look }] };
}
