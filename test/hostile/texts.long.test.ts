import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { hostileTexts } from '../support/hostile-texts.ts';
import { countSteps } from './steps.ts';

const stepsOf = countSteps();
const { header, mapRow, mapping, notice, quote, rowOf, sound, takers } = await import('./takers.ts');

/** Steps that each character may take, and those that do not depend on the text (a line of the log, a notice). */
const limit = (length: number): number => 100 * length + 2_000_000;

describe('a megabyte of the worst characters', () => {
  // At 20,000 what looks at each character for each of the others takes a hundred times the limit, and fails within a second.
  const texts = [20_000, 120_000].flatMap((length) => [...hostileTexts(length)]);
  for (const [name, take] of Object.entries(takers)) {
    it(`takes ${name} at most a hundred steps a character`, async () => {
      for (const [kind, text] of texts) {
        const steps = await stepsOf(() => take(text));
        assert.ok(steps <= limit(text.length), `${steps} steps for ${text.length} ${kind}`);
      }
    });
  }

  it('is not in a message: names and values are cut', () => {
    for (const text of hostileTexts(120_000).values()) {
      const lines = notice(text).lines.map((line) => (typeof line === 'string' ? line : line.text));
      assert.ok(
        quote(text).length < 600 && lines.every((line) => line.length < 20_000),
        lines.map(({ length }) => length).join(),
      );
      for (const at of header.keys()) {
        const mapped = mapRow(rowOf(sound.with(at, text)), mapping);
        if ('reason' in mapped) assert.ok(mapped.reason.length + mapped.value.length < 1000, String(header[at]));
      }
    }
  });
});

test('work that looks at each character for each of the others is found', async () => {
  const text = 'a.'.repeat(2_500);
  const slow: Record<string, () => unknown> = {
    'a loop in a loop': () => [...text].filter((one) => [...text].every((other) => other !== `${one}@`)),
    'a search at each': () => [...text].filter((_, at) => text.indexOf('@', at) >= 0 || text.includes('@', at)),
    'a regular expression at each': () => [...text].filter(() => /@/.test(text)),
    'a copy in lower case at each': () => [...text].filter((one) => text.toLowerCase() === one),
    'a list that is searched at each': () =>
      [...new Set([...text].map((one, at) => one + at))].filter((one, at, all) => all.indexOf(one) !== at),
  };
  for (const [name, work] of Object.entries(slow)) assert.ok((await stepsOf(work)) > limit(text.length), name);
});
