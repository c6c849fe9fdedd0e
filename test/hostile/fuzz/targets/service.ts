import { retryAfter } from '../../../../src/core/call/retry-after.ts';
import { isDeeper } from '../../../../src/core/rows/flatten.ts';
import { JsonCutter, JsonFailure, type Wish } from '../../../../src/core/rows/json-cutter.ts';
import { AnswerWalk, OutlineWalk, readAnswer } from '../../../../src/service/analysis-text.ts';
import { interpret } from '../../../../src/service/interpret.ts';
import { groupInsert } from '../../../../src/service/contract.ts';
import { nextLink } from '../../../../src/roster/fetch/answer.ts';
import { type FuzzTarget, never } from '../target.ts';

const envelope = {
  status: 'success',
  data: [{ group: 'Sales', status: 'success', inserts: 1, warnings: 0 }],
  hash: 'a'.repeat(32),
  response_time: 0.1,
};
const person = {
  firstname: 'Ann',
  lastname: 'Ash',
  email: 'ann@example.com',
  groups: ['Sales'],
  answer: { attempts: 1, response: 'x', correct: true },
};
const analysis = {
  ...envelope,
  data: [
    {
      story: { ID: '1', name: 'S', type: 't', app: { ID: '1', name: 'A', version: '1' } },
      questions: [
        {
          question: 'Q',
          type: 't',
          possibleAnswers: ['x'],
          stats: { total: 1, correct: 1, incorrect: 0 },
          answers: [person],
        },
      ],
    },
  ],
};
const context: Parameters<typeof interpret>[1] = {
  ...{ operation: groupInsert, groups: ['Sales'], redact: (text) => text, now: () => 0 },
  ...{ host: 'service.example', setting: 'service.token', setAt: '' },
};

/** A status, headers, an empty line and the body, as HTTP has them. */
function readAnswerOf(bytes: Buffer): void {
  const at = bytes.indexOf('\n\n');
  const [first = '', ...lines] = bytes.toString('latin1', 0, Math.max(0, at)).split('\n');
  const status = /^\d{3}$/.test(first) ? Number(first) : 200;
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1)]),
  );
  const body = bytes.subarray(at < 0 ? 0 : at + 2);
  for (const extent of ['complete', 'broken-off', 'over-cap'] as const) {
    const answer = interpret({ written: true, response: { status, headers, body, extent } }, context);
    const { kind } = answer;
    const isGood = status >= 200 && status < 300;
    never(
      `${status} became ${kind}`,
      kind === 'not-sent' || (kind === 'accepted' && (!isGood || extent !== 'complete')),
    );
    never(
      `${status} became ${kind}`,
      (isGood && ['refused', 'throttled', 'broken', 'rejected'].includes(kind)) ||
        (status === 429 && kind !== 'throttled'),
    );
    if ('waitMs' in answer) never(`a wait of ${answer.waitMs}`, !(answer.waitMs >= 0 && answer.waitMs <= 86_400_000));
  }
}

const most = { record: 1024 * 1024, depth: 200 };

/** Walks through JSON in pieces. Whether each piece is one character or all of it, the same is found. */
function walk(text: string, sizeOfPiece: number): string {
  const outline = new OutlineWalk();
  const answers = new AnswerWalk();
  try {
    for (const visitor of [outline, answers]) {
      const cutter = new JsonCutter(visitor, most);
      for (let at = 0; at < text.length; at += sizeOfPiece) cutter.push(text.slice(at, at + sizeOfPiece));
      cutter.end();
    }
    if (outline.documents === 1 && outline.isObject && outline.hasData) outline.conclude();
    for (const { text: one } of answers.found) readAnswer(one);
  } catch (error) {
    if (!(error instanceof JsonFailure || error instanceof SyntaxError)) throw error;
    return 'refused';
  }
  return JSON.stringify([outline.envelope, outline.stories, outline.breaches, answers.found]);
}

function readAnalysis(bytes: Buffer): void {
  const text = bytes.toString();
  const [whole, inPieces] = [walk(text, text.length + 1), walk(text, 7)];
  never(`in one piece: ${whole.slice(0, 200)}, in several: ${inPieces.slice(0, 200)}`, whole !== inPieces);
  const isJson = parsed(text) !== undefined && !isDeeper(text, most.depth - 1);
  const enter = (): Wish => 'enter';
  const strict = new JsonCutter({ begins: enter, takes: () => undefined }, most);
  try {
    strict.push(text);
    strict.end();
  } catch (error) {
    if (!(error instanceof JsonFailure || error instanceof SyntaxError)) throw error;
    never(`JSON is refused: ${error.message}`, isJson);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const good = (value: unknown) => JSON.stringify(value);
const jsonWords = [
  '"status":',
  '"success"',
  '"data":',
  '"hash":',
  '"answers":[',
  '"questions":',
  '"story":',
  '\\u0000',
  '\\ud800',
  '1e999',
  '-0',
  '[]',
  '{}',
  '[['.repeat(40),
  '\ufeff',
  '"__proto__":{}',
  'null',
  'true',
];

/** The answers of the service and of other servers. */
export const service: FuzzTarget[] = [
  {
    name: 'envelopes',
    good: [
      `200\ncontent-type: application/json\n\n${good(envelope)}`,
      '200\n\n{"status":"error"}',
      `202\n\n${good({ ...envelope, data: [] })}`,
      '502\ncontent-type: text/html\n\n<html><body>Bad gateway</body></html>',
      '429\nretry-after: 120\ndate: Sun, 06 Nov 1994 08:49:37 GMT\n\n',
      '503\nretry-after: Sunday, 06-Nov-94 08:49:37 GMT\n\n{}',
      '302\nlocation: https://elsewhere.example/\n\n',
    ].map((text) => Buffer.from(text)),
    words: [
      ...jsonWords,
      '\n\n',
      '204\n',
      '401\n',
      '599\n',
      'retry-after: ',
      '1e9',
      '99999999999999999999',
      'Sun Nov  6 08:49:37 1994',
      'GMT',
      '<html>',
      'location: ',
    ],
    form: 'json',
    read: readAnswerOf,
  },
  {
    name: 'analyses',
    good: [
      Buffer.from(good(analysis)),
      Buffer.from(good({ ...analysis, data: [...analysis.data, { story: 1 }, 2] })),
      Buffer.from('{"status":"error","data":[]}'),
    ],
    words: jsonWords,
    form: 'json',
    read: readAnalysis,
  },
  {
    name: 'headers',
    good: [
      '<https://a.example/?p=2>; rel="next", <b>; rel=last\n120\nSun, 06 Nov 1994 08:49:37 GMT',
      '</a,b>;rel="prev next";title="a, \\"b"\nSun Nov  6 08:49:37 1994\n',
    ].map((text) => Buffer.from(text)),
    words: ['<', '>', '; ', ', ', 'rel=', 'next', '"', '\\', 'GMT', 'Nov', '-94', '-1', '.5', '\n'],
    form: 'lines',
    read: (bytes) => {
      const [link, after, date] = bytes.toString('latin1').split('\n');
      const next = nextLink(link);
      never('the next page is not in the header', next !== undefined && !(link ?? '').includes(`<${next}>`));
      const wait = retryAfter(after, date, 0);
      never(`a wait of ${wait}`, wait !== undefined && !(wait >= 0 && wait <= 86_400_000));
    },
  },
];
