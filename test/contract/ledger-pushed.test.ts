import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { PushedContent } from '../../src/ledger/pushed/pushed.ts';
import { listResources } from '../../src/server/scim/store.ts';
import { type Home, homes } from './homes.ts';

for (const { name, skip, open } of homes) {
  suite(`pushed users and groups, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    let events = 0;
    before(async () => {
      home = await open();
      ledger = await home.ledger('pushed');
    });
    after(async () => home.close());

    const source = 'entra';
    const content = (kind: 'User' | 'Group', id: string, more: Partial<PushedContent> = {}): PushedContent => ({
      ...{ source, kind, id, name: id, keys: [], members: [], event: `event ${(events += 1)}` },
      resource: kind === 'User' ? { userName: id } : { displayName: id },
      ...more,
    });
    const user = { source, kind: 'User' as const };
    const waiting = async (): Promise<number> => {
      const { rows } = await home.pool.query("select 1 from events where source = $1 and state = 'waiting'", [source]);
      return rows.length;
    };

    test('a change and its event are there together; asked again, there is one of each', async () => {
      const ann = content('User', 'ann', { resource: { userName: 'ann', title: 'a \u0000 "quoted" %_\\ Å' } });
      const added = await ledger.addPushed(ann);
      assert.deepEqual(added, await ledger.findPushed({ ...user, id: 'ann' }));
      assert.equal(added?.version, 1);
      assert.deepEqual(await ledger.addPushed(ann), added);
      assert.equal(await ledger.addPushed(content('User', 'other', { name: 'ann' })), undefined);
      assert.ok(await ledger.addPushed({ ...content('User', 'ann-elsewhere', { name: 'ann' }), source: 'okta' }));
      assert.equal(await waiting(), 1);
      assert.equal((await ledger.findPushed({ ...user, id: 'ann' }))?.resource['title'], 'a \uFFFD "quoted" %_\\ Å');
      assert.equal(await ledger.findPushed({ ...user, id: 'other' }), undefined);
    });

    test('a change counts only for the version that it was made of, and for a name that is free', async () => {
      await ledger.addPushed(content('User', 'bo'));
      const before = await waiting();
      const change = {
        ...content('User', 'bo', { resource: { userName: 'bo', title: 'x' } }),
        version: 1,
        isSame: false,
      };
      assert.equal(await ledger.changePushed({ ...change, name: 'ann' }), 'taken');
      assert.equal(await ledger.changePushed({ ...change, isSame: true }), 'same');
      assert.equal(await waiting(), before);
      assert.equal(await ledger.changePushed(change), 'changed');
      assert.equal(await ledger.changePushed(change), 'stale');
      assert.equal(await waiting(), before + 1);
      assert.equal((await ledger.findPushed({ ...user, id: 'bo' }))?.version, 2);
    });

    test('users are listed in their order, by name, by id, and by a text in them', async () => {
      const ids = async (query: object): Promise<string[]> =>
        (await ledger.listPushed({ ...user, offset: 0, limit: 10, ...query })).map(({ id }) => id);
      assert.deepEqual(await ids({}), ['ann', 'bo']);
      assert.deepEqual(await ids({ offset: 1, limit: 1 }), ['bo']);
      assert.deepEqual(await ids({ name: 'bo' }), ['bo']);
      assert.deepEqual(await ids({ id: 'ann' }), ['ann']);
      assert.deepEqual(await ids({ text: '"QUOTED" %_\\' }), ['ann']);
      // Letters of other alphabets are left to the caller.
      assert.deepEqual(await ids({ text: 'å' }), ['ann', 'bo']);
      assert.equal(await ledger.countPushed({ ...user, text: 'quoted' }), 1);
    });

    test('members are rows: added, removed, replaced; groups inside groups count for the users in them, also in a circle', async () => {
      const group = (id: string, ...members: PushedContent['members']): PushedContent =>
        content('Group', id, { members });
      await ledger.addPushed(group('inner', { what: 'add', ids: ['ann', 'ann', 'nobody'] }));
      await ledger.addPushed(group('outer', { what: 'set', ids: ['inner', 'bo'] }));
      const circle = { ...group('inner', { what: 'add', ids: ['outer'] }), version: 1, isSame: true };
      assert.equal(await ledger.changePushed(circle), 'changed');
      const users = await ledger.pushedUsers({ source, after: 0, limit: 10 });
      assert.deepEqual(
        users.map(({ groups }) => groups),
        [
          ['inner', 'outer'],
          ['inner', 'outer'],
        ],
      );
      const after = await ledger.pushedUsers({ source, after: users[0]?.number ?? 0, limit: 10 });
      assert.deepEqual(after, users.slice(1));
      const cleared = {
        ...group('inner', { what: 'remove', ids: ['nobody'] }, { what: 'clear', ids: [] }),
        version: 2,
        isSame: true,
      };
      assert.equal(await ledger.changePushed(cleared), 'changed');
      assert.deepEqual(await ledger.pushedMembers({ source, groups: ['inner', 'outer'] }), [
        { groupId: 'outer', memberId: 'bo', group: 'outer', member: 'bo', memberKind: 'User' },
        { groupId: 'outer', memberId: 'inner', group: 'outer', member: 'inner', memberKind: 'Group' },
      ]);
      assert.equal(await ledger.removePushed({ source, kind: 'Group', id: 'outer', event: 'gone' }), true);
      assert.equal(await ledger.removePushed({ source, kind: 'Group', id: 'outer', event: 'gone twice' }), false);
      assert.deepEqual(await ledger.pushedMembers({ source, users: ['bo'] }), []);
    });

    test('a list of groups has up to 100,000 members, and takes as many statements for many groups as for one', async () => {
      const of = { source: 'large', kind: 'Group' as const };
      for (const [at, size] of [60_000, 40_000, 1, 0].entries()) {
        const ids = Array.from({ length: size }, (_, nth) => `member-${nth}`);
        await ledger.addPushed({ ...content('Group', `large-${at}`, { members: [{ what: 'add', ids }] }), ...of });
      }
      let turns = 0;
      home.pool.on('acquire', () => (turns += 1));
      const request = { ...of, startIndex: 1, count: 1, base: '', projection: { except: [] } };
      const listed = async (startIndex: number, count: number) => {
        const { resources } = await listResources(ledger, { ...request, startIndex, count });
        return resources.map((group) => (group['members'] as unknown[] | undefined)?.length ?? 0);
      };
      assert.deepEqual(await listed(1, 1), [60_000]);
      const ofOne = turns;
      assert.deepEqual(await listed(1, 4), [60_000, 40_000]);
      assert.equal(turns, 2 * ofOne);
      assert.deepEqual(await listed(2, 4), [40_000, 1, 0]);
    });

    test('an erased person is gone from every source, and from the groups', async () => {
      const keys = ['cleo@example.com', 'c@example.com'];
      for (const each of [source, 'okta']) {
        await ledger.addPushed({ ...content('User', `cleo of ${each}`, { keys }), source: each });
      }
      await ledger.addPushed(content('Group', 'hers', { members: [{ what: 'add', ids: ['cleo of entra', 'ann'] }] }));
      await ledger.erasePerson({ key: 'c@example.com', instead: 'erased' });
      for (const each of [source, 'okta']) {
        assert.equal(await ledger.findPushed({ source: each, kind: 'User', id: `cleo of ${each}` }), undefined);
      }
      assert.deepEqual(
        (await ledger.pushedMembers({ source, groups: ['hers'] })).map(({ memberId }) => memberId),
        ['ann'],
      );
    });
  });
}
