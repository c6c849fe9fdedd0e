import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';

for (const { name, skip, open } of homes) {
  suite(`kept sources, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('kept-sources');
    });
    after(async () => home.close());

    test('a source is kept with who kept it, replaced by the next of its name, and removed', async () => {
      await ledger.keepSource({ name: 'starters', block: 'groups: [{ always: One }]', by: 'mette@desk' });
      await ledger.keepSource({ name: 'leavers', block: 'groups: [{ always: "Ü \\"x\\"" }]', by: 'mette@desk' });
      await ledger.keepSource({ name: 'starters', block: 'groups: [{ always: Two }]', by: 'jonas@desk' });
      const kept = await ledger.listKeptSources();
      assert.deepEqual(
        kept.map(({ name, block, by }) => ({ name, block, by })),
        [
          { name: 'leavers', block: 'groups: [{ always: "Ü \\"x\\"" }]', by: 'mette@desk' },
          { name: 'starters', block: 'groups: [{ always: Two }]', by: 'jonas@desk' },
        ],
      );
      assert.ok(kept.every(({ at }) => at instanceof Date));
      assert.equal(await ledger.removeKeptSource('starters'), true);
      assert.equal(await ledger.removeKeptSource('starters'), false);
      assert.deepEqual(
        (await ledger.listKeptSources()).map((source) => source.name),
        ['leavers'],
      );
    });
  });
}
