import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Answer } from '../../src/core/call/answer.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { CallRecord } from '../../src/ledger/moves/record.ts';
import { everyInsert } from '../../src/report/files/people-file.ts';
import { type Home, homes } from './homes.ts';
import { accepted, claimAndBegin, deliverAll, ending, person, releasePeople, success, unique } from './plans.ts';

/** An answer of the service with these results: group, status, inserts. */
function answering(...results: [group: string, status: string, inserts: number][]): Answer {
  const items = results.map(([group, status, inserts]) => ({ group, status, inserts, warnings: 0 }));
  return { ...accepted([]), results: items } as Answer;
}

const unanswered: Answer = { kind: 'may-have-happened', reason: 'no answer within 30 s' };

for (const { name, skip, open } of homes) {
  suite(`who was put into which group, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    async function listOf(runId: string): Promise<string[]> {
      const rows: string[] = [];
      for await (const { email, group, result, inserts } of everyInsert(ledger, runId)) {
        rows.push(`${email.split('@')[0]} ${group} ${result} ${inserts}`);
      }
      return rows;
    }

    test('only what the service confirmed is listed, and what nobody knows as unknown', async () => {
      const names = ['both', 'had', 'refused', 'odd', 'silent', 'failed', 'partly'];
      const people = names.map((each) => person(each, 'A', 'B'));
      const runId = await releasePeople(ledger, { people, service: unique('service') });
      const ends: Record<string, (id: number, call: number) => CallRecord> = {
        both: (id, call) => success(id, call, ['A', 'B']),
        had: (id, call) => ({ ...success(id, call), answer: answering(['A', 'success', 1], ['B', 'success', 0]) }),
        refused: (id, call) => ({ ...ending(id, call, 'partial'), answer: answering(['A', 'no', 0], ['B', 'no', 0]) }),
        odd: (id, call) => ({ ...ending(id, call, 'partial'), answer: answering(['A', 'no', 1], ['B', 'success', 2]) }),
        silent: (id, call) => ({ ...ending(id, call, 'unknown'), answer: unanswered, reason: 'no answer within 30 s' }),
        failed: (id, call) => ending(id, call, 'failed'),
        partly: (id, call) => ({
          ...ending(id, call, 'unknown'),
          answer: answering(['A', 'success', 1], ['C', 'success', 1]),
        }),
      };
      const of = new Map((await ledger.findDue(runId, { limit: 10 })).map(({ id }, at) => [id, names[at] ?? '']));
      await deliverAll(ledger, runId, (id, call) => (ends[of.get(id) ?? ''] ?? ending)(id, call, 'failed'));
      assert.deepEqual((await listOf(runId)).toSorted(), [
        'both A inserted 1',
        'both B inserted 1',
        'had A inserted 1',
        'odd A unknown 0',
        'odd B inserted 2',
        'partly A inserted 1',
        'partly B unknown 0',
        'partly C inserted 1',
        'silent A unknown 0',
        'silent B unknown 0',
      ]);
      const pages = await ledger.listInserts(runId, { after: 0, deliveries: 2 });
      assert.equal(new Set(pages.map(({ deliveryId }) => deliveryId)).size, 2);
    });

    test('all calls count: what a first call inserted is there, and what one without an answer may have done is unknown', async () => {
      const people = [person('again', 'A', 'B'), person('lost', 'A', 'B')];
      const runId = await releasePeople(ledger, { people, service: unique('service') });
      const fed = await ledger.findDue(runId, { limit: 10 });
      for (const [at, answer] of [answering(['A', 'success', 1], ['B', 'no', 0]), unanswered].entries()) {
        const { id, call } = await claimAndBegin(ledger, fed[at]);
        await ledger.record({ ...ending(id, call, 'failed'), answer, end: { waitMs: 0 }, repeated: at === 1 });
      }
      await deliverAll(ledger, runId, (id, call) => ({
        ...success(id, call),
        answer: answering(['A', 'success', 0], ['B', 'success', 1]),
      }));
      assert.deepEqual((await listOf(runId)).toSorted(), [
        'again A inserted 1',
        'again B inserted 1',
        'lost A unknown 0',
        'lost B inserted 1',
      ]);
    });

    test('people who were forgotten take no place on a page', async () => {
      const people = ['ann', 'bob', 'cid'].map((name) => person(unique(name), 'A'));
      const runId = await releasePeople(ledger, { people, service: unique('service') });
      await deliverAll(ledger, runId, (id, call) => success(id, call, ['A']));
      await ledger.erasePerson({ key: people[0]?.email ?? '', instead: unique('forgotten') });
      const page = await ledger.listInserts(runId, { after: 0, deliveries: 2 });
      assert.deepEqual(
        page.map(({ email }) => email),
        [people[1]?.email, people[2]?.email],
      );
    });

    test('a person without anything to list does not end the list', async () => {
      const people = Array.from({ length: 3 }, (_, at) => person(`p${at}`, 'A'));
      const runId = await releasePeople(ledger, { people, service: unique('service') });
      const fed = await ledger.findDue(runId, { limit: 10 });
      for (const each of fed) {
        const { id, call } = await claimAndBegin(ledger, each);
        await ledger.record({ ...ending(id, call, 'failed'), end: { waitMs: 0 } });
      }
      let nth = 0;
      await deliverAll(ledger, runId, (id, call) => ({
        ...success(id, call),
        answer: answering(['A', 'success', (nth += 1) === 3 ? 1 : 0]),
      }));
      const first = await ledger.listInserts(runId, { after: 0, deliveries: 1 });
      assert.deepEqual([first.length, first[0]?.group], [1, null]);
      assert.equal((await listOf(runId)).length, 1);
    });
  });
}
