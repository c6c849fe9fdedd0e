import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import papaparse from 'papaparse';
import type { AnalysedAnswer, AnalysedStory, AnswerItem } from '../../src/core/story/analysis.ts';
import { AnswerTally } from '../../src/core/story/answer-tally.ts';
import { sheetParts } from '../../src/report/files/sheet.ts';
import { answerColumns, answersNdjson, answersSheet, percent } from '../../src/report/story/answers-summary.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('=1+1', "'=x", '-', '@a', 'a;b', '[1]', ' ', '"', '\r\n', '＝1'),
);
const item: fc.Arbitrary<AnswerItem> = fc.record(
  {
    firstname: text,
    lastname: text,
    email: text,
    telephone: text,
    country: text,
    city: text,
    groups: fc.array(text, { maxLength: 4 }),
    answer: fc.record({ attempts: fc.nat(), response: text, correct: fc.boolean() }),
  },
  { requiredKeys: ['firstname', 'lastname', 'email', 'groups', 'answer'] },
);
const question = fc.record({
  question: text,
  type: text,
  possibleAnswers: fc.array(text, { maxLength: 3 }),
  answers: fc.array(item, { maxLength: 3 }),
});
const data = fc.array(
  fc.record({
    story: fc.record({ ID: text, name: text, type: text, app: fc.record({ ID: text, name: text, version: text }) }),
    questions: fc.array(question, { maxLength: 3 }),
  }),
  { maxLength: 3 },
);
type Data = typeof data extends fc.Arbitrary<infer Value> ? Value : never;

function storiesOf(given: Data): AnalysedStory[] {
  return given.map(({ story, questions }) => ({
    story,
    json: story,
    questions: questions.map(({ question, type, possibleAnswers }) => {
      const head = { question, type, possibleAnswers };
      return { ...head, json: head };
    }),
  }));
}

async function* answersOf(given: Data): AsyncGenerator<AnalysedAnswer[]> {
  for (const [story, { questions }] of given.entries()) {
    for (const [at, { answers }] of questions.entries()) {
      yield answers.map((each, position) => {
        return {
          story,
          question: at,
          position: position + 1,
          text: JSON.stringify(each, null, position % 2),
          item: each,
          missing: [],
        };
      });
    }
  }
}

async function textOf(parts: AsyncIterable<string | Uint8Array>): Promise<string> {
  let all = '';
  for await (const part of parts) all += String(part);
  return all;
}

/** What the columns must say, in the order of the answer. */
function expected(given: Data) {
  return given.flatMap(({ story, questions }) =>
    questions.flatMap(({ answers, ...head }) => answers.map((answer) => ({ story, ...head, answer }))),
  );
}

/** A list as its cell writes it. */
function readList(cell: string): string[] {
  if (cell === '') return [];
  return cell.startsWith('[') ? (JSON.parse(cell) as string[]) : cell.split('; ');
}

