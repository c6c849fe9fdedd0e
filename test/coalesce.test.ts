import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { coalesce, createSequencer } from '../src/process/coalesce.ts';

/** A function over many items that says what it was asked, and answers when it is told to. */
function answering(asked: string[][]): { many: (items: string[]) => Promise<string[]>; answer(error?: Error): void } {
  let settle = Promise.withResolvers<void>();
  return {
    async many(items) {
      asked.push(items);
      await settle.promise;
      return items.map((item) => item.toUpperCase());
    },
    answer(error) {
      const before = settle;
      settle = Promise.withResolvers();
      if (error) before.reject(error);
      else before.resolve();
    },
  };
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

suite('asking for one at a time what is done for many', () => {
  test('takes along what was asked meanwhile, up to a limit, and gives each its own answer', async () => {
    const asked: string[][] = [];
    const { many, answer } = answering(asked);
    const one = coalesce(many, 2);
    const first = ['a', 'b'].map(one);
    await soon();
    const rest = ['c', 'd', 'e'].map(one);
    answer();
    await soon();
    answer();
    await soon();
    answer();
    assert.deepEqual(await Promise.all([...first, ...rest]), ['A', 'B', 'C', 'D', 'E']);
    assert.deepEqual(asked, [['a', 'b'], ['c', 'd'], ['e']]);
  });

  test('after a crowd waits a moment for the others of it, so that they share a batch too', async () => {
    const asked: string[][] = [];
    const { many, answer } = answering(asked);
    const one = coalesce(many, 100);
    const crowd = Array.from('abcdefgh', one);
    await soon();
    const next = [one('i')];
    answer();
    await Promise.all(crowd);
    next.push(...Array.from('jkl', one));
    const answers = setInterval(answer, 1);
    await Promise.all(next);
    clearInterval(answers);
    assert.deepEqual(asked, [Array.from('abcdefgh'), Array.from('ijkl')]);
  });

  test('fails all of a batch that fails, and none of the next', async () => {
    const asked: string[][] = [];
    const { many, answer } = answering(asked);
    const one = coalesce(many, 10);
    const first = ['a', 'b'].map(one);
    await soon();
    const next = one('c');
    answer(new Error('no'));
    for (const failed of first) await assert.rejects(failed, /no/);
    await soon();
    answer();
    assert.equal(await next, 'C');
  });

  test('in turns with another: its batch takes along everything that was asked while it waited', async () => {
    const asked: string[][] = [];
    const slow = answering(asked);
    const quick = answering(asked);
    const turns = createSequencer();
    const [one, other] = [coalesce(slow.many, 10, turns), coalesce(quick.many, 10, turns)];
    const first = one('a');
    await soon();
    const others = [other('x')];
    await soon();
    others.push(other('y'));
    await soon();
    assert.deepEqual(asked, [['a']]);
    slow.answer(new Error('no'));
    await assert.rejects(first, /no/);
    await soon();
    assert.deepEqual(asked, [['a'], ['x', 'y']]);
    quick.answer();
    assert.deepEqual(await Promise.all(others), ['X', 'Y']);
  });
});
