import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type AnalysedAnswer, type AnalysedStory, nameOfStory } from '../../../src/core/story/analysis.ts';
import { AnswerTally } from '../../../src/core/story/answer-tally.ts';
import {
  CompletionJoin,
  CompletionTally,
  type GroupCompletion,
  hideSmallGroups,
} from '../../../src/core/story/completion.ts';

type Stats = { total: number; correct: number; incorrect: number };

function question(
  text: string,
  possibleAnswers: string[] = ['yes', 'no'],
  stats?: Stats,
): AnalysedStory['questions'][0] {
  return { question: text, type: 'choice', possibleAnswers, ...(stats && { stats }), json: {} };
}

function story(
  ID: string,
  questions: AnalysedStory['questions'],
  name = 'Fire',
  app = { ID: '1', name: 'App', version: '1' },
) {
  return { story: { ID, name, type: '', app }, json: {}, questions };
}

/** An answer; `answer` is its place in story and question, and what was said. */
function said(
  [storyAt, questionAt, position]: [number, number, number],
  email: string,
  answer: AnalysedAnswer['item']['answer'],
  missing: string[] = [],
): AnalysedAnswer {
  const item = { firstname: '', lastname: '', email, groups: [], answer };
  return { story: storyAt, question: questionAt, position, text: '', item, missing };
}

suite('the figures of answers', () => {
  test('count each answer in its question, and each person once in their story', () => {
    const tally = new AnswerTally([story('1', [question('a'), question('b', [])]), story('2', [question('c')], 'Two')]);
    tally.add([
      said([0, 0, 1], 'ann@x', { attempts: 1, response: 'yes', correct: true }),
      said([0, 0, 2], 'bo@x', { attempts: 3, response: 'no', correct: false }),
      said([0, 0, 3], 'cy@x', { response: 'no' }),
    ]);
    tally.add([
      said([0, 1, 4], 'ANN@x', { attempts: 2, response: 'free text', correct: true }),
      said([1, 0, 5], 'bo@x', { attempts: 1, response: 'yes', correct: true }),
    ]);
    assert.equal(tally.answers, 5);
    const { answers, stories, breaches } = tally.conclude();
    assert.deepEqual([answers, breaches], [5, []]);
    assert.deepEqual(
      stories.map(({ people }) => people),
      [3, 1],
    );
    const [a, b] = stories[0]?.questions ?? [];
    assert.deepEqual(a, {
      ...{ question: 'a', type: 'choice', possibleAnswers: ['yes', 'no'] },
      ...{ answered: 3, correct: 1, incorrect: 1, attempts: 4, attemptsKnown: 2, otherResponses: 0 },
      responses: [
        { response: 'yes', count: 1 },
        { response: 'no', count: 2 },
      ],
    });
    assert.deepEqual([b?.answered, b?.otherResponses, b?.responses], [1, 1, []]);
    assert.deepEqual([b?.correct, b?.incorrect], [1, 0]);
  });

  test('of nothing are nothing, and a possible answer that nobody gave is there', () => {
    const { answers, stories } = new AnswerTally([story('1', [question('a')])]).conclude();
    assert.equal(answers, 0);
    assert.deepEqual(stories[0], {
      ...{ story: story('1', []).story, people: 0 },
      questions: [
        {
          ...{ question: 'a', type: 'choice', possibleAnswers: ['yes', 'no'] },
          ...{ answered: 0, correct: 0, incorrect: 0, attempts: 0, attemptsKnown: 0, otherResponses: 0 },
          responses: ['yes', 'no'].map((response) => ({ response, count: 0 })),
        },
      ],
    });
  });
});

