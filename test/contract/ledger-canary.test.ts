import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { leastForCanary, reasonToStop } from '../../src/core/run/canary.ts';
import type { Trip } from '../../src/core/guards/trip.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { CallRecord } from '../../src/ledger/moves/record.ts';
import { type Home, homes } from './homes.ts';
import { accepted, claimAndBegin, deliverAll, ending, person, planPeople, success, unique } from './plans.ts';

const groups = ['A', 'B', 'C'];
const crowd = Array.from({ length: 103 }, (_, at) => person(`p${at}`, groups[at % 3] ?? 'A'));

for (const { name, skip, open } of homes) {
  suite(`canary releases in the ledger, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    async function release(people = crowd, trips: Trip[] = [], service = unique('service')): Promise<string> {
      const { runId } = await planPeople(ledger, { people, service });
      await ledger.releaseRun(runId, false, trips, { canary: true });
      return runId;
    }
    /** Delivers all that is due in open stages, the first one so; returns how many. */
    async function deliverOpen(runId: string, first = success): Promise<number> {
      const fed = await ledger.findDue(runId, { limit: 1000 });
      for (const [at, each] of fed.entries()) {
        const { id, call } = await claimAndBegin(ledger, each);
        await ledger.record(at === 0 ? first(id, call) : success(id, call));
      }
      return fed.length;
    }

    test('begins with one person of each list of groups, then a tenth, then all; each opens after the one before', async () => {
      const runId = await release();
      assert.deepEqual(await ledger.stagesDone([runId]), []);
      const stages: number[] = [];
      for (const stage of [0, 1, 2]) {
        stages.push(await deliverOpen(runId));
        assert.deepEqual(await ledger.stagesDone([runId]), stage === 2 ? [] : [{ id: runId, stage }]);
        assert.equal(await ledger.isDelivered(runId), stage === 2);
        await ledger.openStage(runId, stage + 1);
        await ledger.openStage(runId, stage + 1);
        assert.deepEqual(await ledger.stagesDone([runId]), [], 'nothing of the next stage is sent yet');
      }
      assert.deepEqual(stages, [3, 10, 90]);
      const { rows } = await home.pool.query('select stage from runs where id = $1', [runId]);
      assert.deepEqual(rows, [{ stage: 2 }], 'there is no stage after the last');
    });

    test('a small run is sent at once, and so is one of which guards leave little', async () => {
      assert.equal(await deliverOpen(await release(crowd.slice(0, leastForCanary - 1))), leastForCanary - 1);
      assert.equal(await deliverOpen(await release(crowd.slice(0, leastForCanary))), 3);
      const held: Trip = { guard: 'group', scope: { groups: ['A', 'B'] }, message: '' };
      assert.equal(await deliverOpen(await release(crowd, [held])), 34);
    });

    test('begins with ten people at most, however many lists of groups there are: those of the first lines', async () => {
      const people = Array.from({ length: 60 }, (_, at) => person(`p${at}`, `G${at % 11}`));
      const runId = await release(people);
      const { rows } = await home.pool.query<{ key: string; stage: number }>(
        'select person_key as key, stage from deliveries where run_id = $1 order by id',
        [runId],
      );
      assert.deepEqual(
        rows.map(({ stage }) => stage),
        people.map((_, at) => (at < 10 ? 0 : at < 15 ? 1 : 2)),
      );
    });

    test('how somebody ends who is tried again says nothing about a stage', async () => {
      const service = unique('service');
      const [tried = person('nobody')] = crowd;
      const failed = await release([tried], [], service);
      await deliverAll(ledger, failed, (id, call) => ending(id, call, 'failed'));
      const held: Trip = { guard: 'withheld', scope: { people: [tried.email] }, message: '' };
      const runId = await release(crowd, [held], service);
      await ledger.approveHeld(runId, { by: 'eve', note: '', hash: '', scope: {} });
      for (const fed of await ledger.findDue(runId, { limit: 10 })) {
        const claimed = await ledger.claim(fed);
        const call = (await ledger.begin(fed.id)) ?? 0;
        const isTried = claimed?.member.email === tried.email;
        await ledger.record(isTried ? ending(fed.id, call, 'failed') : success(fed.id, call));
      }
      assert.deepEqual(await ledger.countOutcomes(runId), { succeeded: 3, failed: 1 });
      assert.deepEqual(await ledger.stageAnswers(runId), { unseen: [], ended: 3, failed: 0 });
    });

    test('what is held stays out of the stages', async () => {
      const held: Trip = { guard: 'group', scope: { groups: ['C'] }, message: '' };
      const runId = await release(crowd, [held]);
      assert.deepEqual([await deliverOpen(runId), await ledger.countHeld(runId)], [2, 34]);
      const { rows } = await home.pool.query(
        `select distinct stage from deliveries where run_id = $1 and state = 'held'`,
        [runId],
      );
      assert.deepEqual(rows, [{ stage: 0 }]);
    });

    test('what is approved of a large hold is sent with care too', async () => {
      const { runId } = await planPeople(ledger, { people: crowd, service: unique('service') });
      await ledger.releaseRun(runId, false, [{ guard: 'shrink', scope: 'all', message: '' }], { canary: true });
      const approval = { by: 'eve', note: '', hash: '', scope: { exceptGroups: ['C'] } };
      assert.deepEqual(await ledger.approveHeld(runId, approval, { canary: true }), {
        ...{ released: 69, superseded: 0, stillHeld: 34 },
      });
      const stages: number[] = [];
      for (const stage of [1, 2, 3]) {
        stages.push(await deliverOpen(runId));
        await ledger.openStage(runId, stage);
      }
      assert.deepEqual([stages, await ledger.isDelivered(runId)], [[2, 7, 60], true]);
      const { runId: other } = await planPeople(ledger, { people: crowd, service: unique('service') });
      await ledger.releaseRun(other, false, [{ guard: 'shrink', scope: 'all', message: '' }]);
      await ledger.approveHeld(other, { ...approval, scope: {} });
      assert.equal((await ledger.findDue(other, { limit: 1000 })).length, 103, 'without care all of it at once');
    });

    test('what is approved while the rest is sent in stages waits for the last one; beside few it has stages of its own', async () => {
      const approve = { by: 'eve', note: '', hash: '', scope: {} };
      const sent = async (groups: string[]): Promise<number[]> => {
        const runId = await release(crowd, [{ guard: 'group', scope: { groups }, message: '' }]);
        await ledger.approveHeld(runId, approve, { canary: true });
        const stages: number[] = [];
        for (const stage of [1, 2, 3]) {
          stages.push(await deliverOpen(runId));
          await ledger.openStage(runId, stage);
        }
        assert.equal(await ledger.isDelivered(runId), true);
        return stages;
      };
      assert.deepEqual(await sent(['C']), [2, 7, 60 + 34]);
      assert.deepEqual(await sent(['A', 'B']), [34 + 2, 7, 60]);
    });

    test('says what was not seen before of warnings, statuses and fields; going on takes it as seen and opens the next stage', async () => {
      const service = unique('service');
      const warned = (id: number, call: number) => {
        const answer = accepted(['A']);
        if (answer.kind !== 'accepted') throw new Error('never');
        const results = [1, 0].map((warnings) => ({ group: 'A', status: 'success', inserts: 0, warnings }));
        const body = JSON.stringify({ status: 'success', hash: '', response_time: 1, data: [], notice: 'soon' });
        return { ...success(id, call), answer: { ...answer, results, response: { ...answer.response, body } } };
      };
      const runId = await release(crowd, [], service);
      await deliverOpen(runId, warned);
      const answers = await ledger.stageAnswers(runId);
      assert.deepEqual([answers.ended, answers.failed], [3, 0]);
      assert.deepEqual(
        answers.unseen.map(({ kind, count }) => [kind, count]),
        [
          ['1 warning', 1],
          ['field notice', 1],
        ],
      );
      await ledger.moveRun(runId, 'pause', reasonToStop(answers));
      await ledger.continueRun(runId, { move: 'resume' });
      assert.deepEqual((await ledger.stageAnswers(runId)).unseen, []);
      assert.equal(await deliverOpen(runId), 10);
      await ledger.moveRun(runId, 'cancel');
      const next = await release(
        crowd.map((member) => ({ ...member, firstname: 'Other' })),
        [],
        service,
      );
      await deliverOpen(next, warned);
      assert.deepEqual((await ledger.stageAnswers(next)).unseen, []);
    });

    test('counts who was not delivered, and names the status', async () => {
      const runId = await release();
      await deliverOpen(runId, (id, call) => ending(id, call, 'failed'));
      const { ended, failed, unseen } = await ledger.stageAnswers(runId);
      assert.deepEqual([ended, failed, unseen], [3, 1, [{ kind: 'rejected 400', count: 1, example: 'HTTP 400' }]]);
    });

    test('counts who was refused, but not a refusal that halted the run and was dealt with', async () => {
      const refused = (id: number, call: number, end: CallRecord['end']) => {
        const response = { httpStatus: 403, headers: {}, body: '', bodyCut: false };
        const answer = { kind: 'refused', response, reason: 'HTTP 403', renewed: false } as const;
        return { ...ending(id, call, 'failed'), answer, end };
      };
      const runId = await release();
      await deliverOpen(runId, (id, call) => refused(id, call, { outcome: 'failed' }));
      const { unseen } = await ledger.stageAnswers(runId);
      assert.deepEqual(unseen, [{ kind: 'refused 403', count: 1, example: 'HTTP 403' }]);
      const halted = await release();
      await deliverOpen(halted, (id, call) => refused(id, call, { waitMs: 0 }));
      await deliverOpen(halted);
      assert.deepEqual((await ledger.stageAnswers(halted)).unseen, []);
    });

    test('what is answered after a pause for another reason is checked once the run goes on', async () => {
      const runId = await release();
      const calls: { id: number; call: number }[] = [];
      for (const fed of await ledger.findDue(runId, { limit: 10 })) calls.push(await claimAndBegin(ledger, fed));
      await ledger.moveRun(runId, 'pause', { by: 'interruption', reason: 'interrupted' });
      for (const { id, call } of calls) await ledger.record(ending(id, call, 'failed'));
      await ledger.continueRun(runId, { move: 'resume' });
      assert.deepEqual(await ledger.stagesDone([runId]), [{ id: runId, stage: 0 }]);
      assert.deepEqual((await ledger.findDue(runId, { limit: 10 })).length, 0);
      const { ended, failed, unseen } = await ledger.stageAnswers(runId);
      assert.deepEqual([calls.length, ended, failed, unseen.length], [3, 3, 3, 1]);
    });

    test('a run that a person paused in the middle of a stage continues with that stage', async () => {
      const runId = await release();
      await ledger.moveRun(runId, 'pause', { by: 'person', reason: '' });
      await ledger.continueRun(runId, { move: 'resume' });
      assert.equal(await deliverOpen(runId), 3);
    });
  });
}
