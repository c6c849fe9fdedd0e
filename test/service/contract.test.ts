import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { z } from 'zod';
import {
  AnswerItem,
  GroupInsertRequest,
  GroupInsertResponse,
  GroupInsertResult,
  QuestionItem,
  StoryItem,
  StoryQuestionAnalysisRequest,
  StoryQuestionAnalysisResponse,
  User,
} from '../../src/service/contract.ts';

const Case = z.object({ title: z.string(), request: z.json(), response: z.json() });
const Conversation = z.object({ method: z.literal('POST'), path: z.string(), cases: z.array(Case).min(1) });
const examples = z
  .object({ groupInsert: Conversation, questionAnalysis: Conversation })
  .parse(JSON.parse(readFileSync(new URL('../support/interface-examples.json', import.meta.url), 'utf8')));

for (const { title, request, response } of examples.groupInsert.cases) {
  test(`group insert, ${title}: request and response are of the contract and nothing is lost`, () => {
    const given = z.record(z.string(), z.unknown()).parse(request);
    assert.deepEqual(GroupInsertRequest.parse(request), { invite: true, forceSync: false, ...given });
    assert.deepEqual(GroupInsertResponse.parse(response), response);
  });
}

for (const { title, request, response } of examples.questionAnalysis.cases) {
  test(`question analysis, ${title}: request and response are of the contract and nothing is lost`, () => {
    assert.deepEqual(StoryQuestionAnalysisRequest.parse(request), request);
    assert.deepEqual(StoryQuestionAnalysisResponse.parse(response), response);
  });
}

const hash = '0123456789abcdef0123456789ABCDEF';
const inserted = {
  status: 'success',
  data: [{ group: 'Finance', status: 'success', inserts: 1, warnings: 0 }],
  hash,
  response_time: 0.5,
};
const analysed = {
  status: 'success',
  data: [
    {
      story: { ID: '1', name: 'Fire safety', type: 'course', app: { ID: '2', name: 'Onboarding', version: '3.1' } },
      questions: [
        {
          question: 'Where?',
          type: 'Multiple Choice',
          possibleAnswers: ['Here', 'There'],
          stats: { total: 1, correct: 1, incorrect: 0 },
          answers: [
            {
              firstname: 'Åse',
              lastname: 'Lindqvist',
              email: 'ase@example.com',
              telephone: '1',
              country: 'Sweden',
              city: 'Lund',
              groups: ['Finance'],
              answer: { attempts: 1, response: 'Here', correct: true },
            },
          ],
        },
      ],
    },
  ],
  hash,
  response_time: 1,
};
const optional = new Set(['telephone', 'country', 'city']);

/** Calls `visit` with every object in the value, and where it is. */
function eachObject(value: unknown, visit: (object: Record<string, unknown>, path: string) => void, path = ''): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) eachObject(inner, visit, `${path}.${key}`);
  if (!Array.isArray(value)) visit(value as Record<string, unknown>, path);
}

for (const [name, schema, complete] of [
  ['group insert', GroupInsertResponse, inserted],
  ['question analysis', StoryQuestionAnalysisResponse, analysed],
] as const) {
  test(`${name}: every documented field but three is required, and has its type`, () => {
    assert.ok(schema.safeParse(complete).success);
    let fields = 0;
    eachObject(complete, (object, path) => {
      for (const [key, value] of Object.entries(object)) {
        fields += 1;
        delete object[key];
        assert.equal(schema.safeParse(complete).success, optional.has(key), `without ${path}.${key}`);
        object[key] = typeof value === 'string' ? 7 : 'seven';
        assert.equal(schema.safeParse(complete).success, false, `${path}.${key} of another type`);
        object[key] = null;
        assert.equal(schema.safeParse(complete).success, false, `${path}.${key} null`);
        object[key] = value;
      }
    });
    assert.ok(fields >= 8);
  });

  test(`${name}: fields that nobody has documented are kept everywhere`, () => {
    const copy = structuredClone(complete);
    eachObject(copy, (object) => (object['added_later'] = { deep: [1, null] }));
    assert.deepEqual(schema.parse(copy), copy);
  });

  test(`${name}: a hash that is not 32 hexadecimal characters is another shape`, () => {
    for (const wrong of ['', hash.slice(1), `${hash}0`, hash.replace('0', 'g')]) {
      assert.equal(schema.safeParse({ ...complete, hash: wrong }).success, false, wrong);
    }
  });
}

test('counts are whole numbers from zero, small enough that those of a million people add up exactly', () => {
  for (const inserts of [-1, 0.5, 2 ** 53 - 1, 2 ** 60, '1']) {
    assert.equal(
      GroupInsertResponse.safeParse({ ...inserted, data: [{ ...inserted.data[0], inserts }] }).success,
      false,
    );
  }
});

test('a group insert request without groups, or with anything the interface does not name, is refused', () => {
  const user = { firstname: 'Åse', lastname: 'Lindqvist', email: 'ase@example.com' };
  assert.ok(GroupInsertRequest.safeParse({ groups: ['Finance'], user }).success);
  assert.equal(GroupInsertRequest.safeParse({ groups: [], user }).success, false);
  assert.equal(GroupInsertRequest.safeParse({ groups: ['Finance'], user, dryRun: true }).success, false);
  assert.equal(GroupInsertRequest.safeParse({ groups: ['Finance'], user: { ...user, id: 7 } }).success, false);
  assert.equal(StoryQuestionAnalysisRequest.safeParse({ stories: ['x'] }).success, false);
});

test('every part of the contract can be read on its own', () => {
  const [item] = analysed.data;
  const [question] = item?.questions ?? [];
  const [answer] = question?.answers ?? [];
  for (const [schema, part] of [
    [StoryItem, item],
    [QuestionItem, question],
    [AnswerItem, answer],
    [GroupInsertResult, inserted.data[0]],
    [User, { firstname: 'Åse', lastname: 'Lindqvist', email: 'ase@example.com' }],
  ] as const) {
    assert.deepEqual(schema.parse(part), part);
    assert.equal(schema.safeParse({}).success, false);
  }
});