suite('what answers break of the interface', () => {
  const breachesOf = (tally: AnswerTally): string[] =>
    tally.conclude().breaches.map(({ kind, count, message }) => `${kind} ${count}: ${message}`);

  test('is said once a question for each kind, with the first as the example', () => {
    const tally = new AnswerTally([story('1', [question('a')])]);
    tally.add([
      said([0, 0, 1], 'ann@x', { response: 'maybe' }),
      said([0, 0, 2], '', { response: 'yes' }),
      said([0, 0, 3], 'Ann@x', { response: 'perhaps' }),
      said([0, 0, 4], 'ann@x', { response: 'maybe' }, ['attempts', 'correct']),
      said([0, 0, 5], 'ann@x', { response: 'maybe' }, ['correct']),
    ]);
    assert.deepEqual(breachesOf(tally), [
      'impossible-response 2: answer 1: its response is none of the possible answers',
      'without-email 1: answer 2: its user has no e-mail address',
      'repeated-answer 3: answer 3: its user has answered before',
      'missing-field 2: answer 4: attempts, correct missing or of another type',
    ]);
    const single = new AnswerTally([story('1', [question('a', ['yes'])])]);
    single.add([said([0, 0, 1], 'ann@x', { response: 'no' })]);
    assert.equal(breachesOf(single).length, 1);
    const free = new AnswerTally([story('1', [question('a', []), question('b')])]);
    free.add([said([0, 0, 1], 'ann@x', { response: 'x' }), said([0, 1, 2], 'ann@x', { response: 'yes' })]);
    assert.deepEqual(breachesOf(free), [], 'any text answers an open question, and one person several questions');
  });

  test('has the statistics that are not what was counted', () => {
    const of = (stats: Stats, ...corrects: (boolean | undefined)[]): string[] => {
      const tally = new AnswerTally([story('1', [question('a', ['yes'], stats)])]);
      tally.add(corrects.map((correct, at) => said([0, 0, at + 1], `p${at}@x`, { response: 'yes', correct })));
      return breachesOf(tally);
    };
    assert.deepEqual(of({ total: 2, correct: 1, incorrect: 1 }, true, false), []);
    assert.deepEqual(of({ total: 3, correct: 1, incorrect: 2 }, true, false), [
      'stats-total 1: stats.total is 3, but 2 answers came',
    ]);
    assert.deepEqual(of({ total: 2, correct: 1, incorrect: 2 }, true, false), [
      'stats-split 1: stats.correct 1 and stats.incorrect 2 are not stats.total 2',
    ]);
    assert.deepEqual(of({ total: 2, correct: 2, incorrect: 0 }, true, false), [
      'stats-correct 1: stats.correct is 2, but 1 answer is correct',
    ]);
    assert.deepEqual(of({ total: 2, correct: 2, incorrect: 0 }, true, undefined), [], 'one is not known');
  });

  test('has stories that nobody asked for, and what comes twice', () => {
    const other = { ID: '2', name: 'Other', version: '1' };
    const stories = [story('1', [question('a'), question('a')]), story('1', []), story('2', [], 'Water', other)];
    assert.deepEqual(breachesOf(new AnswerTally(stories, [], { story: 'fire', app: '1' })), [
      'repeated-story 1: it is reported twice',
      'other-story 1: this story came, but "fire" was asked for',
      'other-app 1: it is of the app Other (2), but "1" was asked for',
      'other-story 1: "fire" brought 2 stories: 1, 2',
      'repeated-question 1: the story has this question twice',
    ]);
    assert.deepEqual(breachesOf(new AnswerTally([story('1', [])], [], { story: ' FIRE ', app: 'app' })), []);
    assert.deepEqual(
      breachesOf(new AnswerTally([story('1', []), story('1', [], 'Fire', other)], [], { story: '1' })),
      [],
    );
    assert.deepEqual(breachesOf(new AnswerTally([story('1', []), story('2', [])])), []);
  });

  test('names a story by what it has of name and ID', () => {
    const named = [
      { name: 'Fire', ID: '1' },
      { name: '', ID: '1' },
      { name: '', ID: '' },
    ].map(nameOfStory);
    assert.deepEqual(named, ['Fire (1)', 'story 1', 'story without ID and name']);
  });
});

suite('how far people are with a story', () => {
  test('holds for more people than a first table has room for', () => {
    const join = new CompletionJoin([[0, 1]]);
    for (let at = 0; at < 1025; at += 1) join.addPerson(`p${at}@x`);
    for (const at of [0, 1023, 1024]) {
      const answer = { attempts: 1, response: '', correct: at !== 1024 };
      assert.equal(join.addAnswer({ email: `p${at}@x`, answer }, 0), true);
      assert.equal(join.addAnswer({ email: `p${at}@x`, answer }, 1), true);
      const status = at === 1024 ? 'answered-wrongly' : 'answered';
      assert.deepEqual(join.statusOf({ key: `p${at}@x`, given: true }), { status, questions: 2 });
    }
    const grown = new CompletionJoin([[0, 1]]);
    grown.addPerson('first@x');
    grown.addAnswer({ email: 'first@x', answer: { response: '', correct: false } }, 0);
    for (let at = 0; at < 3000; at += 1) grown.addPerson(`p${at}@x`);
    assert.deepEqual(grown.statusOf({ key: 'first@x', given: true }), { status: 'answered-wrongly', questions: 1 });
    assert.deepEqual(grown.statusOf({ key: 'p2999@x', given: true }), { status: 'not-answered', questions: 0 });
    assert.deepEqual(grown.statusOf({ key: 'nobody@x', given: false }), { status: 'not-yet-given', questions: 0 });
    assert.equal(grown.addAnswer({ email: 'guest@x', answer: { response: '' } }, 0), false);
    assert.equal(grown.addAnswer({ email: ' ', answer: { response: '' } }, 0), false);
  });

  test('who answered all questions has not answered only a part', () => {
    const tally = new CompletionTally(2);
    tally.add(['B', 'A'], { status: 'answered', questions: 2 });
    assert.deepEqual(tally.total, { people: 1, answered: 1, wrongly: 0, partly: 0, notAnswered: 0, notYetGiven: 0 });
    assert.deepEqual(
      tally.groups.map(({ group }) => group),
      ['A', 'B'],
    );
  });

  test('a group of exactly as many people as are needed is shown', () => {
    const group = (name: string, people: number): GroupCompletion => {
      return { group: name, people, answered: 0, wrongly: 0, partly: 0, notAnswered: people, notYetGiven: 0 };
    };
    const shown = (...sizes: number[]): string[] =>
      hideSmallGroups(
        group('', 50),
        sizes.map((people, at) => group(`g${at}`, people)),
        5,
      ).groups.map((each) => each.group);
    assert.deepEqual(shown(5, 50), ['g0', 'g1']);
    assert.deepEqual(shown(2, 3, 6), ['g2'], 'two that are five together');
    assert.deepEqual(shown(2, 2, 6, 7), ['g3'], 'two that are four take the next with them');
    assert.deepEqual(shown(4, 6, 6), ['g2'], 'of two alike, the first by name');
    assert.notEqual(hideSmallGroups(group('', 5), [group('g', 5)], 5).total, undefined);
  });
});
