import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { KeptRecord } from '../../src/ledger/planning/kept-reads.ts';
import { type Home, homes } from './homes.ts';

for (const { name, skip, open } of homes) {
  suite(`reads that are kept, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('kept-reads');
    });
    after(async () => home.close());

    const stage = (source: string, readId: string, people: Record<string, string | null>) =>
      ledger.stageKeptPeople({
        ...{ service: 's', source, readId },
        people: Object.entries(people).map(([id, record]) => ({ id, record, keys: [`${id}@example.com`] })),
      });
    const settle = (source: string, readId: string, base?: string) =>
      ledger.settleKeptRead({
        ...{ service: 's', source, readId, runId: `run-${readId}`, link: `link-${readId}`, digest: 'd' },
        ...(base !== undefined && { base }),
      });
    async function kept(source: string): Promise<[string | undefined, Record<string, string | null>]> {
      const read = await ledger.findKeptRead({ service: 's', source });
      const people: KeptRecord[] = [];
      for (let after = ''; read;) {
        const batch = await ledger.listKeptPeople({ service: 's', source, readId: read.readId, after, limit: 2 });
        people.push(...batch);
        if (batch.length < 2) break;
        after = batch.at(-1)?.id ?? '';
      }
      return [read?.link, Object.fromEntries(people.map(({ id, record }) => [id, record]))];
    }
    const rows = async (source: string): Promise<number> => {
      const { rows } = await home.pool.query<{ count: number }>(
        'select count(*)::integer as count from kept_people where source = $1',
        [source],
      );
      return rows[0]?.count ?? 0;
    };
    const tidy = (source: string) => ledger.removeStaleKept({ service: 's', source, limit: 100 });

    test('people and link count together, and only once they are settled', async () => {
      await stage('one', 'r1', { a: '{"a":1}', b: '{"b":1}', c: '{"c":1}' });
      assert.deepEqual(await kept('one'), [undefined, {}]);
      await settle('one', 'r1');
      await settle('one', 'r1');
      const first: Awaited<ReturnType<typeof kept>> = ['link-r1', { a: '{"a":1}', b: '{"b":1}', c: '{"c":1}' }];
      assert.deepEqual(await kept('one'), first);
      // A process that ends here leaves what was there.
      await stage('one', 'r2', { a: '{"a":2}', b: null, d: '{"d":2}' });
      assert.deepEqual(await kept('one'), first);
      await settle('one', 'r2', 'r1');
      await settle('one', 'r2', 'r1');
      assert.deepEqual(await kept('one'), ['link-r2', { a: '{"a":2}', c: '{"c":1}', d: '{"d":2}' }]);
      assert.equal((await ledger.findKeptRead({ service: 's', source: 'one' }))?.runId, 'run-r2');
      await tidy('one');
      assert.equal(await rows('one'), 3);
      await stage('one', 'r3', { z: '{}' });
      await settle('one', 'r3');
      assert.deepEqual(await kept('one'), ['link-r3', { z: '{}' }]);
      assert.equal(await tidy('one'), 3);
      assert.equal(await rows('one'), 1);
    });

    test('changes of a read that is no longer the last one do not count', async () => {
      await stage('two', 'r1', { a: '{}' });
      await settle('two', 'r1');
      await stage('two', 'r2', { a: null });
      await stage('two', 'r3', { b: '{}' });
      await settle('two', 'r3');
      await settle('two', 'r2', 'r1');
      assert.deepEqual(await kept('two'), ['link-r3', { b: '{}' }]);
    });

    test('somebody who is erased is known by their id only; allowing anybody again forgets every read', async () => {
      await stage('three', 'r1', { ann: '{"mail":"ANN@example.com"}', bo: '{"manager":"ann@example.com"}' });
      await settle('three', 'r1');
      await ledger.erasePerson({ key: 'ann@example.com', instead: 'forgotten-1' });
      assert.deepEqual((await kept('three'))[1], { ann: '', bo: '{"manager":"forgotten-1"}' });
      await ledger.unblockPeople(['none']);
      assert.deepEqual(await kept('three'), [undefined, {}]);
      assert.equal(await rows('three'), 0);
    });

    test('what was read long ago is removed', async () => {
      await stage('four', 'r1', { a: '{}', b: '{}', c: '{}' });
      await settle('four', 'r1');
      await stage('five', 'r1', { a: '{}' });
      await settle('five', 'r1');
      await home.pool.query(`update kept_reads set read_at = read_at - interval '31 days' where source = 'four'`);
      assert.deepEqual(await ledger.removeOldKept(30 * 86_400_000, 2), { removed: 2, isDone: false });
      assert.deepEqual(await ledger.removeOldKept(30 * 86_400_000, 2), { removed: 1, isDone: true });
      assert.deepEqual(await kept('four'), [undefined, {}]);
      assert.deepEqual(await kept('five'), ['link-r1', { a: '{}' }]);
    });
  });
}
