import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import type { AnalysedAnswer, Analysis } from '../../src/core/story/analysis.ts';
import { AnswerItem } from '../../src/service/contract.ts';
import { isAnswerItem } from '../../src/service/analysis-text.ts';
import type { ServiceClientOptions } from '../../src/service/client.ts';
import { interfaceExamples } from '../support/sandbox.ts';
import { connect, listenHttp, sendJson, token } from './local-server.ts';

const [everything] = interfaceExamples.questionAnalysis.cases;
if (!everything) throw new Error('there is an example of a question analysis');
const { response: example } = everything;

/** Asks a server that answers as told; fails unless that is accepted. */
async function analyse(
  t: TestContext,
  answer: (response: ServerResponse) => void,
  options: Partial<ServiceClientOptions> = {},
): Promise<Analysis> {
  const { base } = await listenHttp(t, answer);
  const outcome = await (await connect(t, base, options)).analyse({});
  if (outcome.kind !== 'accepted') throw new Error(outcome.reason);
  t.after(() => outcome.analysis.close());
  return outcome.analysis;
}

async function allOf(analysis: Analysis): Promise<AnalysedAnswer[]> {
  const all: AnalysedAnswer[] = [];
  for await (const some of analysis.answers()) all.push(...some);
  return all;
}

/** The answer put together again from its parts. */
async function rebuilt(analysis: Analysis): Promise<object[]> {
  const answers = await allOf(analysis);
  return analysis.stories.map(({ json, questions }, story) => ({
    story: json,
    questions: questions.map((question, at) => ({
      ...question.json,
      answers: answers.filter((answer) => answer.story === story && answer.question === at).map(({ item }) => item),
    })),
  }));
}

test('only the parameters that are given are sent', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response) => sendJson(response, example));
  const client = await connect(t, `${base}/api`);
  const requests = [
    {},
    { story: '4711' },
    { app: 'Onboarding', story: 'Fire safety', groups: ['Finance'], users: ['ann@example.com', 'Bo Ek'] },
  ];
  for (const request of requests) {
    const answer = await client.analyse(request);
    if (answer.kind === 'accepted') await answer.analysis.close();
  }
  assert.deepEqual(
    arrivals.map(({ method, path, body }) => [method, path, JSON.parse(body) as unknown]),
    requests.map((request) => ['POST', '/api/v1/logs/story-question-analysis', request]),
  );
  assert.equal(arrivals[0]?.headers.authorization, `Basic ${token}`);
});

for (const { title, response } of interfaceExamples.questionAnalysis.cases) {
  test(`the example "${title}" is read whole, any number of times, and its bytes are kept`, async (t) => {
    const analysis = await analyse(t, (answer) => sendJson(answer, response));
    assert.deepEqual(await rebuilt(analysis), response.data);
    assert.deepEqual(await rebuilt(analysis), response.data, 'a second time');
    assert.deepEqual(analysis.breaches, []);
    assert.equal(analysis.hash, response.hash);
    assert.equal(analysis.responseTime, response.response_time);
    const bytes: Buffer[] = [];
    for await (const block of analysis.bytes()) bytes.push(Buffer.from(block));
    assert.equal(Buffer.concat(bytes).toString(), JSON.stringify(response));
    assert.equal(analysis.sizeBytes, Buffer.byteLength(JSON.stringify(response)));
  });
}

