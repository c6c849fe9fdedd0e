import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadConfig } from '../../config/load.ts';
import { chooseRate } from '../../src/acts/runs.ts';
import { writeRate } from '../../src/core/pace/pacing.ts';

const configOf = (environment: Record<string, string>) => loadConfig({ environment, withoutFile: true });
const rate = 'ROSTER_SYNC__DELIVERY__RATE';
const set = configOf({ [`${rate}__LIMIT`]: '10', [`${rate}__AND`]: '20/10s', [`${rate}__ADAPTIVE`]: 'false' });
const stored = (limit: number) => ({ limit, perMs: 1000, and: [{ limit: 7, perMs: 9000 }], adaptive: true });

for (const [what, flag, before, chosen] of [
  ['a stored rate as fast', undefined, stored(10), '10/s and 20/10s'],
  ['a slower stored rate', undefined, stored(2), '2/s and 20/10s'],
  ['a faster stored rate', undefined, stored(50), '10/s and 20/10s'],
  ['a flag', '3', stored(10), '3/s and 20/10s'],
  ['a flag that is too fast', '30', stored(10), '10/s and 20/10s'],
] as const) {
  it(`the settings' further windows and their \`adaptive\` hold with ${what}`, () => {
    const { rate } = chooseRate(set, flag, before);
    assert.deepEqual([writeRate(rate), rate.adaptive], [chosen, false]);
  });
}

it('without a rate in the settings the stored one holds, with its windows', () => {
  assert.equal(writeRate(chooseRate(configOf({}), undefined, stored(50)).rate), '50/s and 7/9s');
});
