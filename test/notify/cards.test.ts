import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { z } from 'zod';
import { loadConfig } from '../../config/load.ts';
import {
  formatFor,
  type MessageFormat,
  type Notice,
  noticeOf,
  type NoticeFacts,
  testNotice,
} from '../../src/core/run/notification.ts';
import { onRun } from '../../src/core/errors.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { chatText, mailText } from '../../src/notify/notice-text.ts';
import { openNotifier } from '../../src/notify/notifier.ts';
import { openHearing } from './hearing.ts';

const facts: NoticeFacts = {
  ...{ event: 'held', run: '1a2b3c4d', source: 'R&D <b> @channel', service: 'https://service.example', status: 'held' },
  ...{ reason: '', outcome: {} },
  trips: [{ guard: 'departed', message: '*Sales* [x](y) lost jane.doe@example.com' }],
};
const notice = noticeOf(facts);
const publicUrl = 'https://roster.example.com/hr/';
const link = 'https://roster.example.com/hr/runs/1a2b3c4d';

/** Sends a notice to a receiver over HTTP, and reads what came in. */
async function received<T>(
  t: TestContext,
  message: z.ZodType<T>,
  how: { format: MessageFormat; notice?: Notice; publicUrl?: string },
): Promise<T> {
  const { url, heard } = await openHearing(t);
  const notifier = openNotifier({
    settings: { webhook: new Secret(`${url}/hook`), format: how.format, to: [], on: ['held'] },
    ...{ userAgent: 'roster-sync/test', environment: {}, publicUrl: how.publicUrl },
  });
  assert.equal((await notifier.send('webhook', how.notice ?? notice, 'n-1')).ok, true);
  await notifier.close();
  const body = heard[0]?.body ?? '';
  assert.equal(heard[0]?.headers['content-type'], 'application/json');
  assert.doesNotMatch(body, /jane\.doe/, 'no person');
  return message.parse(JSON.parse(body));
}

// What is required, and how long it may be: docs.slack.dev/reference/block-kit.
const Mrkdwn = z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(3000) });
const SlackButton = z.strictObject({
  type: z.literal('button'),
  text: z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(75) }),
  url: z.url().max(3000),
});
const SlackMessage = z.strictObject({
  text: z.string().min(1).max(3000),
  blocks: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('section'), text: Mrkdwn }),
        z.strictObject({ type: z.literal('actions'), elements: z.array(SlackButton).min(1).max(25) }),
        z.strictObject({ type: z.literal('context'), elements: z.array(Mrkdwn).min(1).max(10) }),
      ]),
    )
    .max(50),
});

// What is required: adaptivecards.io/explorer, and the message of the webhook: learn.microsoft.com/microsoftteams.
const Line = z.strictObject({
  type: z.literal('RichTextBlock'),
  spacing: z.enum(['None', 'Small', 'Default']),
  inlines: z
    .array(
      z.strictObject({
        type: z.literal('TextRun'),
        text: z.string(),
        weight: z.enum(['Default', 'Lighter', 'Bolder']).optional(),
        size: z.enum(['Default', 'Small', 'Medium', 'Large']).optional(),
        fontType: z.enum(['Default', 'Monospace']).optional(),
        isSubtle: z.boolean().optional(),
      }),
    )
    .min(1),
});
const Card = z.strictObject({
  $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
  type: z.literal('AdaptiveCard'),
  version: z.literal('1.4'),
  msteams: z.strictObject({ width: z.literal('Full') }),
  body: z.array(Line).min(1),
  actions: z
    .array(z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string().min(1), url: z.url() }))
    .optional(),
});
const TeamsMessage = z.strictObject({
  type: z.literal('message'),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: z.null(),
      content: Card,
    }),
  ]),
});
const JsonMessage = z.object({
  type: z.string(),
  text: z.string(),
  data: z.looseObject({ link: z.string().optional() }),
});

