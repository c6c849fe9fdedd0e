import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readPerson } from '../../jobs/upkeep/person.ts';
import type { Answer } from '../../src/core/call/answer.ts';
import { countUndelivered } from '../../src/core/call/outcome.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { buildReport } from '../../src/report/run/build-report.ts';
import { reportRows } from '../../src/report/run/read-report.ts';
import { renderPerson } from '../../src/report/terminal/render-person.ts';
import { plain } from '../report/examples.ts';
import { type Home, homes } from './homes.ts';
import { accepted, claimAndBegin, deliverAll, ending, person, releasePeople, success, unique } from './plans.ts';

for (const { name, skip, open } of homes) {
  suite(`reports from the ledger, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    const warned: Answer = {
      ...accepted([]),
      kind: 'accepted',
      results: [
        { group: 'A', status: 'success', inserts: 1, warnings: 2 },
        { group: 'B', status: 'pending', inserts: 0, warnings: 0 },
      ],
      hash: '0'.repeat(32),
      responseTime: 0.1,
      response: { httpStatus: 200, headers: {}, body: '{}', bodyCut: false },
    };

    test('what was noticed is told by kind, with when any run of the service first saw it', async () => {
      const service = unique('service');
      const people = [person('ann', 'A', 'B'), person('bob', 'A', 'B'), person('eve', 'A', 'B')];
      const older = await releasePeople(ledger, { people: people.slice(0, 1), service, source: 'older' });
      await deliverAll(ledger, older, (id, call) => ({ ...success(id, call), answer: warned }));
      await home.pool.query(`update receipts set answered_at = '2026-01-02T03:04:05Z' where run_id = '${older}'`);
      const runId = await releasePeople(ledger, { people, service });
      let nth = 0;
      await deliverAll(ledger, runId, (id, call) =>
        nth++ < 2 ? { ...success(id, call), answer: warned } : ending(id, call, 'failed'),
      );
      const elsewhere = await releasePeople(ledger, { people, service: unique('service') });
      await deliverAll(ledger, elsewhere, (id, call) => ({ ...success(id, call), answer: warned }));

      const noticed = await ledger.noticedKinds(runId);
      const first = '2026-01-02T03:04:05.000Z';
      assert.deepEqual(
        noticed.slice(0, 2).map(({ firstSeenAt, ...rest }) => ({ ...rest, at: firstSeenAt.toISOString() })),
        [
          { kind: '2 warnings', count: 2, at: first },
          { kind: 'group status pending', count: 2, at: first },
        ],
      );
      assert.deepEqual([noticed[2]?.kind, noticed[2]?.count], ['rejected 400', 1]);
      assert.ok(noticed[2] && noticed[2].firstSeenAt.getTime() > Date.now() - 60_000);
    });

    test('the rows of a report are everybody, or the people to look at', async () => {
      const people = Array.from({ length: 7 }, (_, at) => person(`p${at}`, 'A', 'B'));
      const runId = await releasePeople(ledger, { people, service: unique('service') });
      let nth = 0;
      await deliverAll(ledger, runId, (id, call) => {
        nth += 1;
        if (nth === 2) return ending(id, call, 'failed');
        if (nth === 4) return { ...success(id, call), answer: warned };
        return { ...success(id, call, ['A', 'B']), repeated: nth === 6 };
      });
      const run = { id: runId, status: 'finished' } as const;
      const emails = async (notable: boolean): Promise<string[]> => {
        const rows: string[] = [];
        for await (const { email, group, action, repeated } of reportRows({ ledger }, run, { notable })) {
          rows.push(`${email} ${group} ${action}${repeated ? ' repeated' : ''}`);
        }
        return rows;
      };
      assert.equal((await emails(false)).length, 14);
      assert.deepEqual(await emails(true), [
        'p1@example.com A new',
        'p1@example.com B new',
        'p3@example.com A new',
        'p3@example.com B new',
        'p5@example.com A new repeated',
        'p5@example.com B new repeated',
      ]);
    });

    test('whom a run did not send before it ended is cancelled in every view, and the counts add up to its people', async () => {
      const people = ['a', 'b', 'c', 'd'].map((letter) => person(unique(letter), 'A'));
      const runId = await releasePeople(ledger, { people, service: unique('service') });
      const fed = await ledger.findDue(runId, { limit: 2 });
      for (const end of [success, (id: number, call: number) => ending(id, call, 'failed')]) {
        const { id, call } = await claimAndBegin(ledger, fed.shift());
        await ledger.record(end(id, call));
      }
      const views = async () => {
        const [run] = await ledger.findRuns(runId);
        assert.ok(run);
        const told = { mode: 'embedded' as const, dryRun: false, rejects: [] };
        const { outcome, pending } = buildReport(run, await ledger.totalsOf(runId), told);
        const undelivered = countUndelivered(outcome);
        assert.equal(outcome.succeeded + undelivered + outcome.superseded + pending, people.length);
        const rows = [];
        for await (const row of reportRows({ ledger }, run)) rows.push(row.outcome);
        const last = await readPerson({ ledger }, people[3]?.email ?? '');
        return { undelivered, rows, said: /new: (.*)/.exec(renderPerson(last, plain))?.[1] };
      };
      await ledger.moveRun(runId, 'halt');
      assert.deepEqual(await views(), {
        ...{ undelivered: 1, rows: ['succeeded', 'failed', null, null], said: 'not sent yet' },
      });
      await ledger.moveRun(runId, 'cancel');
      assert.deepEqual(await views(), {
        ...{ undelivered: 3, rows: ['succeeded', 'failed', 'cancelled', 'cancelled'], said: 'cancelled' },
      });
    });
  });
}
