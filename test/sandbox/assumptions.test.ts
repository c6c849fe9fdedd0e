import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { InputError } from '../../src/core/errors.ts';
import {
  assumptionChoices,
  parseFault,
  parseAssumptions,
  sandboxToken,
  startSandbox,
} from '../../src/sandbox/index.ts';
import { openSandbox } from '../support/sandbox.ts';

const page = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');

test('assumptions are read from texts, the rest stay the sandbox’s own', () => {
  const assumptions = parseAssumptions(['repeat=silent', 'wrongToken=403']);
  assert.deepEqual([assumptions.repeat, assumptions.wrongToken, assumptions.groupNames], ['silent', '403', 'exact']);
  const wrong: [string, RegExp][] = [
    ['repeat', /question=answer/],
    ['repeats=silent', /no assumption is called "repeats": repeat, /],
    ['constructor=x', /no assumption is called/],
    ['repeat=loud', /one of warning, silent, not "loud"/],
  ];
  for (const [text, message] of wrong) {
    assert.throws(
      () => parseAssumptions([text]),
      (error) => error instanceof InputError && message.test(error.message),
      text,
    );
  }
});

test('options that cannot be are refused before anything listens', async () => {
  for (const options of [{ port: -1 }, { seed: 0.5 }, { answerRate: 2 }, { prefix: 'api' }, { faults: ['status=1'] }]) {
    await assert.rejects(startSandbox(options), InputError, JSON.stringify(options));
  }
});

test('docs/sandbox.md names every assumption with its choices, the fault grammar, the token and the control routes', async (t) => {
  for (const [question, [own, ...others]] of Object.entries(assumptionChoices)) {
    const choices = [`**${own}**`, ...others].join(', ');
    assert.ok(page.includes(`| \`${question}\` | ${choices} |`), `${question}: ${choices}`);
  }
  const [, keys = ''] = /: ([a-z-]+(?:, [a-z-]+)+)$/.exec(saidOf(() => parseFault('none=1'))) ?? [];
  assert.ok(keys.split(', ').length >= 15, keys);
  for (const key of keys.split(', ')) assert.match(page, new RegExp(`^ {2}${key}=`, 'm'));
  assert.ok(page.includes(`\`${sandboxToken}\``));
  assert.equal(atob(sandboxToken), 'sandbox:sandbox');
  const sandbox = await openSandbox(t);
  const { routes }: { routes: string[] } = JSON.parse(await (await fetch(`${sandbox.url}/_sandbox`)).text());
  for (const route of routes) assert.ok(page.includes(`\`${route}\``), route);
});

function saidOf(wrong: () => unknown): string {
  try {
    wrong();
  } catch (error) {
    if (error instanceof InputError) return error.message;
  }
  return assert.fail('it is taken');
}
