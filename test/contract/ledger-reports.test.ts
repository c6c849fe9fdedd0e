import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Answer } from '../../src/core/answer.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { reportRows } from '../../src/report/read-report.ts';
import { type Home, homes } from './homes.ts';
import { accepted, deliverAll, ending, person, releasePeople, success, unique } from './plans.ts';

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

    test('the rows of a report are everybody, or those who deserve a look', async () => {
      const people = Array.from({ length: 7 }, (_, at) => person(`p${at}`, 'A', 'B'));
      const runId = await releasePeople(ledger, { people, service: unique('service') });
      let nth = 0;
      await deliverAll(ledger, runId, (id, call) => {
        nth += 1;
        if (nth === 2) return ending(id, call, 'failed');
        if (nth === 4) return { ...success(id, call), answer: warned };
        return { ...success(id, call, ['A', 'B']), repeated: nth === 6 };
      });
      const emails = async (notable: boolean): Promise<string[]> => {
        const rows: string[] = [];
        for await (const { email, group, action, repeated } of reportRows({ ledger }, runId, { notable })) {
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
  });
}
