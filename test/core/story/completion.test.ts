import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  chooseStories,
  CompletionJoin,
  CompletionTally,
  type GroupCompletion,
  hideSmallGroups,
  numberQuestions,
} from '../../../src/core/story/completion.ts';
import { KeyTable } from '../../../src/core/hashing/text-set.ts';

const answer = (email: string, correct: boolean) => ({ email, answer: { attempts: 1, response: '', correct } });

test('people are joined by address without regard to case, and those of nobody on the roster are counted apart', () => {
  const join = new CompletionJoin([[0, 1]]);
  for (const key of ['ann@example.com', 'bo@example.com', 'cleo@example.com', 'dan@example.com']) join.addPerson(key);
  join.addAnswer(answer(' ANN@Example.com', true), 0);
  join.addAnswer(answer('ann@example.com', true), 0);
  join.addAnswer(answer('bo@example.com', true), 0);
  join.addAnswer(answer('guest@example.com', true), 0);
  join.addAnswer(answer('', true), 0);
  join.addAnswer(answer('bo@example.com', false), 1);
  join.addAnswer(answer('Guest@example.com', true), 1);
  const statusOf = (key: string, given = true) => join.statusOf({ key, given });
  assert.deepEqual(statusOf('ann@example.com'), { status: 'answered', questions: 1 });
  assert.deepEqual(statusOf('bo@example.com'), { status: 'answered-wrongly', questions: 2 });
  assert.deepEqual(statusOf('cleo@example.com'), { status: 'not-answered', questions: 0 });
  assert.deepEqual(statusOf('dan@example.com', false), { status: 'not-yet-given', questions: 0 });
  assert.deepEqual(statusOf('ann@example.com', false).status, 'answered', 'whoever answered was given it somehow');
  assert.deepEqual(join.strangers, { people: 1, answersWithoutEmail: 1 });
});

const asking = (...texts: string[]) => ({
  questions: texts.map((question) => ({ question, type: '', possibleAnswers: [], json: {} })),
});

test('questions of one text are one in all versions, and several in a version that has several', () => {
  assert.deepEqual(numberQuestions([asking('A', 'B', 'A'), asking('B', 'A', 'C', 'A', 'A')]), [
    [0, 1, 2],
    [1, 0, 3, 2, 4],
  ]);
});

test('a question that was answered in several versions counts once, and nobody answers more than a version has', () => {
  const join = new CompletionJoin(numberQuestions([asking('A', 'B', 'C'), asking('A', 'B', 'D')]));
  const people = { ann: [0, 1, 0], bo: [0, 1, 2, 3], cleo: [2, 3], dan: [0, 1, 3] };
  for (const name of Object.keys(people)) join.addPerson(name);
  for (const [name, numbers] of Object.entries(people))
    for (const number of numbers) join.addAnswer(answer(name, true), number);
  const counted = Object.keys(people).map((key) => join.statusOf({ key, given: true }).questions);
  assert.deepEqual(counted, [2, 3, 1, 3]);
});

test('an answer that is neither right nor wrong is not wrong', () => {
  const join = new CompletionJoin([[0]]);
  join.addPerson('ann@example.com');
  join.addAnswer({ email: 'ann@example.com', answer: { response: 'Our values' } }, 0);
  assert.equal(join.statusOf({ key: 'ann@example.com', given: true }).status, 'answered');
});

test('every one of many questions counts, of each person apart', () => {
  const numbers = Array.from({ length: 40 }, (_, at) => at);
  const join = new CompletionJoin([numbers]);
  for (const name of ['ann', 'bo', 'cleo']) join.addPerson(name);
  for (const number of numbers) join.addAnswer(answer('bo', true), number);
  const counted = ['ann', 'bo', 'cleo'].map((key) => join.statusOf({ key, given: true }).questions);
  assert.deepEqual(counted, [0, 40, 0]);
});

