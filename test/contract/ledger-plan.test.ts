import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';
import { deliverAll, ending, person, planPeople, releasePeople, unique } from './plans.ts';

const [ann, bob, cid] = [person('ann', 'A'), person('bob', 'A', 'B'), person('cid', 'C')];
const source = 'staff';

for (const { name, skip, open } of homes) {
  suite(`what a plan says, from the ledger, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    /** A service at which these three were given everything. */
    async function given(): Promise<string> {
      const service = unique('service');
      await deliverAll(ledger, await releasePeople(ledger, { people: [ann, bob, cid], service }));
      return service;
    }

    test('the addresses of people by their employee ids in any case, of this source only', async () => {
      const service = unique('service');
      await deliverAll(
        ledger,
        await releasePeople(ledger, { people: [ann, bob], service, ids: { ann: 'E-7', bob: 'e-8' } }),
      );
      const keysOf = (of: string) => ledger.keysOfIds({ service, source: of, ids: ['e-7', 'nobody'] });
      assert.deepEqual([await keysOf(source), await keysOf('other')], [[{ key: 'ann@example.com', id: 'e-7' }], []]);
    });

    test('how many have changed in what, and what that was of the first of them', async () => {
      const service = await given();
      const people = [
        { ...ann, lastname: 'Ek', groups: ['A', 'Z'] },
        { ...bob, telephone: '+45 1', groups: ['A'] },
        { ...cid, email: 'CID@example.com' },
        person('dan', 'A'),
      ];
      const { runId } = await planPeople(ledger, { people, service });
      const run = { runId, service, source };
      assert.deepEqual(await ledger.changesOf(run), {
        ...{ names: 1, addresses: 1, telephones: 1, groupsAdded: 1, groupsRemoved: 1, forceSync: 0 },
      });
      const [first, second, ...more] = await ledger.changedSamples(run, 2);
      assert.deepEqual(first?.before, { ...ann, forceSync: false });
      assert.deepEqual(first?.now, { ...people[0], forceSync: false });
      assert.deepEqual([second?.before.telephone, second?.now.telephone, more], [undefined, '+45 1', []]);
    });

    test('pages of what would be sent come in the order of the keys, without the unchanged unless all are sent', async () => {
      const service = await given();
      const { runId } = await planPeople(ledger, {
        people: [cid, person('eve', 'A'), person('dan', 'A'), ann],
        service,
        all: true,
      });
      const keys = async (all: boolean, after = '', limit = 10): Promise<string[]> =>
        (await ledger.pageToSend(runId, { all, after, limit })).map(({ key }) => key.slice(0, 3));
      assert.deepEqual(await keys(false), ['dan', 'eve']);
      assert.deepEqual(await keys(true), ['ann', 'cid', 'dan', 'eve']);
      assert.deepEqual([await keys(false, '', 1), await keys(false, 'dan@example.com')], [['dan'], ['eve']]);
    });

    test('deliveries come in the order of the first rows of the people', async () => {
      const { runId } = await planPeople(ledger, { people: [bob, ann, cid], service: unique('service') });
      for (const [name, lines] of Object.entries({ bob: '[3, 9]', ann: '[4, 5]', cid: '[2, 7]' }))
        await home.pool.query(
          `update members set lines = '${lines}' where run_id = '${runId}' and person_key like '${name}@%'`,
        );
      await ledger.releaseRun(runId, false);
      const { rows } = await home.pool.query<{ name: string }>(
        `select left(person_key, 3) as name from deliveries where run_id = '${runId}' order by id`,
      );
      assert.deepEqual(
        rows.map((row) => row.name),
        ['cid', 'bob', 'ann'],
      );
    });

    test('settings of the last released run, not of one that is held or planned', async () => {
      const service = unique('service');
      assert.equal(await ledger.lastSettings({ service, source }), undefined);
      const first = await releasePeople(ledger, { people: [ann], service, settings: { attempts: 2 } });
      await deliverAll(ledger, first);
      const held = await planPeople(ledger, { people: [bob], service, settings: { attempts: 3 } });
      await ledger.releaseRun(held.runId, false, [{ guard: 'time', scope: 'all', message: '' }]);
      await planPeople(ledger, { people: [cid], service, settings: { attempts: 4 } });
      const last = await ledger.lastSettings({ service, source });
      assert.deepEqual([last?.runId, last?.settings.attempts], [first, 2]);
    });

    test('R13: of released rosters the newest by its time and one of the same bytes; those of some people, of events, and held ones do not count', async () => {
      const service = unique('service');
      const roster = async (time: string, checksum: string, options: { partial?: boolean; held?: boolean } = {}) => {
        const { runId } = await planPeople(ledger, { people: [ann], service, partial: options.partial ?? false });
        const [run] = await ledger.findRuns(runId);
        if (!run?.roster) throw new Error('no roster');
        const form = { ...run.roster.form, file: `${checksum}.csv` };
        await ledger.describeRoster(runId, { ...run.roster, form, time, checksum });
        await ledger.releaseRun(runId, false, options.held ? [{ guard: 'new', scope: 'all', message: '' }] : []);
        await ledger.moveRun(runId, 'finish');
        return runId;
      };
      assert.deepEqual(await ledger.releasedRosters({ service, source, checksum: 'a' }), {});
      const [second, first] = ['2026-01-02T00:00:00.000Z', '2026-01-01T00:00:00.000Z'];
      const newest = await roster(second, 'b');
      const older = await roster(first, 'a');
      await roster('2026-01-03T00:00:00.000Z', 'c', { held: true });
      await roster('2026-01-04T00:00:00.000Z', 'd', { partial: true });
      const released = await ledger.releasedRosters({ service, source, checksum: 'a' });
      assert.deepEqual(
        Object.entries(released).map(([which, { form, ...roster }]) => [which, roster, form.file]),
        [
          ['newest', { runId: newest, time: second, checksum: 'b', saidTime: null }, 'b.csv'],
          ['same', { runId: older, time: first, checksum: 'a', saidTime: null }, 'a.csv'],
        ],
      );
      assert.equal((await ledger.releasedRosters({ service, source, checksum: 'd' })).same, undefined);
    });

    test('refresh: who was last given something longer ago is sent again and stays unchanged, the others are not', async () => {
      const service = await given();
      const plan = async (refreshMs: number) => {
        const { runId } = await planPeople(ledger, { people: [ann, bob, cid], service, partial: true });
        const planned = await ledger.planRun({
          ...{ runId, source, service, forceSync: false, invite: true, all: false, refreshMs },
        });
        return { runId, ...planned };
      };
      const young = await plan(3_600_000);
      assert.deepEqual([young.calls, young.counts.unchanged], [0, 3]);
      await ledger.discardRun(young.runId);
      const old = await plan(0);
      assert.deepEqual([old.calls, old.counts.unchanged, old.groups.length], [3, 3, 3]);
      assert.deepEqual(await ledger.releaseRun(old.runId, false), { due: 3, held: 0, closed: [] });
    });

    test('a baseline is given without a delivery or a receipt, counts as released, and closes an older hold', async () => {
      const service = unique('service');
      const held = await planPeople(ledger, { people: [ann], service });
      await ledger.releaseRun(held.runId, false, [{ guard: 'new', scope: 'all', message: '' }]);
      const { runId } = await planPeople(ledger, { people: [ann, bob], service });
      assert.equal(await ledger.recordBaseline(runId), 2);
      assert.equal(await ledger.recordBaseline(runId), 0);
      const [run] = await ledger.findRuns(runId);
      assert.deepEqual([run?.status, run?.baseline, run?.releasedAt instanceof Date], ['finished', true, true]);
      assert.deepEqual((await ledger.totalsOf(runId)).calls, 0);
      assert.equal((await ledger.findRuns(held.runId))[0]?.status, 'cancelled');
      const { plan } = await planPeople(ledger, { people: [ann, { ...bob, lastname: 'Oh' }, cid], service });
      assert.deepEqual([plan.counts.unchanged, plan.counts.changed, plan.counts.new], [1, 1, 1]);
    });

    test('a baseline records nobody who has not started, or has left: they are sent when their day comes', async () => {
      const service = unique('service');
      const [today, starts] = [20260102, { cid: 20260201 }];
      await deliverAll(ledger, await releasePeople(ledger, { people: [bob], service }));
      const departures = { isSnapshot: true, spared: [], policy: { group: 'Leavers', forceSync: true, after: 1 } };
      const { runId } = await planPeople(ledger, {
        ...{ people: [ann, cid], service, starts, departures },
        postpone: { today },
      });
      assert.equal(await ledger.recordBaseline(runId), 1);
      const { plan } = await planPeople(ledger, {
        ...{ people: [ann, cid], service, starts, departures },
        postpone: { today: starts.cid },
      });
      assert.deepEqual([plan.counts.unchanged, plan.counts.new, plan.departures?.sent], [1, 1, 1]);
    });

    test('who is refused again and again is among the problems once; afterwards they are only counted', async () => {
      const service = unique('service');
      const refused = async () => {
        const runId = await releasePeople(ledger, { people: [ann], service });
        await deliverAll(ledger, runId, (id, call) => ending(id, call, 'failed'));
        const { problems, refusedAgain, outcome } = await ledger.totalsOf(runId);
        return [problems.length, refusedAgain, outcome.failed];
      };
      assert.deepEqual(
        [await refused(), await refused(), await refused()],
        [
          [1, 0, 1],
          [0, 1, 1],
          [0, 1, 1],
        ],
      );
      await deliverAll(ledger, await releasePeople(ledger, { people: [ann], service }));
      await deliverAll(
        ledger,
        await releasePeople(ledger, { people: [{ ...ann, lastname: 'Ek' }], service }),
        (id, call) => ending(id, call, 'failed'),
      );
      assert.deepEqual(await refused(), [0, 1, 1]);
    });
  });
}
