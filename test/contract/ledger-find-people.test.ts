import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';
import { deliverAll, ending, person, releasePeople, unique } from './plans.ts';

for (const { name, skip, open } of homes) {
  suite(`people found by a part of their name, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    test('every word is somewhere in the name or address; also of somebody for whom no call has succeeded', async () => {
      const people = [
        { ...person('ann', 'A'), firstname: 'Ånn', lastname: 'Lindqvist' },
        { ...person('bo', 'A', 'B'), firstname: 'Bo', lastname: 'Lind_Ek' },
      ];
      const runId = await releasePeople(ledger, { people, service: unique('service') });
      await deliverAll(ledger, runId, (id, call) => ending(id, call, 'failed'));
      const found = async (text: string) => (await ledger.findPeople(text, 10)).map(({ firstname }) => firstname);
      assert.deepEqual((await found('lind')).toSorted(), ['Bo', 'Ånn']);
      assert.deepEqual(await found('QVIST ånn'), ['Ånn']);
      assert.deepEqual(await found('d_e'), ['Bo']);
      assert.deepEqual(await found('lindqvist bo'), []);
      const [bo] = await ledger.findPeople('lind_ek', 10);
      assert.deepEqual([bo?.groups, bo?.lastOutcome], [[], 'failed']);
    });

    test('of more people than are read at once everybody is found, and at most as many as asked for', async () => {
      await home.pool.query(`
        insert into people (service, source, person_key, firstname, lastname, email, groups, last_outcome, last_run)
        select 'zz', 'many', 'p' || lpad(nth::text, 6, '0') || '@example.com', 'Many', 'Ek ' || nth, null, '[]', 'succeeded', ''
        from generate_series(1, 45000) nth`);
      const [last, ...others] = await ledger.findPeople('many 45000', 10);
      assert.deepEqual([last?.email, others.length], ['p045000@example.com', 0]);
      assert.equal((await ledger.findPeople('example.com many', 7)).length, 7);
    });
  });
}
