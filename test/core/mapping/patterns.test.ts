import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { suite, test, type TestContext } from 'node:test';
import type * as Re2 from 're2js';
import { problemsOfKept } from '../../../config/kept-source.ts';
import { UploadMapping } from '../../../config/source-schema.ts';
import { patternTest, wrongPattern, tooManyRules } from '../../../src/core/mapping/patterns.ts';
import { anyOf } from '../../../src/core/text/wildcard.ts';

const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof Re2;

/** How often the engine compiles meanwhile. */
function compilingsIn(t: TestContext, task: () => void): number {
  const { mock } = t.mock.method(RE2JS, 'compile');
  task();
  mock.restore();
  return mock.callCount();
}

suite('patterns', () => {
  test('one that would compile to much is refused by its text, without compiling it', (t) => {
    const large = ['x{1000}'.repeat(142), `(?:${'ab'.repeat(400)}){200}`, '((x{20}){20}){10}', '\\pL'.repeat(300)];
    const refused = compilingsIn(t, () => {
      for (const pattern of large) assert.match(wrongPattern(pattern) ?? '', /it is too large; repeat less in it$/);
    });
    assert.equal(refused, 0);
    const usual = [
      '^\\d{4}-\\d{2}-\\d{2}$',
      '[a-z]{1,63}(\\.[a-z]{1,63}){1,3}',
      '\\x{2000}',
      '\\Qa{3000}\\E',
      '[{3000}]',
    ];
    for (const pattern of [...usual, 'word|'.repeat(190), '(?i)^(.+)[-_ ](acl|grp)$'])
      assert.equal(wrongPattern(pattern), undefined);
  });

  test('one that was compiled is not compiled again, however often its rules are read', (t) => {
    const renamePatterns = [{ matches: `^only here ${'x{100}'.repeat(3)}`, to: 'A' }];
    const read = () => UploadMapping.parse({ renamePatterns });
    assert.equal(compilingsIn(t, read), 1);
    assert.equal(compilingsIn(t, read), 0);
    assert.ok(patternTest('^b+$')('bb') && !patternTest('^b+$')('ab'));
  });

  test('more than 100 in a block are refused, and none of them is compiled', (t) => {
    const block = (count: number): string =>
      ['renamePatterns:', ...Array.from({ length: count }, (_, at) => `- { matches: "many ${at}", to: A }`)].join('\n');
    let problems: string[] = [];
    assert.equal(
      compilingsIn(t, () => (problems = problemsOfKept('staff', block(101)))),
      0,
    );
    assert.deepEqual(problems, ['it has 101 patterns (matches:), and at most 100 are allowed']);
    assert.deepEqual(problemsOfKept('staff', block(100)), []);
  });

  test('those of one block that are too large together are refused', () => {
    const block = (size: number): string =>
      ['renamePatterns:', ...Array.from({ length: 10 }, (_, at) => `- { matches: "${at}x{${size}}", to: A }`)].join(
        '\n',
      );
    assert.deepEqual(problemsOfKept('staff', block(900)), []);
    assert.deepEqual(problemsOfKept('staff', block(1100)), [
      'its patterns (matches:) are too large together; repeat less in them',
    ]);
  });

  test('a text is folded once, however many patterns it is compared with', (t) => {
    const isWanted = anyOf(['sales*', '*-admins', 'staff']);
    const { mock } = t.mock.method(String.prototype, 'normalize');
    const found = ['SALES north', 'IT-Admins', 'Staff', 'guests'].map((name) => isWanted(name));
    mock.restore();
    assert.deepEqual([found, mock.callCount()], [[true, true, true, false], 4]);
  });
});

test('a mapping has at most a hundred conditions of one kind; texts that are allowed or opted out are none', () => {
  const conditions = (many: number) => Array.from({ length: many }, () => ({ column: 'Site', contains: 'x' }));
  const texts = Array.from({ length: 101 }, (_, at) => `p${at}@example.com`);
  assert.equal(tooManyRules({ only: conditions(100), allow: { people: { except: texts } } }), undefined);
  assert.match(tooManyRules({ except: conditions(101) }) ?? '', /101 conditions of one kind/);
});
