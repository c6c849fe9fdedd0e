import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseSync, Visitor } from 'oxc-parser';
import { analyse } from 'scslre';

const root = join(import.meta.dirname, '../..');
const files = ['src/**/*.ts', 'jobs/**/*.ts', 'config/*.ts'].flatMap((pattern) => globSync(pattern, { cwd: root }));

/** Every regular expression that is recorded as one, and every place where one is made of a text. */
function patternsIn(file: string): { literals: { source: string; flags: string }[]; made: number } {
  const literals: { source: string; flags: string }[] = [];
  let made = 0;
  const { program, errors } = parseSync(file, readFileSync(join(root, file), 'utf8'));
  assert.deepEqual(errors, [], file);
  new Visitor({
    Literal(node) {
      if ('regex' in node && node.regex) literals.push({ source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression({ callee }) {
      if (callee.type === 'Identifier' && callee.name === 'RegExp') made += 1;
    },
  }).visit(program);
  return { literals, made };
}

/** What is made of a text cannot be looked at here. What each of these is asked about is short, or ours. */
const made: Record<string, string> = {
  'src/core/call/retry-after.ts': 'no repetition in them',
  'src/core/cells/read-cell.ts': 'an address of at most 254 characters',
  'src/core/rows/source.ts': 'its own first step refuses more than 100 characters',
  'src/core/webhooks/webhook-schema.ts': 'the config',
  'src/queue/redis.ts': 'what our own Redis says about itself',
  'src/roster/presets/preset-schema.ts': 'the patterns of our presets, which are checked below',
  'src/roster/presets/presets.ts': 'the same patterns',
};

test('no regular expression takes more than linear time, whatever text it is asked about', () => {
  const slow = files.flatMap((file) =>
    patternsIn(file).literals.flatMap(({ source, flags }) => {
      const { reports } = analyse(new RegExp(source, flags));
      return reports.map(
        ({ type, exponential }) => `${file}: /${source}/ ${type}${exponential ? ', exponential' : ''}`,
      );
    }),
  );
  assert.deepEqual(slow, []);
});

test('no pattern of a preset takes more than linear time', () => {
  const presets = globSync('src/data/presets/*.yaml', { cwd: root });
  const patterns = presets.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bpattern: (.*)$/gm)].map(([, value = '']) => value),
  );
  assert.ok(patterns.length > 10);
  const slow = patterns.filter((value) => {
    const pattern = /^'([^']*)'/.exec(value)?.[1] ?? value;
    return analyse(new RegExp(pattern, '')).reports.length > 0;
  });
  assert.deepEqual(slow, []);
});

test('a regular expression is made of a text only where that is safe', () => {
  assert.deepEqual(files.filter((file) => patternsIn(file).made > 0).toSorted(), Object.keys(made));
});

test('one that is slow would be found', () => {
  for (const slow of [/=+$/, /([^\s@])[^\s@]*@/g, /^(?:a+)+$/]) {
    assert.notEqual(analyse(slow).reports.length, 0, String(slow));
  }
});
