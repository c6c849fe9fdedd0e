import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, suite, test, type TestContext } from 'node:test';
import fastify from 'fastify';
import { StorageError } from '../../../src/core/errors.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { settleWebhook } from '../../../src/core/webhooks/webhook.ts';
import type { WebhookSettings } from '../../../src/core/webhooks/webhook-schema.ts';
import { openEmbedded } from '../../../src/ledger/database/embedded/embedded.ts';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import { createLogger } from '../../../src/process/logger.ts';
import { handshakesIn } from '../../../src/server/hooks/index.ts';
import { HookResults } from '../../../src/server/hooks/results.ts';
import { type HookParts, hookRoutes } from '../../../src/server/hooks/routes.ts';
import { answerProblems } from '../../../src/server/problems.ts';
import { copyEmptyDataDirectory } from '../../support/empty-data-directory.ts';
import { without } from '../../support/server-process.ts';

let ledger: Ledger;
let database: Awaited<ReturnType<typeof openEmbedded>>;
const folder = mkdtempSync(join(tmpdir(), 'roster-sync-hooks-'));
before(async () => {
  await copyEmptyDataDirectory(join(folder, 'data'));
  database = await openEmbedded(join(folder, 'data/ledger'));
  ledger = await openLedger(database.pool, { worker: 'test', lossPolicy: { forMs: 0, onLoss: () => {} } });
});
after(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const times = { quiet: 30_000, longest: 300_000 };
const pathSecret = 'nobody-guesses-this-address';
const standardSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const settings: Record<string, WebhookSettings> = {
  bamboo: { preset: 'bamboohr', secret: new Secret('k1'), ...times },
  bob: { preset: 'hibob', secret: new Secret('k2'), ...times },
  green: { preset: 'greenhouse', secret: new Secret('k3'), ...times },
  newgusto: { preset: 'gusto', ...times },
  gusto: { preset: 'gusto', secret: new Secret('6590f590-3dba-495e-9bea-c361e1e2efc0'), ...times },
  personio: {
    preset: 'secret-path',
    secret: new Secret(pathSecret),
    allowFrom: ['192.0.2.0/24', '2001:db8::/32'],
    ...times,
  },
  rippling: {
    preset: 'bearer',
    secrets: [new Secret('old-token-of-the-app'), new Secret('new-token-of-the-app')],
    ...times,
  },
  timed: {
    scheme: {
      ...{ header: 'x-signature', prefix: '', algorithm: 'sha256', encoding: 'hex', key: 'text' },
      ...{ signed: '{body}', timestamp: 'x-time' },
    },
    secret: new Secret('k4'),
    ...times,
  },
  standard: { preset: 'standard-webhooks', secret: new Secret(standardSecret), ...times },
  svix: {
    preset: 'svix',
    secrets: [new Secret('whsec_' + randomBytes(24).toString('base64')), new Secret(standardSecret)],
    ...times,
  },
};

/** Routes over the ledger, each test with a name of its own in front of its sources. */
function open(test: TestContext, parts: Partial<HookParts> = {}, trustProxy: string[] = []) {
  const prefix = `${randomBytes(3).toString('hex')}-`;
  const lines: string[] = [];
  const log = createLogger({ stream: { write: (line) => lines.push(line) } });
  const app = fastify({ logger: false, trustProxy });
  answerProblems(app, log);
  const results = new HookResults(ledger, log);
  void app.register(async (hooks) =>
    hookRoutes(hooks, {
      webhooks: new Map(Object.entries(settings).map(([name, one]) => [`${prefix}${name}`, settleWebhook(one)])),
      results,
      keepToken: handshakesIn(folder, log),
      add: ledger.addEvent,
      carried: () => {},
      now: () => new Date(),
      ...parts,
    }),
  );
  test.after(() => app.close());
  async function post(
    path: string,
    payload: string | Buffer,
    headers: Record<string, string> = {},
    remoteAddress = '127.0.0.1',
  ) {
    const type = { 'content-type': 'application/json' };
    const url = `/hooks/${path.startsWith('/') ? path.slice(1) : prefix + path}`;
    return app.inject({ method: 'POST', url, payload, headers: { ...type, ...headers }, remoteAddress });
  }
  return { post, prefix, results, lines, app };
}

const sha256 = (key: string, ...parts: string[]): string =>
  parts.reduce((hmac, part) => hmac.update(part), createHmac('sha256', key)).digest('hex');

function bamboo(body: string, at = Math.round(Date.now() / 1000)): Record<string, string> {
  return { 'x-bamboohr-timestamp': `${at}`, 'x-bamboohr-signature': sha256('k1', body, `${at}`) };
}

const waiting = async (source: string) =>
  (await database.pool.query(`select 1 from events where state = 'waiting' and source = $1`, [source])).rows.length;

suite('what is believed', () => {
  test('a verified event is in the ledger when it is answered; a repeated one is answered and ignored', async (t) => {
    const { post, prefix, results } = open(t);
    const body = '{"type":"employee.updated","data":{"employeeId":"7"}}';
    const headers = bamboo(body);
    assert.equal((await post('bamboo', body, headers)).statusCode, 202);
    assert.equal(await waiting(`${prefix}bamboo`), 1);
    assert.equal((await post('bamboo', body, headers)).statusCode, 202);
    assert.equal(await waiting(`${prefix}bamboo`), 1);
    const later = bamboo(body, Math.round(Date.now() / 1000) + 1);
    assert.equal((await post('bamboo', body, later)).statusCode, 202);
    assert.equal(await waiting(`${prefix}bamboo`), 2, 'the same words sent at another time are another event');
    await results.close();
    const counts = (await ledger.eventCounts(1)).filter(({ source }) => source === `${prefix}bamboo`);
    assert.deepEqual(
      counts.map(({ result, count }) => [result, count]),
      [
        ['replayed', 1],
        ['stored', 2],
      ],
    );
  });

  test('a time of sending that is not signed makes no other event of the same words', async (t) => {
    const { post, prefix } = open(t);
    const body = '{"type":"employee.updated"}';
    for (const time of ['1', '2']) {
      const headers = { 'x-signature': sha256('k4', body), 'x-time': time };
      assert.equal((await post('timed', body, headers)).statusCode, 202);
    }
    assert.equal(await waiting(`${prefix}timed`), 1);
  });

  test('a form is read as well', async (t) => {
    const { post, prefix } = open(t);
    const body = 'type=employee.updated&data%5BemployeeId%5D=67890';
    const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    assert.equal((await post('bamboo', body, { ...bamboo(body), ...form })).statusCode, 202);
    const [event] = await ledger.takeEvents({ source: `${prefix}bamboo`, withPeople: false, limit: 9 });
    assert.deepEqual(event?.employees, ['67890']);
  });

  test('an event without an id is ignored while an identical one waits, and new once that was handled', async (t) => {
    const { post, prefix } = open(t);
    const body = '{"event_name":"EmployeeUpdated","id":"1"}';
    const headers = { authorization: 'Bearer new-token-of-the-app' };
    const source = `${prefix}rippling`;
    for (const _ of [1, 2]) assert.equal((await post('rippling', body, headers)).statusCode, 202);
    assert.equal(await waiting(source), 1);
    const taken = await ledger.takeEvents({ source, withPeople: false, limit: 9 });
    assert.equal(taken.length, 1);
    assert.equal((await post('rippling', body, { authorization: 'Bearer old-token-of-the-app' })).statusCode, 202);
    assert.equal(await waiting(source), 2);
  });

  test(
    'Standard Webhooks and Svix: signed by openssl, believed by their own library',
    { skip: without('openssl') },
    async (t) => {
      const { post } = open(t);
      const key = Buffer.from(standardSecret.slice(6), 'base64');
      const body = '{"type" : "user.created"}';
      const at = Math.round(Date.now() / 1000);
      const words = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key.toString('hex')}`, '-binary'];
      const sign = (id: string, time: number) =>
        `v1,${execFileSync('openssl', words, { input: `${id}.${time}.${body}` }).toString('base64')}`;
      for (const [source, names] of [
        ['standard', 'webhook'],
        ['svix', 'svix'],
      ] as const) {
        const headers = (id: string, time: number, signature = sign(id, time)) => ({
          ...{ [`${names}-id`]: id, [`${names}-timestamp`]: `${time}`, [`${names}-signature`]: signature },
        });
        assert.equal((await post(source, body, headers('m1', at))).statusCode, 202);
        assert.equal((await post(source, body, headers('m1', at, `v1,AAAA ${sign('m1', at)}`))).statusCode, 202);
        assert.equal((await post(source, body, headers('m2', at, sign('m1', at)))).statusCode, 401, 'another id');
        assert.equal((await post(source, `${body} `, headers('m1', at))).statusCode, 401, 'another body');
        assert.equal((await post(source, body, headers('m1', at - 310))).statusCode, 401, 'too old');
        assert.equal((await post(source, body, headers('m1', at + 3600))).statusCode, 401, 'from the future');
        assert.equal((await post(source, body, headers('m1', at, 'v1'))).statusCode, 401);
        assert.equal((await post(source, body)).statusCode, 401);
      }
    },
  );

  const vector = new URL('../../../../shared/data/webhook-vectors/standard-webhooks.json', import.meta.url);
  const skip = existsSync(vector) ? false : 'the vectors of others are not here';
  test('the vector of Standard Webhooks is believed at its time', { skip }, async (t) => {
    const { headers, body } = JSON.parse(readFileSync(vector, 'utf8')) as {
      headers: Record<string, string>;
      body: string;
    };
    const { post } = open(t);
    assert.equal((await post('standard', body, headers)).statusCode, 401, 'years later');
    mock.timers.enable({ apis: ['Date'], now: Number(headers['webhook-timestamp']) * 1000 });
    try {
      assert.equal((await post('standard', body, headers)).statusCode, 202);
      assert.equal((await post('standard', `${body} `, headers)).statusCode, 401);
    } finally {
      mock.timers.reset();
    }
  });
});

suite('what is not believed', () => {
  test('leaves only a count', async (t) => {
    const { post, prefix, results, lines } = open(t);
    const body = '{"type":"employee.updated","data":{"employeeId":"ada.lovelace"}}';
    const answer = await post('bamboo', body, { ...bamboo(body), 'x-bamboohr-signature': sha256('wrong', body) });
    assert.equal(answer.statusCode, 401);
    assert.equal((await post('bamboo', body)).statusCode, 401);
    await results.close();
    assert.equal(await waiting(`${prefix}bamboo`), 0);
    const counts = (await ledger.eventCounts(1)).filter(({ source }) => source === `${prefix}bamboo`);
    assert.deepEqual(
      counts.map(({ result, count }) => [result, count]),
      [
        ['missing', 1],
        ['wrong', 1],
      ],
    );
    assert.doesNotMatch(lines.join(''), /lovelace/);
    assert.doesNotMatch(answer.body, /lovelace/);
  });

  test('a source that is not there, one without a webhook, and a wrong address get one and the same answer', async (t) => {
    const { post } = open(t);
    const answers = await Promise.all([
      post('/nobody', '{}'),
      post('nobody', '{}', bamboo('{}')),
      post('bamboo/some-secret', '{}', bamboo('{}')),
      post('personio', '{}', {}, '192.0.2.7'),
      post('personio/wrong-address', '{}', {}, '192.0.2.7'),
      post(`personio/${pathSecret}`, '{}', {}, '198.51.100.7'),
    ]);
    const shapes = answers.map(({ statusCode, body, headers }) => {
      const { instance: _, ...rest } = JSON.parse(body) as Record<string, unknown>;
      return JSON.stringify([statusCode, rest, headers['content-type'], headers['content-length']]);
    });
    assert.equal(answers[0]?.statusCode, 404);
    assert.equal(new Set(shapes).size, 1, shapes.join('\n'));
  });

  test('an address behind a proxy is believed only from a proxy that is trusted', async (t) => {
    const from = { 'x-forwarded-for': '192.0.2.7' };
    const path = `personio/${pathSecret}`;
    const distrusting = open(t);
    assert.equal((await distrusting.post(path, '{"event_name":"person.created"}', from)).statusCode, 404);
    const trusting = open(t, {}, ['127.0.0.1']);
    assert.equal((await trusting.post(path, '{"event_name":"person.created"}', from)).statusCode, 202);
    assert.equal((await trusting.post(path, '{}', { 'x-forwarded-for': '198.51.100.7' })).statusCode, 404);
    assert.equal((await trusting.post(path, '{"a":1}', { 'x-forwarded-for': '2001:db8::5' })).statusCode, 202);
    assert.equal((await trusting.post(path, '{"a":2}', {}, '::ffff:192.0.2.9')).statusCode, 202);
  });

  test('a body that is too large, of another type, compressed, or malformed', async (t) => {
    const { post, prefix } = open(t);
    const large = `{"a":"${'x'.repeat(1024 * 1024)}"}`;
    assert.equal((await post('bamboo', large, bamboo(large))).statusCode, 413);
    assert.equal((await post('bamboo', '<a/>', { ...bamboo('<a/>'), 'content-type': 'text/xml' })).statusCode, 415);
    assert.equal((await post('bamboo', '{}', { ...bamboo('{}'), 'content-type': 'text/plain' })).statusCode, 415);
    assert.equal((await post('bamboo', '{}', { ...bamboo('{}'), 'content-encoding': 'gzip' })).statusCode, 415);
    assert.equal((await post('bamboo', '{"a":', bamboo('{"a":'))).statusCode, 400, 'signed, but no JSON');
    assert.equal(await waiting(`${prefix}bamboo`), 0);
  });
});

suite('trouble of our own', () => {
  test('a failing ledger is a 503 with Retry-After, and the repeated event is accepted', async (t) => {
    let broken = true;
    const add: HookParts['add'] = (event) =>
      broken ? Promise.reject(new StorageError('the disk is full')) : ledger.addEvent(event);
    const { post, prefix, lines } = open(t, { add });
    const body = '{"type":"employee.created"}';
    const refused = await post('bamboo', body, bamboo(body));
    assert.equal(refused.statusCode, 503);
    assert.equal(refused.headers['retry-after'], '30');
    assert.doesNotMatch(refused.body, /disk/);
    broken = false;
    assert.equal((await post('bamboo', body, bamboo(body))).statusCode, 202);
    assert.equal(await waiting(`${prefix}bamboo`), 1);
    assert.match(lines.join(''), /the disk is full/);
  });

  test('a silent ledger is a 503 before the sender gives up', async (t) => {
    const { post } = open(t, { add: () => new Promise(() => {}) });
    const began = performance.now();
    assert.equal((await post('bamboo', '{}', bamboo('{}'))).statusCode, 503);
    assert.ok(performance.now() - began < 8000);
  });

  test('events beyond what the ledger can store get a 503 with Retry-After', async (t) => {
    const pending: (() => void)[] = [];
    const add = () => new Promise<boolean>((resolve) => pending.push(() => resolve(true)));
    const { post } = open(t, { add });
    const first = Array.from({ length: 2000 }, () =>
      post('rippling', '{}', { authorization: 'Bearer old-token-of-the-app' }),
    );
    while (pending.length < 2000) await new Promise(setImmediate);
    const late = await post('rippling', '{}', { authorization: 'Bearer old-token-of-the-app' });
    assert.equal(late.statusCode, 503);
    assert.ok(late.headers['retry-after']);
    for (const resolve of pending) resolve();
    // A slow machine may have taken too long to ask for 2,000 of them.
    assert.ok((await Promise.all(first)).every(({ statusCode }) => [202, 503].includes(statusCode)));
  });
});

suite('events that can never be kept', () => {
  test('values nested 50,000 deep are a 400, because a repetition would not help', async (t) => {
    const { post, prefix } = open(t);
    for (const deep of [
      `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
      `${'['.repeat(65)}${']'.repeat(65)}`,
    ]) {
      const answer = await post('bamboo', deep, bamboo(deep));
      assert.equal(answer.statusCode, 400);
      assert.equal(answer.json().code, 'UNREADABLE');
    }
    assert.equal(await waiting(`${prefix}bamboo`), 0);
    const quoted = JSON.stringify({ type: 'a', data: { note: '['.repeat(50_000) } });
    assert.equal((await post('bamboo', quoted, bamboo(quoted))).statusCode, 202, 'in a text, brackets are no levels');
  });

  test('texts that PostgreSQL cannot store do not make a sender repeat an event for ever', async (t) => {
    const { post, prefix } = open(t);
    const body = String.raw`{"type":"a\u0000b","data":{"employeeId":"\ud800"}}`;
    assert.equal((await post('bamboo', body, bamboo(body))).statusCode, 202);
    const form = 'type=%00&data[employeeId]=%00';
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    assert.equal((await post('bamboo', form, { ...bamboo(form), ...type })).statusCode, 202);
    assert.equal(await waiting(`${prefix}bamboo`), 2);
  });
});

