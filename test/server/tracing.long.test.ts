import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { csvOf, envOf, eventually, openPlace } from '../support/cli.ts';
import { openSandbox } from '../support/sandbox.ts';

/** A span as OTLP/HTTP has it in JSON. */
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status: { message?: string };
}

/** Receives OTLP/HTTP in JSON. */
async function openReceiver(t: TestContext): Promise<{ url: string; spans: Span[]; bodies: string[] }> {
  const bodies: string[] = [];
  const spans: Span[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      assert.equal(request.url, '/v1/traces');
      bodies.push(body);
      const sent = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
      spans.push(...sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, bodies };
}

const factOf = ({ attributes }: Span, key: string): unknown =>
  Object.values(attributes.find((one) => one.key === `roster_sync.${key}`)?.value ?? {})[0];

test('a run is one trace of reading, planning, release and some deliveries, and nothing in it names a person or a group', async (t) => {
  const sandbox = await openSandbox(t);
  const { url, spans, bodies } = await openReceiver(t);
  const place = await openPlace({ ...envOf(sandbox), OTEL_EXPORTER_OTLP_ENDPOINT: url });
  place.write('people.csv', `${csvOf(120)}Nobody,Here,no-address,,Staff\n`);
  const { value } = await place.json('import', 'people.csv', '--yes');
  assert.equal(value.outcome.succeeded, 120);

  const run = spans.find(({ name }) => name === 'run');
  assert.ok(run, JSON.stringify(spans.map(({ name }) => name)));
  assert.equal(factOf(run, 'run'), value.run);
  assert.equal(factOf(run, 'became'), 'released');
  assert.ok(!run.parentSpanId);
  assert.deepEqual(new Set(spans.map(({ traceId }) => traceId)), new Set([run.traceId]));
  const others = spans.filter((span) => span !== run);
  for (const { name, parentSpanId } of others) assert.equal(parentSpanId, run.spanId, name);
  assert.deepEqual(new Set(others.map(({ name }) => name)), new Set(['read', 'plan', 'release', 'delivery']));
  // The first five, and the hundred and first.
  const deliveries = others.filter(({ name }) => name === 'delivery');
  assert.equal(deliveries.length, 6);
  for (const delivery of deliveries) assert.equal(factOf(delivery, 'answer'), 'accepted');
  assert.doesNotMatch(bodies.join(), /person\d|example\.com|First\d|Last\d|Staff|Odd|\+45|no-address|Nobody/);
  assert.match(bodies[0] ?? '', /"service\.name","value":\{"stringValue":"roster-sync"\}/);
});

test('a webhook is a trace, and lines of the log name it; a receiver that is away costs nothing', async (t) => {
  const sandbox = await openSandbox(t);
  const { url, spans, bodies } = await openReceiver(t);
  const place = await openPlace({ ...envOf(sandbox), OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '50' });
  place.write('staff.csv', csvOf(3));
  place.write(
    'roster-sync.yaml',
    'sources:\n  staff: { file: ./staff.csv, webhook: { preset: deel, secret: k, quiet: 1h, longest: 2h } }\n',
  );
  const server = await place.start(['serve', '--port', '0']);
  await server.until(/Serving on/);
  const address = /Serving on (\S+?),/.exec(server.said())?.[1] ?? '';
  for (const path of ['staff', 'nobody']) {
    await fetch(`${address}/hooks/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-deel-signature': 'wrong' },
      body: '{"data":{"email":"ann@example.com"}}',
    });
  }
  await eventually('the trace has arrived', () => spans.some(({ name }) => name === 'webhook'));
  server.child.kill('SIGTERM');
  const { stderr, code } = await server.ended;
  assert.equal(code, 0, stderr);
  const webhooks = spans.filter(({ name }) => name === 'webhook');
  assert.equal(webhooks.length, 1, 'what is sent to an unknown source makes no trace');
  assert.equal(factOf(webhooks[0]!, 'source'), 'staff');
  assert.match(String(factOf(webhooks[0]!, 'result')), /^(?:missing|wrong)$/);
  const refused = stderr.split('\n').find((line) => line.includes('an event was refused')) ?? '{}';
  assert.equal((JSON.parse(refused) as { trace_id?: string }).trace_id, webhooks[0]!.traceId);
  assert.doesNotMatch(bodies.join(), /ann@|example\.com/);

  place.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = 'http://127.0.0.1:1';
  const sent = await place.run('import', 'staff.csv', '--yes');
  assert.equal(sent.code, 0, sent.stderr);
  assert.doesNotMatch(sent.stderr, /ECONNREFUSED|OTLP/);
});
