import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseKeptBlock, readKeptMapping, writeKeptMapping } from '../../config/kept-source.ts';

const block = [
  'groups: [{ column: Department }]',
  'rename: { "0100": Sales }',
  'guards: { shrink: { percent: 5 } }',
  'refresh: 7d',
  'deliver: { invite: false, rate: 2/s }',
].join('\n');

suite('the mapping of a kept source', () => {
  test('is taken as it is written, without what no upload may say', () => {
    assert.deepEqual(readKeptMapping(block), {
      ...{ groups: [{ column: 'Department' }], rename: { '0100': 'Sales' } },
      deliver: { invite: false },
    });
    assert.deepEqual(readKeptMapping(''), {});
    assert.equal(readKeptMapping('read: { limits: { rows: 5 } }'), undefined);
  });

  test('is replaced wholly, and all else that the source says stays', () => {
    const written = writeKeptMapping({ groups: [{ always: 'All' }], deliver: { forceSync: true } }, block);
    const [before, after] = [block, written].map(parseKeptBlock);
    assert.ok(before && after && 'source' in before && 'source' in after, written);
    const { guards, refresh, deliver } = before.source;
    assert.deepEqual(after.source, {
      ...{ guards, refresh, groups: [{ always: 'All' }] },
      deliver: { rate: deliver?.rate, forceSync: true },
    });
    assert.deepEqual(parseKeptBlock(writeKeptMapping({ groups: [{ always: 'All' }] })), {
      source: { groups: [{ always: 'All' }] },
    });
  });
});
