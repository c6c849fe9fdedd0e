import assert from 'node:assert/strict';
import { suite, test, before, after } from 'node:test';
import { forgottenDigest } from '../../src/core/person/forgotten.ts';
import type { NewEvent } from '../../src/ledger/events/events.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';

function event(source: string, key: string, more: Partial<NewEvent> = {}): NewEvent {
  return { source, key, kind: 'employee.updated', employees: null, people: null, body: '{}', ...more };
}

for (const { name, skip, open } of homes) {
  suite(`events in a ledger ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());
    const of = async (source: string) => (await ledger.waitingSources([source, 'nobody']))[0];

    test('of many at once each is written once, and only its first sender is told that it is new', async () => {
      const keys = Array.from({ length: 300 }, (_, at) => `id:${at % 150}`);
      const isNew = await Promise.all(keys.map((key) => ledger.addEvent(event('many', key))));
      assert.equal(isNew.filter(Boolean).length, 150);
      const { rows } = await home.pool.query(`select 1 from events where source = 'many' and state = 'waiting'`);
      assert.equal(rows.length, 150);
      assert.equal(await ledger.addEvent(event('another', 'id:1')), true, 'another source has ids of its own');
      assert.equal(await ledger.addEvent(event('many', 'id:1')), false);
    });

    test('odd texts are no trouble', async () => {
      const odd = event('odd', 'id:\0x', { kind: '\ud800', body: 'a\0b', people: [{ 'na\0me': 'Zo\udfff' }] });
      assert.equal(await ledger.addEvent(odd), true);
      assert.equal(await ledger.addEvent(odd), false);
      const [taken] = await ledger.takeEvents({ source: 'odd', withPeople: true, limit: 5 });
      assert.equal(taken?.people?.length, 1);
    });

    test('those that are taken wait until they are handled, whoever died in between', async () => {
      await ledger.addEvent(event('work', 'body:abc', { employees: ['7'] }));
      await ledger.addEvent(event('work', 'id:2', { people: [{ id: 8 }] }));
      await ledger.addEvent(event('work', 'words:c', { people: [{ id: 9 }] }));
      const [first] = await ledger.takeEvents({ source: 'work', withPeople: false, limit: 5 });
      assert.deepEqual(first?.employees, ['7']);
      assert.equal(await ledger.addEvent(event('work', 'body:abc')), true, 'its words may be news by now');
      assert.equal(await ledger.addEvent(event('work', 'id:2')), false, 'an id stays an id');
      const again = await ledger.takeEvents({ source: 'work', withPeople: false, limit: 5 });
      assert.equal(again.length, 2);
      assert.deepEqual(again[0], first);
      await ledger.eventsHandled({ source: 'work', ids: again.map(({ id }) => id), runId: null });
      assert.deepEqual(await ledger.takeEvents({ source: 'work', withPeople: false, limit: 5 }), []);
      const carrying = await ledger.takeEvents({ source: 'work', withPeople: true, limit: 5 });
      assert.deepEqual(
        carrying.map(({ people }) => people),
        [[{ id: 8 }], [{ id: 9 }]],
      );
      assert.equal(await ledger.addEvent(event('work', 'words:c')), false, 'words about people stay known');
      await ledger.eventsWithoutPeople(carrying.map(({ id }) => id));
      assert.equal(await ledger.addEvent(event('work', 'id:2')), false);
      assert.equal(await ledger.addEvent(event('work', 'words:c')), true, 'but for those about nobody');
      const waiting = await of('work');
      assert.deepEqual([waiting?.withPeople, waiting?.withoutPeople], [false, true]);
      const left = await ledger.takeEvents({ source: 'work', withPeople: false, limit: 5 });
      await ledger.eventsHandled({ source: 'work', ids: left.map(({ id }) => id), runId: 'abc' });
      assert.equal(await of('work'), undefined);
    });

    test('one process handles the events of a source, and another once it has gone', async () => {
      const other = await home.ledger('two');
      const lead = (of: Ledger, forMs: number, alone = false) =>
        of.leadEvents({ name: 'events led', worker: of.worker, forMs, alone });
      assert.equal(await lead(ledger, 60_000), true);
      assert.equal(await lead(other, 60_000), false);
      assert.equal(await lead(ledger, 60_000), true);
      assert.equal(await lead(other, 60_000, true), true, 'who is alone asks nobody');
      await other.leaveEvents('two');
      assert.equal(await lead(ledger, 3_600_000), true);
      assert.equal(await lead(other, 1), true, 'the clock was set back: no lease ends that late');
    });

    test('what failed waits, longer each time, until it goes well', async () => {
      await ledger.addEvent(event('failing', 'id:1'));
      await ledger.leadEvents({ name: 'events failing', worker: 'one', forMs: 1000, alone: false });
      const fail = () => ledger.eventsFailed({ source: 'failing', reason: 'no', waitMs: 60_000 });
      assert.deepEqual([await fail(), await fail()], [1, 2]);
      const waiting = await of('failing');
      assert.equal(waiting?.failures, 2);
      assert.ok((waiting?.retryInMs ?? 0) > 50_000);
      const [taken] = await ledger.takeEvents({ source: 'failing', withPeople: false, limit: 1 });
      await ledger.addEvent(event('failing', 'id:2'));
      await ledger.eventsHandled({ source: 'failing', ids: [taken?.id ?? 0], runId: null });
      assert.deepEqual([(await of('failing'))?.failures, (await of('failing'))?.retryInMs], [0, 0]);
    });

    test('the latest of each source are listed, the newest first, with the run that they led to', async () => {
      for (const key of ['id:1', 'id:2', 'id:3', 'id:4']) await ledger.addEvent(event('latest', key));
      const taken = await ledger.takeEvents({ source: 'latest', withPeople: false, limit: 3 });
      const [first, second, third] = taken.map(({ id }) => id);
      await ledger.eventsHandled({ source: 'latest', ids: [first ?? 0, second ?? 0], runId: 'abc' });
      await ledger.eventsHandled({ source: 'latest', ids: [third ?? 0], runId: null });
      const latest = (await ledger.latestEvents(3)).filter(({ source }) => source === 'latest');
      assert.deepEqual(
        latest.map(({ isWaiting, runId }) => [isWaiting, runId]),
        [
          [true, null],
          [false, null],
          [false, 'abc'],
        ],
      );
      assert.ok(latest.every(({ receivedAt }) => receivedAt instanceof Date));
    });

    test('of somebody who was forgotten before it came keeps no body once it is handled', async () => {
      const digest = forgottenDigest(await ledger.forgetKey(), 'gone@example.com');
      await ledger.blockPeople([{ service: 'here', digest }]);
      await ledger.addEvent(
        event('gone', 'id:gone', {
          body: '{"mail":"Gone@Example.com"}',
          leavers: ['gone@example.com', 'else@example.com'],
        }),
      );
      await ledger.addEvent(event('gone', 'id:stays', { body: '{"mail":"stays@example.com"}' }));
      const taken = await ledger.takeEvents({ source: 'gone', withPeople: false, limit: 10 });
      await ledger.eventsHandled({ source: 'gone', ids: taken.map(({ id }) => id), runId: null });
      const { rows } = await home.pool.query("select body, leavers from events where source = 'gone' order by id");
      assert.deepEqual(rows, [
        { body: null, leavers: ['else@example.com'] },
        { body: '{"mail":"stays@example.com"}', leavers: null },
      ]);
    });

    test('counts add up over the day', async () => {
      const counts = [{ source: 'counted', result: 'wrong', count: 2 }];
      await ledger.countEvents(counts);
      await ledger.countEvents([...counts, { source: 'counted', result: 'stored', count: 1 }]);
      assert.deepEqual(
        (await ledger.eventCounts(1)).filter(({ source }) => source === 'counted'),
        [
          { source: 'counted', result: 'stored', count: 1 },
          { source: 'counted', result: 'wrong', count: 4 },
        ],
      );
    });
  });
}
