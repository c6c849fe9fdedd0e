import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startSandbox } from '../../src/sandbox/index.ts';
import { envOf, eventually, openPlace } from '../support/cli.ts';

const example = readFileSync(new URL('../../examples/bamboohr-webhook.yaml', import.meta.url), 'utf8');
const fixture = (name: string) => readFileSync(new URL(`../fixtures/presets/${name}`, import.meta.url), 'utf8');
const secret = 'the private key that BambooHR shows once';

const newcomer = {
  ...{ employeeId: '777', employeeNumber: '77', firstName: 'Zoë', lastName: 'Ny', workEmail: 'zoe.ny@example.com' },
  ...{ departmentName: 'Finance', status: 'Active', _restrictedFields: [] },
};

test('examples/bamboohr-webhook.yaml: whoever is hired is enrolled, and nobody else is asked for', async (t) => {
  const asked: string[] = [];
  const hr = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://hr');
    const ids = searchParams.getAll('filter[ids][]');
    asked.push(ids.join(',') || 'everybody');
    const page = searchParams.has('page[after]') ? 2 : 1;
    const one = JSON.stringify({ data: ids.includes('777') ? [newcomer] : [], meta: { total: 1, page: {} } });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(ids.length > 0 ? one : fixture(`bamboohr-employees-${page}.json`));
  });
  await new Promise<void>((resolve) => hr.listen(0, '127.0.0.1', resolve));
  t.after(() => hr.close());
  const sandbox = await startSandbox();
  t.after(() => sandbox.close());
  const env = {
    ...{ BAMBOO_COMPANY: 'acme', BAMBOO_ACCESS_TOKEN: 'oauth-token', BAMBOO_WEBHOOK_SECRET: secret },
    BAMBOO_URL: `http://127.0.0.1:${(hr.address() as AddressInfo).port}`,
  };
  const place = await openPlace({ ...envOf(sandbox), ...env }, { here: true });
  place.write('roster-sync.yaml', example);
  const first = await place.run('sync', 'staff', '--yes');
  assert.equal(first.code, 3, 'nobody watches a test: the first run waits for an approval');
  const approved = await place.run('approve', 'latest', '--yes');
  assert.equal(approved.code, 0, approved.stderr);
  asked.length = 0;
  const calls = sandbox.calls.length;

  const serving = await place.start(['serve', '--port', '0']);
  await serving.until(/Serving on \S+/);
  const [, address = ''] = /Serving on (http:\/\/[^\s,]+)/.exec(serving.said()) ?? [];
  const tell = async (type: string): Promise<number> => {
    const body = JSON.stringify({
      type,
      timestamp: '2026-01-31T18:42:00+0000',
      data: { companyId: '1', employeeId: '777' },
    });
    const at = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', secret).update(body).update(at).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'x-bamboohr-timestamp': at,
      'x-bamboohr-signature': signature,
    };
    return (await fetch(`${address}/hooks/staff`, { method: 'POST', body, headers })).status;
  };
  assert.equal(await tell('employee.created'), 202);
  assert.equal(await tell('employee.updated'), 202);
  await eventually('somebody was called', () => sandbox.calls.length > calls);
  await eventually('the run has finished', () => /events were handled/.test(serving.said()));
  assert.deepEqual(asked, ['777']);
  const sent = sandbox.calls.slice(calls).map(({ body }) => body as { user: { email: string }; groups: string[] });
  assert.deepEqual(
    sent.map(({ user, groups }) => [user.email, groups]),
    [['zoe.ny@example.com', ['Finance']]],
  );
  assert.doesNotMatch(serving.said(), /zoe|private key/i);
  serving.child.kill('SIGINT');
  assert.equal((await serving.ended).code, 0);
});