suite('messages for chats', () => {
  test('Slack gets blocks with escaped texts, the commands, and a button that opens the run', async (t) => {
    const { text, blocks } = await received(t, SlackMessage, { format: 'slack', publicUrl });
    const all = JSON.stringify(blocks);
    assert.deepEqual(
      blocks.map(({ type }) => type),
      ['section', 'section', 'section', 'actions', 'context'],
    );
    assert.match(all, /R&amp;D &lt;b&gt; @\u200bchannel is held\*/);
    assert.match(all, /```roster-sync show 1a2b3c4d\\nroster-sync approve 1a2b3c4d\\n/);
    assert.ok(all.includes(`"url":"${link}"`), all);
    assert.match(all, /run\.held, \d{4}-/);
    assert.match(text, /^\*roster-sync: R&amp;D/);
  });

  test('Teams gets an Adaptive Card in a message, with texts that know no Markdown, and a button', async (t) => {
    const message = await received(t, TeamsMessage, { format: 'teams', publicUrl });
    const { body, actions } = message.attachments[0].content;
    const lines = body.map(({ inlines }) => inlines.map(({ text }) => text).join(''));
    assert.equal(lines[0], 'roster-sync: R&D <b> @channel is held');
    assert.ok(
      lines.some((line) => line.startsWith('departed: *Sales* [x](y) lost j***@example.')),
      lines.join('\n'),
    );
    assert.ok(lines.includes('roster-sync approve 1a2b3c4d'));
    assert.deepEqual(actions, [{ type: 'Action.OpenUrl', title: 'Open the run', url: link }]);
  });

  test('there is no link without server.publicUrl, nor for what is no run', async (t) => {
    const slack = await received(t, SlackMessage, { format: 'slack' });
    assert.ok(slack.blocks.every(({ type }) => type !== 'actions'));
    const teams = await received(t, TeamsMessage, { format: 'teams', notice: testNotice, publicUrl });
    assert.equal(teams.attachments[0].content.actions, undefined);
    assert.equal((await received(t, JsonMessage, { format: 'json' })).data.link, undefined);
    const json = await received(t, JsonMessage, { format: 'json', publicUrl });
    assert.deepEqual([json.data.link, json.text.split('\n').at(-1)], [link, link]);
    assert.ok(mailText(notice, link).endsWith(`\n\n${link}\n`));
  });

  test('what is too long for Slack or Teams is cut, not refused', async (t) => {
    const long = { ...notice, lines: Array.from({ length: 200 }, (_, at) => `${at}: ${'&'.repeat(600)}`) };
    const slack = await received(t, SlackMessage, { format: 'slack', notice: long, publicUrl });
    assert.match(JSON.stringify(slack.blocks[1]), /&amp; …"/);
    assert.match(JSON.stringify(slack.blocks), /Open the run/);
    const teams = await received(t, TeamsMessage, { format: 'teams', notice: long, publicUrl });
    assert.ok(Buffer.byteLength(JSON.stringify(teams)) <= 28_000);
    const { body } = teams.attachments[0].content;
    assert.ok(body.some(({ inlines: [first] }) => first?.text === '…'));
    assert.match(JSON.stringify(body), /roster-sync approve/);
  });

  test('what a guard says names the commands that help, whole', () => {
    const trips = [
      { guard: 'paused', message: 'run 9c01 of staff is paused', next: onRun('9c01', 'resume', 'cancel') },
      { guard: 'domains', message: 'All <b> are new', next: [{ act: 'people.resolveMoves' as const }] },
      { guard: 'rejects', message: '3 rows are rejected.', next: onRun('1a2b3c4d', 'rejects') },
    ];
    const held = noticeOf({ ...facts, trips });
    for (const text of [chatText(held), mailText(held)]) {
      assert.match(text, /paused\. `roster-sync resume 9c01` continues it, `roster-sync cancel 9c01` ends it\./);
      assert.match(text, /are new\. `roster-sync resolve OLD NEW` tells who is who\./);
      assert.ok(text.includes('`roster-sync show 1a2b3c4d --rejects rejects.csv` names them.'), text);
    }
    assert.match(chatText(held), /&lt;b&gt;/);
    assert.deepEqual((held.data as { guards: object[] }).guards[0], { ...trips[0] });
  });

  test('the host decides about the form, unless it is set', () => {
    const hosts: [string, MessageFormat][] = [
      ['https://hooks.slack.com/services/T0/B0/x', 'slack'],
      ['https://contoso.webhook.office.com/webhookb2/x', 'teams'],
      ['https://prod-12.westeurope.logic.azure.com:443/workflows/x', 'teams'],
      ['https://default0a.1b.environment.api.powerplatform.com:443/powerautomate/x', 'teams'],
      ['https://hooks.slack.com.evil.example/x', 'json'],
      ['https://chat.example.com/hooks/x', 'json'],
    ];
    for (const [url, format] of hosts) assert.equal(formatFor(new URL(url)), format, url);
    const load = (environment: Record<string, string>) => loadConfig({ cwd: import.meta.dirname, environment });
    assert.equal(load({ ROSTER_SYNC__NOTIFY__FORMAT: 'teams' }).notify.format, 'teams');
    assert.throws(
      () => load({ ROSTER_SYNC__NOTIFY__FORMAT: 'discord' }),
      /notify.format must be one of slack, teams, json/,
    );
    assert.throws(
      () => load({ ROSTER_SYNC__SERVER__PUBLIC_URL: 'roster.example.com' }),
      /must be an address like https/,
    );
    assert.throws(
      () => load({ ROSTER_SYNC__SERVER__PUBLIC_URL: 'https://me:secret@example.com' }),
      /must be an address/,
    );
  });
});
