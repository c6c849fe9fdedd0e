import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { suite, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type Notice, noticeOf, type NoticeFacts, testNotice } from '../../src/core/run/notification.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { mailText, worded } from '../../src/notify/notice-text.ts';
import { type Notifier, type NotifierOptions, openNotifier } from '../../src/notify/notifier.ts';
import { openHearing, openMailServer } from './hearing.ts';

const signingSecret = `whsec_${Buffer.from('a very secret secret of 32 bytes').toString('base64')}`;

function open(
  settings: Partial<NotifierOptions['settings']>,
  bounds: Pick<NotifierOptions, 'timeoutMs' | 'graceMs'> = {},
): Notifier {
  const all = { to: [], on: ['held', 'failed'] as const, ...settings };
  return openNotifier({ settings: all, userAgent: 'roster-sync/test', environment: {}, ...bounds });
}

const facts: NoticeFacts = {
  event: 'held',
  run: '1a2b3c4d',
  source: 'staff',
  service: 'https://service.example',
  status: 'held',
  reason: '',
  trips: [{ guard: 'departed', message: 'Sales <b> & @channel lost jane.doe@example.com\r\nBcc: x@y.example' }],
  roster: { rows: 4812, members: 4800, merged: 0, filtered: 0, rejects: 12 },
  plan: {
    counts: { new: 3, changed: 0, again: 0, unchanged: 4797, later: 0, departed: 4788, leftBehind: 0 },
    calls: 3,
    possibleInvitations: 2,
    groups: [{ group: 'R&D\u202e', adds: 3 }],
  },
  outcome: {},
};
const notice: Notice = noticeOf(facts);

