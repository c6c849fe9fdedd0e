import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';

for (const { name, skip, open } of homes) {
  suite(`sessions of the pages, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('sessions');
    });
    after(async () => home.close());

    const someone = { hash: 'ab', name: 'mette@desk', scopes: ['read' as const, 'approve' as const] };
    const hour = 60 * 60_000;

    test('only one of many requests gets a link, and a link is no session', async () => {
      await ledger.addSession({ ...someone, id: 'link', isLink: true }, hour);
      assert.equal(await ledger.findSession('link'), undefined);
      const taken = await Promise.all(Array.from({ length: 5 }, () => ledger.takeLink('link')));
      const got = taken.filter((each) => each !== undefined);
      assert.deepEqual(
        got.map(({ name, scopes }) => ({ name, scopes })),
        [{ name: 'mette@desk', scopes: ['read', 'approve'] }],
      );
    });

    test('a session is found until it is ended or over, and the next one removes it then', async () => {
      await ledger.addSession({ ...someone, id: 'one', isLink: false }, hour);
      await ledger.addSession({ ...someone, id: 'two', isLink: false }, hour);
      assert.equal((await ledger.findSession('one'))?.name, 'mette@desk');
      assert.equal(await ledger.takeLink('one'), undefined);
      await ledger.endSession('one');
      assert.equal(await ledger.findSession('one'), undefined);
      await home.pool.query(`update sessions set expires_at = clock_timestamp() - interval '1 second'`);
      assert.equal(await ledger.findSession('two'), undefined);
      await ledger.addSession({ ...someone, id: 'three', isLink: false }, hour);
      const { rows } = await home.pool.query<{ id: string }>('select id from sessions');
      assert.deepEqual(rows, [{ id: 'three' }]);
    });
  });
}
