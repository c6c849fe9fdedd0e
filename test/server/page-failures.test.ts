import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import {
  BusyError,
  InputError,
  LedgerAwayError,
  RequestError,
  ScopeError,
  StorageError,
} from '../../src/core/errors.ts';
import { createLogger } from '../../src/process/logger.ts';
import { LedgerAway, answerWithPages } from '../../src/server/page/failures.ts';
import { type ApiServer, startApiServer } from './api-server.ts';

suite('what fails in a page', () => {
  const failures: Record<string, Error> = {
    busy: new RequestError(503, 'BUSY', 'Another file is arriving.'),
    closing: new RequestError(503, 'CLOSING', 'Nothing was sent: bring the file again.'),
    disk: new StorageError('The disk is full. Free some space.'),
    full: Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' }),
    redis: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' }),
    away: new LedgerAway(),
    lost: new LedgerAwayError('connect ECONNREFUSED 127.0.0.1:5432'),
    'sign-in': new RequestError(502, 'SIGN_IN_SERVICE', 'Example Login cannot be asked who you are.'),
    unknown: new InputError('There is no run a1.', { next: [{ act: 'runs.list' }] }),
    accounts: new ScopeError('access'),
    now: new BusyError('Another run of this source delivers.'),
  };
  let server: ApiServer;
  let app: FastifyInstance;
  let logged: string[] = [];
  before(async () => {
    server = await startApiServer();
    app = fastify();
    const parts = { context: server.context, notReady: async () => [], poke: () => {}, host: '127.0.0.1' };
    answerWithPages(app, parts, createLogger({ stream: { write: (line) => logged.push(line) } }));
    app.get('/:failure', (request) => {
      throw failures[(request.params as { failure: string }).failure];
    });
  });
  after(async () => {
    await app.close();
    await server.close();
  });

  async function pageOf(failure: string): Promise<{ status: number; title: string; heading: string; html: string }> {
    const { statusCode, body } = await app.inject(`/${failure}`);
    const [, title = ''] = /<title>([^<]*)/.exec(body) ?? [];
    const [, heading = ''] = /<h1>([^<]*)/.exec(body) ?? [];
    return { status: statusCode, title, heading, html: body };
  }

  test('the title says the cause, and what somebody must see to is logged once', async () => {
    const found: Record<string, unknown> = {};
    const told: Record<string, string[]> = {};
    for (const failure of Object.keys(failures)) {
      const { status, title, heading } = await pageOf(failure);
      assert.ok(title.startsWith(heading), `${title} / ${heading}`);
      found[failure] = [status, heading];
      const lines = logged.map((line) => (JSON.parse(line) as { msg: string }).msg);
      if (lines.length > 0) told[failure] = lines;
      logged = [];
    }
    assert.deepEqual(found, {
      busy: [503, 'The server is busy'],
      closing: [503, 'The server is stopping'],
      disk: [503, 'The ledger or its disk cannot be used'],
      full: [507, 'The ledger or its disk cannot be used'],
      redis: [500, 'Something went wrong here'],
      away: [503, 'The ledger does not answer'],
      lost: [503, 'The ledger does not answer'],
      'sign-in': [502, 'The sign-in service does not answer'],
      unknown: [422, 'That was not done'],
      accounts: [403, 'You may not do this'],
      now: [409, 'That was not done'],
    });
    // Who meets an outage of the ledger logs it.
    assert.deepEqual(told, {
      disk: ['what a request needs cannot be kept'],
      full: ['what a request needs cannot be kept'],
      redis: ['a request failed unexpectedly'],
    });
  });

  test('a page says where to look, not what to type', async () => {
    const { html } = await pageOf('unknown');
    assert.match(html, /There is no run a1\. The page “Runs” lists them\./);
    assert.doesNotMatch(html, /roster-sync runs/);
  });

  test('whoever may not give access is told who may', async () => {
    const { html } = await pageOf('accounts');
    assert.match(html, /<p>Only an admin decides who may sign in\. Nothing was changed\.<\/p>/);
  });
});
