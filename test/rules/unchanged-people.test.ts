import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import { planRoster } from '../../jobs/run/plan-roster.ts';
import { mappingOf } from '../../src/roster/configured-source.ts';
import { openRoster } from '../../src/roster/open-roster.ts';
import { deliverAll, releasePeople, settings, unique } from '../contract/plans.ts';
import { type Employee, employee, employees, exportOf, type Office, openOffice } from './company.ts';

const staff = employees(1600).filter(({ status }) => status !== 'Terminated');

/** The first night: everybody was given everything elsewhere. */
const first = { trigger: 'import', baseline: true } as const;

suite('people who are as they were given are only listed, until more shows of them', () => {
  let office: Office;
  before(async () => {
    office = await openOffice();
  });
  after(() => office.close());

  test('their further rows are merged with the first, or make rejects of both, as on the first night', async () => {
    const { night } = office.newService();
    // More than one batch: the ledger has stored the first rows of people when the further ones come.
    const staff = employees(6400).filter(({ status }) => status !== 'Terminated');
    await night(exportOf(staff), first);
    const [one, two, three] = [employee(1), employee(2), employee(3)];
    const further = [
      { ...one, department: 'Space' },
      two,
      { ...three, id: 9999, first: 'Somebody', last: 'Else' },
      employee(40_000),
    ];
    const { planned, sent } = await night(exportOf([...staff, ...further]));
    const { counts } = planned.plan;
    assert.deepEqual(
      { ...planned.facts.counts, changed: counts.changed, new: counts.new, unchanged: counts.unchanged, sent },
      {
        ...{ rows: staff.length + 4, members: staff.length, merged: 2, filtered: 0, rejects: 2 },
        ...{ changed: 1, new: 1, unchanged: staff.length - 2, sent: 2 },
      },
    );
    assert.equal(planned.plan.departures?.departed, 0);
    const rejects = await office.context.ledger.listRejects(planned.runId, { limit: 10 });
    assert.deepEqual(
      rejects.map(({ cells, reason }) => [cells[0], /two people share this address/.test(reason)]),
      [
        ['1003', true],
        ['10999', true],
      ],
    );
  });

  test('with forceSync all rows of somebody wait for the one that was rejected', async () => {
    const { night } = office.newService();
    await night(exportOf(staff), { ...first, forceSync: true });
    const { planned, sent } = await night(exportOf([...staff, employee(5, { last: '' })]), { forceSync: true });
    assert.deepEqual(
      [planned.facts.counts.rejects, planned.plan.counts.unchanged, planned.plan.departures?.departed, sent],
      [2, staff.length - 1, 0, 0],
    );
  });

  test('whoever is gone has departed, and whoever is back is changed, and noted as there', async () => {
    const { night } = office.newService();
    await night(exportOf(staff), first);
    const without = await night(exportOf(staff.slice(1)));
    assert.deepEqual([without.planned.plan.departures?.departed, without.sent], [1, 0]);
    const again = await night(exportOf(staff.slice(1)));
    assert.deepEqual([again.planned.plan.departures?.departed, again.planned.plan.departures?.left], [0, 1]);
    const back = await night(exportOf(staff));
    const { departures, counts } = back.planned.plan;
    assert.deepEqual([departures?.left, counts.unchanged, counts.changed], [0, staff.length - 1, 1]);
  });

  test('what an older event gave somebody while the roster was read does not outlast the roster', async () => {
    const { service, night } = office.newService();
    const { ledger } = office.context;
    await night(exportOf(staff), first);
    const [{ first: firstname, last, email, department }] = [employee(1)];
    const given = { firstname, lastname: last, email, groups: [department, 'All staff'] };
    const folder = mkdtempSync(join(tmpdir(), 'roster-sync-event-'));
    const path = join(folder, 'staff.csv');
    writeFileSync(path, exportOf(staff));
    const roster = await openRoster(path);
    let isTold = false;
    async function* batches(): ReturnType<typeof roster.batches> {
      yield* roster.batches();
      if (isTold) return;
      isTold = true;
      const told = { people: [{ ...given, lastname: 'Told' }], service, trigger: 'event', beside: true } as const;
      await deliverAll(ledger, await releasePeople(ledger, told));
    }
    const during: typeof roster = {
      ...{ form: roster.form, modifiedAt: roster.modifiedAt, sizeBytes: roster.sizeBytes, batches },
      checksum: () => roster.checksum(),
      close: () => roster.close(),
    };
    try {
      const planned = await planRoster(office.context, {
        run: {
          ...{ id: unique('run'), source: 'staff', service, trigger: 'schedule', settings },
          worker: office.context.ledger.worker,
        },
        open: () =>
          Promise.resolve({
            roster: during,
            columns: { groups: ['All staff'], groupColumns: ['Department'] },
          }),
        ...{ only: [], all: false, onRows: () => {} },
      });
      assert.ok(isTold);
      assert.deepEqual(
        planned.changed.map(({ now, before }) => [now.email, before.lastname, now.lastname]),
        [[email, 'Told', last]],
      );
      assert.equal(planned.plan.counts.unchanged, staff.length - 1);
    } finally {
      await roster.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('whatever a roster has in it, the plan is the same as when everybody is staged', async () => {
    const { service, night } = office.newService();
    const { context } = office;
    const { ledger } = context;
    const known = employees(30);
    const forced = { service: office.newService(), forceSync: true };
    await night(exportOf(known), first);
    await forced.service.night(exportOf(known), { ...first, forceSync: true });
    const path = join(mkdtempSync(join(tmpdir(), 'roster-sync-same-')), 'staff.csv');

    const { staff: ofStaff } = context.config.sources;
    const rules = ofStaff && mappingOf(ofStaff);
    // Guards name the run in what they say.
    const id = unique('run');
    async function planned(forceSync: boolean, stagesUnchanged: boolean): Promise<unknown> {
      const roster = await openRoster(path);
      try {
        const { facts, plan, trips, changed, mergedLines, waiting, remarks } = await planRoster(context, {
          run: {
            ...{ id, source: 'staff', service: forceSync ? forced.service.service : service, trigger: 'schedule' },
            settings: { ...settings, forceSync },
            worker: ledger.worker,
          },
          open: () => Promise.resolve({ roster, columns: { groups: [], groupColumns: [], ...rules } }),
          ...{ only: [], all: false, stagesUnchanged, onRows: () => {} },
        });
        const rejects = await ledger.listRejects(id, { limit: 100 });
        const reasons = rejects.map(({ line, reason }) => ({ line, reason }));
        return { counts: facts.counts, plan, trips, changed, mergedLines, waiting, remarks, reasons };
      } finally {
        await ledger.discardRun(id);
        await roster.close();
      }
    }

    const change = fc.constantFrom<Partial<Employee>>(
      ...[{}, {}, {}, { department: 'Space' }, { last: '' }, { last: 'Married' }, { first: 'FIRST1' }],
      ...[{ id: 77 }, { email: 'PERSON.1@corp.example' }, { email: 'person.2@corp.example' }, { email: 'nobody' }],
    );
    const row = fc.tuple(fc.nat({ max: 33 }), change).map(([id, changes]) => employee(id, changes));
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), fc.boolean(), async (rows, forceSync) => {
          writeFileSync(path, exportOf([...known.slice(0, 20), ...rows]));
          assert.deepEqual(await planned(forceSync, false), await planned(forceSync, true));
        }),
        { numRuns: 12 },
      );
    } finally {
      rmSync(dirname(path), { recursive: true, force: true });
    }
  });
});
