import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { searchTextsFrom } from '../../src/ledger/people/search-texts.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { PeopleFilter } from '../../src/ledger/people/people-of-run.ts';
import { type Home, homes } from './homes.ts';
import { person, planPeople, unique } from './plans.ts';

for (const { name, skip, open } of homes) {
  suite(`searching the people of a large run, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    let of: { runId: string; service: string; source: string };
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
      of = { runId: '', service: unique('service'), source: 'staff' };
      const people = Array.from({ length: searchTextsFrom + 250 }, (_, at) =>
        person(`p${String(at).padStart(4, '0')}`, 'All', at % 2 === 0 ? 'Even' : 'Odd'),
      );
      people.push(
        { ...person('anna', 'All'), firstname: 'Anna\nMaria', lastname: 'von 100%_Ek' },
        { ...person('joanna', 'All'), firstname: 'Joanna', lastname: 'Lindqvist', email: 'Joanna@Example.com' },
      );
      of.runId = (await planPeople(ledger, { people, service: of.service })).runId;
    });
    after(() => home.close());

    const found = async (filter: PeopleFilter, from = 0): Promise<string[]> =>
      (await ledger.peopleOfRun(of, filter, { from, limit: 50 })).map(({ key }) => key);
    const texts = async (): Promise<string[]> => {
      const { rows } = await home.pool.query<{ text: string }>('select text from search_texts where run_id = $1', [
        of.runId,
      ]);
      return rows.map(({ text }) => text);
    };

    test('finds the same people as reading each of them, page by page and with other filters', async () => {
      const asked: PeopleFilter[] = [
        ...[
          'P01',
          'p0 TEST',
          'est p1249@',
          'anna',
          'VON 100%_',
          '%',
          '_',
          '\\',
          'LINDQVIST joanna@EXAMPLE',
          'maria von',
          'nobody',
        ].map((text) => ({ text })),
        { text: 'test', group: 'Odd' },
        { text: '@example.com', actions: ['changed'] },
      ];
      const search = () => Promise.all(asked.flatMap((filter) => [found(filter), found(filter, 75)]));
      assert.deepEqual(await texts(), []);
      const oneByOne = await search();
      await ledger.releaseRun(of.runId, false);
      assert.equal((await texts()).length, Math.ceil((searchTextsFrom + 252) / 100));
      assert.deepEqual(await search(), oneByOne);
      assert.deepEqual(await found({ text: 'anna' }), ['anna@example.com', 'joanna@example.com']);
      assert.deepEqual(await found({ text: 'maria von' }), ['anna@example.com']);
      assert.deepEqual(await found({ text: '%' }), ['anna@example.com']);
      assert.equal((await found({ text: 'test' }, searchTextsFrom + 230)).length, 20);
      const after = await ledger.peopleOfRun(of, { text: 'test' }, { after: 'p1239@example.com', limit: 50 });
      assert.equal(after.length, 10);
    });

    test('who is erased is in no text; the others of the same text are still found', async () => {
      await ledger.erasePerson({ key: 'anna@example.com', instead: unique('forgotten') });
      for (const text of await texts()) assert.doesNotMatch(text, /^anna|maria|100%/m);
      assert.deepEqual(await found({ text: 'anna' }), ['joanna@example.com']);
      assert.equal((await found({ text: 'p000' })).length, 10);
    });
  });
}