test('every person counts once in total and once in each of their groups', () => {
  const tally = new CompletionTally(2);
  tally.add(['A', 'B', 'A'], { status: 'answered-wrongly', questions: 1 });
  tally.add(['A'], { status: 'not-answered', questions: 0 });
  tally.add([], { status: 'not-yet-given', questions: 0 });
  const both = { people: 1, answered: 1, wrongly: 1, partly: 1, notAnswered: 0, notYetGiven: 0 };
  assert.deepEqual(tally.total, { ...both, people: 3, notAnswered: 1, notYetGiven: 1 });
  assert.deepEqual(tally.groups, [
    { group: 'A', ...both, people: 2, notAnswered: 1 },
    { group: 'B', ...both },
  ]);
});

const group = (name: string, people: number): GroupCompletion => {
  return { group: name, people, answered: 0, wrongly: 0, partly: 0, notAnswered: people, notYetGiven: 0 };
};

test('a single small group takes the next larger one with it, so that the total less the others tells nothing', () => {
  const groups = [group('Large', 50), group('Medium', 9), group('Small', 4)];
  const shown = hideSmallGroups(group('', 63), groups, 5);
  assert.deepEqual([shown.groups.map((each) => each.group), shown.hidden], [['Large'], 2]);
});

test('nothing is shown of fewer people than a group must have', () => {
  assert.deepEqual(hideSmallGroups(group('', 4), [group('A', 4)], 5), { total: undefined, groups: [], hidden: 1 });
  assert.equal(hideSmallGroups(group('', 9), [group('A', 4)], 5).hidden, 1, 'the others are in no group');
});

test('what is hidden is never one group, nor few people, and nothing is hidden without need', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 10 }), (of, minCell) => {
      const groups = of.map((people, at) => group(`g${at}`, people));
      const people = of.reduce((sum, each) => sum + each, 0);
      const { total, groups: shown, hidden } = hideSmallGroups(group('', people), groups, minCell);
      assert.equal(shown.length + hidden, groups.length);
      if (!total) return;
      assert.ok(shown.every((each) => each.people >= minCell));
      const left = people - shown.reduce((sum, each) => sum + each.people, 0);
      if (of.every((each) => each >= minCell)) assert.equal(hidden, 0);
      else assert.ok(hidden === groups.length || (hidden >= 2 && left >= minCell), `${hidden} groups of ${left}`);
    }),
  );
});

const story = (ID: string, name: string, app = '1', version = '1') => {
  return { story: { ID, name, type: '', app: { ID: app, name: `app ${app}`, version } }, json: {}, questions: [] };
};

test('a story is known by its ID first, then by its name; of several, an ID is asked for', () => {
  const stories = [
    story('4711', 'Fire safety'),
    story('9', '4711'),
    story('4711', 'Fire safety', '1', '2'),
    story('8', 'Fire Safety'),
  ];
  assert.deepEqual(chooseStories(stories, '4711'), [0, 2], 'two versions of one story, and not the one of that name');
  assert.match(
    String(chooseStories(stories, 'fire safety')),
    /names 2 stories: Fire safety \(4711\).*Fire Safety \(8\)/,
  );
  assert.match(String(chooseStories(stories, 'Welcome')), /no story called "Welcome"/);
});

test('the table of keys knows what was added, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (added, others) => {
      const table = new KeyTable();
      const known = new Map<string, number>();
      for (const text of added) {
        assert.equal(table.add(text), !known.has(text));
        if (!known.has(text)) known.set(text, known.size);
      }
      for (const text of [...added, ...others]) assert.equal(table.find(text), known.get(text));
      assert.equal(table.size, known.size);
    }),
  );
  const table = new KeyTable();
  for (let at = 0; at < 50_000; at += 1) table.add(`person${at}@example.com`);
  assert.equal(table.size, 50_000);
  assert.equal(table.find('person49999@example.com'), 49_999);
  table.clear();
  assert.equal(table.find('person1@example.com'), undefined);
});