suite('greetings', () => {
  test('pings are answered and not kept', async (t) => {
    const { post, prefix } = open(t);
    assert.equal((await post('bob', '"Ping test"')).statusCode, 200);
    assert.equal((await post('bob', '{"text":"Ping test"}')).statusCode, 200);
    assert.equal((await post('bob', '{"text":"Ping test","a":1}')).statusCode, 401);
    const ping = '{"action":"ping","payload":{}}';
    assert.equal((await post('green', ping, { signature: `sha256 ${sha256('k3', ping)}` })).statusCode, 200);
    assert.equal((await post('green', ping)).statusCode, 401);
    for (const source of ['bob', 'green']) assert.equal(await waiting(prefix + source), 0);
  });

  test('the token of Gusto is kept for a person, out of every log, until there is a secret', async (t) => {
    const { post, prefix, lines } = open(t);
    const token = '11111111-2222-3333-4444-555555555555';
    const body = `{"verification_token":"${token}"}`;
    assert.equal((await post('newgusto', body)).statusCode, 200);
    assert.equal((await post('newgusto', body)).statusCode, 200);
    const file = join(folder, 'handshakes', `${prefix}newgusto.txt`);
    assert.equal(readFileSync(file, 'utf8').split(token).length, 2, 'once');
    assert.equal(statSync(file).mode & 0o077, 0);
    assert.doesNotMatch(lines.join(''), new RegExp(token));
    assert.equal((await post('newgusto', '{"uuid":"1","event_type":"a"}')).statusCode, 401);
    assert.equal((await post('gusto', body)).statusCode, 401, 'another token than the one in use');
    const known = '{"verification_token":"6590f590-3dba-495e-9bea-c361e1e2efc0"}';
    assert.equal((await post('gusto', known)).statusCode, 200);
  });
});