for (const excel of [false, true]) {
  test(`every answer comes out of CSV as it went in${excel ? ', for Excel too' : ''}, and no cell is a formula`, async () => {
    await fc.assert(
      fc.asyncProperty(data, async (given) => {
        const csv = await textOf(sheetParts(answersSheet(storiesOf(given), answersOf(given)), { excel }));
        assert.equal(csv.startsWith('\uFEFF'), excel);
        const options = {
          delimiter: excel ? ';' : ',',
          newline: excel ? ('\r\n' as const) : ('\n' as const),
          skipEmptyLines: false,
        };
        const [head, ...rows] = papaparse.parse<string[]>(csv.replace(/^\uFEFF/, ''), options).data;
        assert.deepEqual(head, [...answerColumns]);
        assert.deepEqual(rows.pop(), [''], 'the file ends with a line end');
        assert.ok(rows.flat().every((cell) => !/^[=+\-@\t\r\n＝＋－＠]/.test(cell)));
        const cells = rows.map((row) =>
          row.map((cell) => cell.replace(/^'(?='*[=+\-@\t\r\n＝＋－＠]|'(?![dnst][\s-]))/i, '')),
        );
        const wanted = expected(given).map(({ story, question: asked, type, possibleAnswers, answer }) => {
          const { firstname, lastname, email, telephone = '', country = '', city = '', groups } = answer;
          const { attempts, response, correct } = answer.answer;
          const [first, second] = [story.ID, story.name];
          const app = [story.app.ID, story.app.name, story.app.version];
          const user = [firstname, lastname, email, telephone, country, city];
          return [
            first,
            second,
            story.type,
            ...app,
            asked,
            type,
            possibleAnswers,
            ...user,
            groups,
            String(attempts),
            response,
            String(correct),
          ];
        });
        const lists = [answerColumns.indexOf('possibleAnswers'), answerColumns.indexOf('groups')];
        assert.deepEqual(
          cells.map((row) => row.map((cell, at) => (lists.includes(at) ? readList(cell) : cell))),
          wanted,
        );
      }),
      { numRuns: 60 },
    );
  });
}

test('every answer comes out of NDJSON as it went in, a line each', async () => {
  await fc.assert(
    fc.asyncProperty(data, async (given) => {
      const ndjson = await textOf(answersNdjson(storiesOf(given), answersOf(given)));
      const lines = ndjson.split('\n');
      assert.equal(lines.pop(), '');
      assert.deepEqual(
        lines.map((line) => JSON.parse(line) as unknown),
        JSON.parse(JSON.stringify(expected(given))),
      );
    }),
    { numRuns: 60 },
  );
});

const people = (count: number, correct: (at: number) => boolean): AnswerItem[] =>
  Array.from({ length: count }, (_, at) => {
    const answer = { attempts: 2, response: correct(at) ? 'Here' : 'There', correct: correct(at) };
    return { firstname: 'F', lastname: 'L', email: `p${at}@example.com`, groups: [], answer };
  });

async function tallied(given: Data, stats: { total: number; correct: number; incorrect: number }, asked = {}) {
  const stories = storiesOf(given);
  for (const { questions } of stories) for (const each of questions) each.stats = stats;
  const tally = new AnswerTally(stories, [], asked);
  for await (const some of answersOf(given)) tally.add(some);
  return tally.conclude();
}

const fire = { ID: '4711', name: 'Fire safety', type: 'course', app: { ID: '12', name: 'Onboarding', version: '1' } };
const where = { question: 'Where?', type: 'Multiple Choice', possibleAnswers: ['Here', 'There'] };

test('what the interface promises is found to hold, and counted', async () => {
  const given = [{ story: fire, questions: [{ ...where, answers: people(10, (at) => at < 7) }] }];
  const { answers, stories, breaches } = await tallied(
    given,
    { total: 10, correct: 7, incorrect: 3 },
    { story: '4711' },
  );
  assert.deepEqual(breaches, []);
  const [story] = stories;
  assert.deepEqual([answers, story?.people], [10, 10]);
  const { answered, correct, incorrect, attempts, responses, otherResponses } = story?.questions[0] ?? {};
  assert.deepEqual(
    { answered, correct, incorrect, attempts, otherResponses },
    { answered: 10, correct: 7, incorrect: 3, attempts: 20, otherResponses: 0 },
  );
  assert.deepEqual(responses, [
    { response: 'Here', count: 7 },
    { response: 'There', count: 3 },
  ]);
});

test('each promise that is broken is told by story and question, and names no person', async () => {
  const [first, ...others] = people(4, () => true);
  if (!first) throw new Error('there are people');
  const odd = { ...first, email: 'P0@example.com', answer: { ...first.answer, response: 'Nowhere' } };
  const questions = [
    { ...where, answers: [first, ...others, odd, { ...first, email: ' ' }] },
    { ...where, answers: [] },
  ];
  const given = [
    { story: fire, questions },
    { story: fire, questions: [] },
  ];
  const { breaches } = await tallied(given, { total: 9, correct: 3, incorrect: 1 }, { story: 'Welcome', app: '13' });
  const kinds = new Set(breaches.map(({ kind }) => kind));
  for (const kind of [
    'stats-total',
    'stats-split',
    'impossible-response',
    'repeated-answer',
    'without-email',
    'repeated-story',
    'repeated-question',
    'other-story',
    'other-app',
  ] as const) {
    assert.ok(kinds.has(kind), kind);
  }
  assert.ok(breaches.every(({ story }) => story === 'Fire safety (4711)'));
  assert.ok(!JSON.stringify(breaches).includes('@'), 'nobody is named');
});

test('a share is 100 % only of everybody and 0 % only of nobody', () => {
  assert.deepEqual(
    [percent(61, 200), percent(999, 1000), percent(1, 1000), percent(0, 3), percent(3, 3), percent(0, 0)],
    ['31 %', '>99 %', '<1 %', '0 %', '100 %', '–'],
  );
});
