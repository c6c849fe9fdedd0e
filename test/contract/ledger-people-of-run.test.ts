import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { InputError } from '../../src/core/errors.ts';
import { readCause, writeCause } from '../../src/core/run/cause.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { CallRecord } from '../../src/ledger/moves/record.ts';
import { type Home, homes } from './homes.ts';
import { deliverAll, ending, person, releasePeople, success, unique } from './plans.ts';

/** A call that the service refused with these words. */
function rejected(id: number, call: number, status: number, reason: string): CallRecord {
  const response = { httpStatus: status, headers: {}, body: '', bodyCut: false };
  return { ...ending(id, call, 'failed'), answer: { kind: 'rejected', response, reason }, reason };
}

/** A call that broke off after it was written. */
function broken(id: number, call: number): CallRecord {
  const reason = 'no answer within 30 s';
  return { ...ending(id, call, 'unknown'), answer: { kind: 'may-have-happened', reason }, reason };
}

for (const { name, skip, open } of homes) {
  suite(`the people of a run, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    let of: { runId: string; service: string; source: string };
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
      const service = unique('service');
      const people = Array.from({ length: 30 }, (_, at) =>
        person(`p${String(at).padStart(2, '0')}`, 'All', at % 2 === 0 ? 'Even' : 'Odd'),
      );
      const runId = await releasePeople(ledger, { people, service });
      of = { runId, service, source: 'staff' };
      let nth = 0;
      await deliverAll(ledger, runId, (id, call) => {
        nth += 1;
        if (nth <= 4) return rejected(id, call, 422, 'telephone not valid');
        if (nth <= 6) return rejected(id, call, 422, 'name too long');
        if (nth <= 16) return rejected(id, call, 400, `address number ${nth} not valid`);
        if (nth <= 18) return broken(id, call);
        return success(id, call, ['All']);
      });
      await ledger.closeRun(runId);
    });
    after(() => home.close());

    test('a page begins after a place or after a person, and ends with the list', async () => {
      const keys = async (place: { from?: number; after?: string }): Promise<string[]> =>
        (await ledger.peopleOfRun(of, {}, { ...place, limit: 20 })).map(({ key }) => key);
      const all = [...(await keys({ from: 0 })), ...(await keys({ from: 20 }))];
      assert.equal(new Set(all).size, 30);
      assert.deepEqual(all, all.toSorted());
      assert.deepEqual(await keys({ after: all[19] ?? '' }), all.slice(20));
      assert.deepEqual(await keys({ after: all[4] ?? '', from: 10 }), all.slice(15));
      assert.deepEqual(await keys({ after: all[29] ?? '' }), []);
    });

    test('in the order of last names numbers count by their value, and neither case nor accents matter', async () => {
      const service = unique('service');
      const names = ['Ek 10', 'Ek 9', 'ångström', 'Ek 2000', 'Zorn', 'Aaby', 'Ek 100'];
      const people = names.map((lastname, at) => ({ ...person(`q${at}`, 'All'), lastname }));
      const runId = await releasePeople(ledger, { people, service });
      const inOrder = async (from: number): Promise<string[]> => {
        const found = await ledger.peopleOfRun({ ...of, runId, service }, {}, { from, limit: 5, by: 'name' });
        return found.map(({ now }) => now.lastname);
      };
      assert.deepEqual(
        [...(await inOrder(0)), ...(await inOrder(5))],
        ['Aaby', 'ångström', 'Ek 9', 'Ek 10', 'Ek 100', 'Ek 2000', 'Zorn'],
      );
      const sorted = async (by: 'name' | 'address' | 'line', isDown: boolean): Promise<string> => {
        const found = await ledger.peopleOfRun({ ...of, runId, service }, {}, { from: 0, limit: 3, by, isDown });
        return found.map(({ now }) => now.lastname).join(', ');
      };
      assert.equal(await sorted('name', true), 'Zorn, Ek 2000, Ek 100');
      assert.equal(await sorted('address', false), 'Ek 10, Ek 9, ångström');
      assert.equal(await sorted('address', true), 'Ek 100, Aaby, Zorn');
      assert.equal(await sorted('line', true), 'Ek 100, Aaby, Zorn');
      const counted = (most: number) => ledger.countPeopleOfRun({ ...of, runId, service }, { text: 'ek' }, most);
      assert.deepEqual([await counted(10), await counted(2)], [4, 2]);
    });

    test('people are found by outcome, cause, group and text; the newest to end come first where asked', async () => {
      const place = { from: 0, limit: 50 };
      const found = async (filter: Parameters<Ledger['peopleOfRun']>[1]): Promise<number> =>
        (await ledger.peopleOfRun(of, filter, place)).length;
      assert.equal(await found({ outcomes: ['failed'] }), 16);
      assert.equal(await found({ isOpen: true }), 0);
      assert.equal(await found({ group: 'Even' }), 15);
      assert.equal(await found({ group: 'Even', text: 'P0' }), 5);
      assert.equal(await found({ text: '%' }), 0, 'what is searched for is no pattern');
      const cause = readCause('unknown.may-have-happened.-.-');
      assert.equal(await found({ ...(cause && { cause }) }), 2);
      const latest = await ledger.peopleOfRun(of, {}, { latest: true, limit: 3 });
      const ends = latest.map(({ endedAt }) => endedAt?.getTime() ?? 0);
      assert.deepEqual(
        ends,
        ends.toSorted((a, b) => b - a),
      );
      assert.deepEqual(latest[0]?.answer, { inserts: 1, warnings: 0, refused: [] });
    });

    test('failures of few texts are a cause each; where every text is another, kind and status are the cause', async () => {
      const failures = await ledger.failuresOf(of.runId);
      assert.deepEqual(
        failures.map(({ outcome, kind, status, people }) => [outcome, kind, status, people]),
        [
          ['failed', 'rejected', 400, 10],
          ['failed', 'rejected', 422, 4],
          ['failed', 'rejected', 422, 2],
          ['unknown', 'may-have-happened', null, 2],
        ],
      );
      assert.equal(failures[0]?.said, null);
      assert.deepEqual(
        failures.slice(1, 3).map(({ reason }) => reason),
        ['telephone not valid', 'name too long'],
      );
      assert.deepEqual(failures[0]?.groups[0], { group: 'All', people: 10 });
      for (const failure of failures) {
        const cause = readCause(writeCause(failure));
        const listed = await ledger.peopleOfRun(of, { ...(cause && { cause }) }, { from: 0, limit: 50 });
        assert.equal(listed.length, failure.people, writeCause(failure));
      }
    });

    test('over time every delivery that ended is in one slice', async () => {
      const { sliceMs, slices } = await ledger.timelineOf(of.runId, 10);
      assert.ok(slices.length <= 10 && sliceMs >= 1000);
      const sum = (outcome: 'succeeded' | 'failed' | 'unknown'): number =>
        slices.reduce((total, slice) => total + (slice.outcome[outcome] ?? 0), 0);
      assert.deepEqual([sum('succeeded'), sum('failed'), sum('unknown')], [12, 16, 2]);
      assert.deepEqual(await ledger.timelineOf('nothing', 10), { sliceMs: 1000, slices: [] });
    });

    test('who watches hears about a run that has just ended, and of its last delivery', async () => {
      const watched = (await ledger.watchRuns(60_000)).find(({ run }) => run === of.runId);
      assert.equal(watched?.status, 'finished-with-failures');
      assert.ok(watched.lastEndedAt instanceof Date);
      const later = await ledger.watchRuns(0);
      assert.equal(
        later.find(({ run }) => run === of.runId),
        undefined,
      );
    });

    test('only the failures of a cause and a group are retried; where none is left, nothing changes', async () => {
      const [, telephone] = await ledger.failuresOf(of.runId);
      assert.ok(telephone);
      const only = { cause: telephone, group: 'Even' };
      await assert.rejects(ledger.continueRun(of.runId, { move: 'retry', only: { group: 'Nobody' } }), InputError);
      assert.equal((await ledger.findRuns(of.runId))[0]?.status, 'finished-with-failures');
      assert.equal(await ledger.continueRun(of.runId, { move: 'retry', only }), 0);
      const open = await ledger.peopleOfRun(of, { isOpen: true }, { from: 0, limit: 50 });
      assert.ok(open.length > 0 && open.length < 4, String(open.length));
      assert.ok(open.every(({ now }) => now.groups.includes('Even')));
      assert.equal(
        (await ledger.failuresOf(of.runId)).reduce((sum, { people }) => sum + people, 0),
        18 - open.length,
      );
    });
  });
}