/** The same object with its fields the other way round, at every depth. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

test('the fields may come in any order, cut anywhere, with whatever else the service sends', async (t) => {
  const added = {
    ...example,
    extra: { data: [{ story: 1 }] },
    data: example.data.map((item) => ({ ...item, more: [{}] })),
  };
  const text = Buffer.from(`\uFEFF${JSON.stringify(reversed(added), null, 1)}\n`);
  const analysis = await analyse(t, (response) => {
    response.writeHead(200);
    for (let at = 0; at < text.length; at += 7) response.write(text.subarray(at, at + 7));
    response.end();
  });
  assert.deepEqual(await rebuilt(analysis), example.data);
  assert.deepEqual(analysis.breaches, []);
});

test('what is missing in an answer is named, and what is there is read', async (t) => {
  const data = [
    {
      story: { ID: 7, name: 'Fire safety' },
      questions: [
        { question: 'Where?', answers: [{ email: 'ann@example.com', answer: { response: 'Here' } }, 'nobody', null] },
        { type: 'Poll', possibleAnswers: [], stats: null },
        'no question',
      ],
    },
    { story: null },
    'no story',
  ];
  const analysis = await analyse(t, (response) => sendJson(response, { ...example, data }));
  const said = analysis.breaches.map(({ story, question, message }) => [story, question, message].join(' | '));
  for (const expected of [
    'Fire safety (7) |  | story.ID is missing or of another type',
    'Fire safety (7) |  | story.app is missing or of another type',
    'Fire safety (7) | Where? | type is missing or of another type',
    'Fire safety (7) | Where? | stats is missing or of another type',
    'Fire safety (7) |  | question is missing or of another type',
    'Fire safety (7) |  | it has no list of answers',
    'story without ID and name |  | it has no list of questions',
    ' |  | an item of data is no object',
    ' |  | an item of data/questions is no object',
  ]) {
    assert.ok(
      said.some((line) => line.endsWith(expected)),
      `${expected}\n${said.join('\n')}`,
    );
  }
  const [first, second, third] = await allOf(analysis);
  assert.deepEqual(first?.item, {
    firstname: '',
    lastname: '',
    email: 'ann@example.com',
    groups: [],
    answer: { response: 'Here' },
  });
  assert.deepEqual(first?.missing, ['firstname', 'lastname', 'groups', 'answer.attempts', 'answer.correct']);
  assert.deepEqual([second?.missing, third?.missing], [['the answer itself'], ['the answer itself']]);
});

test('nothing is used of an answer that repeats the token, wherever it is cut', async (t) => {
  const text = JSON.stringify({ ...example, debug: `Basic ${token}` });
  const { base } = await listenHttp(t, (response) => {
    response.writeHead(200);
    const at = text.indexOf(token) + 9;
    response.write(text.slice(0, at), () => response.end(text.slice(at)));
  });
  const outcome = await (await connect(t, base)).analyse({});
  assert.equal(outcome.kind, 'unrecognised');
  assert.ok(!JSON.stringify(outcome).includes(token));
});

const unusable: Record<string, [send: (response: ServerResponse) => void, says: RegExp]> = {
  'bytes that are no UTF-8': [(response) => response.end(Buffer.from([0x7b, 0x22, 0xff, 0x22])), /not UTF-8/],
  'two documents': [(response) => response.end(JSON.stringify(example).repeat(2)), /not one JSON object/],
  'no status': [(response) => sendJson(response, { ...example, status: undefined }), /no status/],
  'a list that is none': [(response) => sendJson(response, { ...example, data: { story: 1 } }), /no list called data/],
  'a sign-in page': [(response) => response.end('<!doctype html><title>Sign in</title>'), /a web page/],
  'no content': [(response) => response.writeHead(204).end(), /without a body/],
};
for (const [title, [send, says]] of Object.entries(unusable)) {
  test(`${title}: unrecognised, in words`, async (t) => {
    const { base } = await listenHttp(t, (response) => send(response));
    const outcome = await (await connect(t, base)).analyse({});
    assert.equal(outcome.kind, 'unrecognised');
    assert.match('reason' in outcome ? outcome.reason : '', says);
  });
}

test('an answer that goes on coming is not cut off by the silence; one that stops is', async (t) => {
  const text = JSON.stringify(example);
  const limits = { analysis: { silenceMs: 150, timeoutMs: 60_000 } };
  const slow = (response: ServerResponse, end: number): void => {
    let at = 0;
    const timer = setInterval(() => {
      if (at >= end) clearInterval(timer);
      if (at >= text.length) response.end();
      else if (at < end) response.write(text.slice(at, (at += Math.ceil(text.length / 8))));
    }, 40);
  };
  await analyse(t, (response) => slow(response, text.length), limits);
  const { base } = await listenHttp(t, (response) => slow(response, text.length / 2));
  const outcome = await (await connect(t, base, limits)).analyse({});
  assert.equal(outcome.kind, 'may-have-happened');
  assert.match('reason' in outcome ? outcome.reason : '', /nothing came for 0\.15 s/);
});

test('the quick check of an answer item says the same as the contract', () => {
  const text = fc.option(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { nil: undefined, freq: 12 });
  const item = fc.record(
    {
      firstname: fc.string(),
      lastname: fc.string(),
      email: fc.string(),
      telephone: text,
      country: text,
      city: text,
      groups: fc.oneof({ weight: 9, arbitrary: fc.array(fc.string()) }, fc.constant(null), fc.constant([1])),
      answer: fc.oneof(
        { weight: 9, arbitrary: fc.record({ attempts: fc.nat(), response: fc.string(), correct: fc.boolean() }) },
        fc.record({ attempts: fc.double(), response: fc.string(), correct: fc.boolean() }),
        fc.record({ attempts: fc.nat(), response: fc.integer(), correct: fc.boolean() }),
        fc.constant([]),
      ),
      more: fc.anything(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: item }, fc.anything()), (value) => {
      assert.equal(isAnswerItem(value), AnswerItem.safeParse(value).success);
    }),
    { numRuns: 300 },
  );
});