suite('notifications', () => {
  test('a webhook gets JSON with figures, commands and a text that Slack shows as it is; no address is whole', async (t) => {
    const { url, heard } = await openHearing(t);
    const notifier = open({ webhook: new Secret(`${url}/services/T0/B0/secretpath`) });
    assert.deepEqual(await notifier.send('webhook', notice, 'n-1'), {
      ok: true,
      said: `HTTP 200 from ${new URL(url).host}: ok`,
    });
    const [request] = heard;
    assert.equal(request?.path, '/services/T0/B0/secretpath');
    assert.equal(request.headers['content-type'], 'application/json');
    assert.equal(request.headers['webhook-id'], 'n-1');
    assert.equal(request.headers['webhook-signature'], undefined);
    const body = JSON.parse(request.body);
    assert.equal(body.type, 'run.held');
    assert.equal(body.data.run, '1a2b3c4d');
    assert.deepEqual(body.data.roster, facts.roster);
    assert.deepEqual(body.data.commands.slice(0, 2), ['roster-sync show 1a2b3c4d', 'roster-sync approve 1a2b3c4d']);
    assert.match(body.text, /Sales &lt;b&gt; &amp; @\u200bchannel lost j\*\*\*@example\.\u200bcom Bcc: x\*\*\*@y/);
    assert.match(body.text, /4,812 rows, 4,800 people, 12 rejects/);
    assert.match(body.text, /Groups: 1\n/);
    assert.equal(body.data.groups, 1);
    assert.doesNotMatch(request.body, /R&amp;D/);
    assert.doesNotMatch(request.body, /jane\.doe/);
  });

  test('texts of rosters and servers are never sent, and nothing looks like a link', async (t) => {
    const { url, heard } = await openHearing(t);
    const { port, mails } = await openMailServer(t);
    const reason = [
      'evil.example/[a](b): there is no column "Annabel", which groups names; see https://evil.example',
      '  Columns found: "Annabel", "Person" and 3 more.',
      '  "Bo',
    ].join('\n');
    const trip = {
      guard: 'newGroups' as const,
      scope: 'all' as const,
      message: '2 groups that nobody was ever put into: "Annabel" (1), "[click](https://evil.example)" (1).',
      brief: '2 groups that nobody was ever put into.',
    };
    const failed = noticeOf({ ...facts, event: 'held', reason, trips: [trip] });
    const notifier = open({
      ...{ webhook: new Secret(url), smtp: new Secret(`smtp://127.0.0.1:${port}`) },
      ...{ from: 'a@b.example', to: ['c@d.example'] },
    });
    await notifier.send('webhook', failed, 'n-12');
    await notifier.send('mail', failed, 'n-13');
    const { text, data } = JSON.parse(heard[0]?.body ?? '') as { text: string; data: object };
    const mail = Buffer.from(
      (mails[0]?.text.split('\r\n\r\n')[1] ?? '')
        .replaceAll('=\r\n', '')
        .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString('utf8');
    for (const said of [text, mail, JSON.stringify(data)]) assert.doesNotMatch(said, /Annabel|Person|Bo\b|click/);
    for (const said of [text, mail]) {
      assert.match(said, /there is no column "…", which groups names; see/);
      assert.doesNotMatch(said, /evil\.example|:\/\/evil|\\n/);
    }
    assert.doesNotMatch(text, /\]\(/);
    assert.match(text, /\n {2}roster-sync approve 1a2b3c4d/);
  });

  test('with a secret it is signed as Standard Webhooks says', async (t) => {
    const { url, heard } = await openHearing(t);
    const notifier = open({ webhook: new Secret(url), webhookSecret: new Secret(signingSecret) });
    await notifier.send('webhook', testNotice, 'n-2');
    const [request] = heard;
    assert.ok(request);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    assert.equal(JSON.parse(request.body).type, 'test');
    new Webhook(signingSecret).verify(request.body, headers);
    assert.throws(() => new Webhook(signingSecret).verify(`${request.body} `, headers));
  });

  test('a refusal is told without the path, which is the secret of an incoming webhook', async (t) => {
    const { url, heard } = await openHearing(t, () => 302);
    const notifier = open({ webhook: new Secret(`${url}/services/T0/secretpath`) });
    const { ok, said } = await notifier.send('webhook', notice, 'n-3');
    assert.equal(ok, false);
    assert.match(said, /HTTP 302 .*no \*\*\*/);
    assert.equal(heard.length, 1);
  });

  test('a server that never answers, and one that is not there, take no longer than an attempt may', async (t) => {
    const { url } = await openHearing(t, () => undefined);
    const slow = open({ webhook: new Secret(url) }, { timeoutMs: 50 });
    assert.deepEqual(await slow.send('webhook', notice, 'n-4'), {
      ok: false,
      said: `${new URL(url).host}: no answer in time`,
    });
    const nobody = createServer().listen(0, '127.0.0.1');
    await once(nobody, 'listening');
    const { port } = nobody.address() as AddressInfo;
    await new Promise((resolve) => nobody.close(resolve));
    const dead = open({ webhook: new Secret(`http://127.0.0.1:${port}/`) });
    assert.match((await dead.send('webhook', notice, 'n-5')).said, /ECONNREFUSED/);
  });

  test('a mail has the subject, the lines and no header that a roster smuggled in; no machine answers it', async (t) => {
    const { port, mails } = await openMailServer(t);
    const mail = { smtp: new Secret(`smtp://robot:right@127.0.0.1:${port}`), from: 'sync@a.example' };
    const notifier = open({ ...mail, to: ['it@b.example', 'nobody@b.example'] });
    const smuggling = noticeOf({ ...facts, source: 'staff\r\nBcc: evil@c.example' });
    const { ok, said } = await notifier.send('mail', smuggling, 'n-6');
    assert.equal(ok, true, said);
    assert.match(said, /refused for 1 of 2/);
    const [got] = mails;
    assert.ok(got);
    assert.deepEqual([got.from, got.to, got.user], ['sync@a.example', ['it@b.example'], 'robot']);
    const headers = got.text.slice(0, got.text.indexOf('\r\n\r\n'));
    assert.doesNotMatch(headers, /^Bcc/im);
    assert.match(headers, /^Auto-Submitted: auto-generated/im);
    assert.match(headers, /^Message-ID: <n-6@a\.example>/im);
    assert.match(headers, /^Subject: roster-sync: staff/im);
    assert.match(got.text, /roster-sync approve 1a2b3c4d/);
  });

  test('a wrong password, a server that hangs and one that is not there: said without the password', async (t) => {
    const { port, mails } = await openMailServer(t);
    const wrong = open({
      smtp: new Secret(`smtp://robot:hush-hush@127.0.0.1:${port}`),
      from: 'a@b.example',
      to: ['c@d.example'],
    });
    const refused = await wrong.send('mail', notice, 'n-7');
    assert.equal(refused.ok, false);
    assert.doesNotMatch(refused.said, /hush/);
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    t.after(() => silent.close());
    silent.on('connection', (socket) => t.after(() => socket.destroy()));
    const smtp = new Secret(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    const hangs = open({ smtp, from: 'a@b.example', to: ['c@d.example'] }, { timeoutMs: 50 });
    assert.deepEqual(await hangs.send('mail', notice, 'n-8'), {
      ok: false,
      said: `${new URL(smtp.reveal()).host}: no answer in time`,
    });
    assert.equal(mails.length, 0);
  });

  test('a password is not sent to a mail server elsewhere that offers no TLS', async (t) => {
    const { port, mails } = await openMailServer(t, { disabledCommands: ['STARTTLS'] });
    const smtp = new Secret(`smtp://robot:right@0.0.0.0:${port}`);
    const notifier = open({ smtp, from: 'a@b.example', to: ['c@d.example'] });
    const { ok, said } = await notifier.send('mail', notice, 'n-9');
    assert.equal(ok, false);
    assert.match(said, /STARTTLS|TLS|502|500/);
    assert.equal(mails.length, 0);
  });

  test('the heartbeat is an empty post; the source goes into its address', async (t) => {
    const { url, heard } = await openHearing(t);
    const notifier = open({ heartbeat: new Secret(`${url}/ping/{source}`) });
    await notifier.send('heartbeat', { ...notice, source: 'new starters/è' }, 'n-10');
    assert.deepEqual(
      heard.map(({ path, body }) => [path, body]),
      [['/ping/new%20starters%2F%C3%A8', '']],
    );
  });

  test('only configured channels are notified, of the chosen events; a reminder, and that it expired, come with held', () => {
    assert.deepEqual(open({}).subscriptions, []);
    const all = open({
      webhook: new Secret('https://a.example'),
      smtp: new Secret('smtp://a.example'),
      from: 'a@b.example',
      to: ['c@d.example'],
      heartbeat: new Secret('https://b.example'),
    });
    assert.deepEqual(all.subscriptions, [
      { channel: 'webhook', events: ['held', 'failed', 'reminder', 'expired'] },
      { channel: 'mail', events: ['held', 'failed', 'reminder', 'expired'] },
      { channel: 'heartbeat', events: ['finished'] },
    ]);
    assert.deepEqual(open({ webhook: new Secret('https://a.example'), on: ['failed'] }).subscriptions[0]?.events, [
      'failed',
    ]);
  });

  test('closing waits briefly for what is being sent, and starts nothing more', async (t) => {
    const { url, next } = await openHearing(t, () => undefined);
    const notifier = open({ webhook: new Secret(url) }, { graceMs: 20 });
    let said = '';
    const arrived = next();
    notifier.inBackground(async () => {
      ({ said } = await notifier.send('webhook', notice, 'n-11'));
    });
    await arrived;
    await notifier.close();
    assert.match(said, /no answer in time/);
    notifier.inBackground(() => Promise.reject(new Error('begun after closing')));
  });

  test('each event has its own words and next step', () => {
    for (const event of [
      'halted',
      'failed',
      'paused',
      'breaker',
      'finished-with-failures',
      'finished',
      'reminder',
      'expired',
    ] as const) {
      const { next, subject, ...of } = noticeOf({
        ...facts,
        event,
        status: 'delivering',
        outcome: { failed: 3, succeeded: 1200 },
      });
      const lines = of.lines.map((line) => worded(line, (plain) => plain));
      assert.match(subject, /^roster-sync: staff /);
      assert.match(lines.at(-1) ?? '', /^What to do: /);
      assert.deepEqual(next[0], { act: 'runs.get', run: '1a2b3c4d' });
      assert.match(lines.join('\n'), /So far: 3 failed, 1,200 succeeded/);
    }
    assert.match(mailText(noticeOf({ ...facts, status: 'delivering' })), /held in part; the rest is sent/);
  });
});
