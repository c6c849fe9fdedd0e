import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readPerson } from '../../jobs/upkeep/person.ts';
import { sayIdentityChange } from '../../src/core/rows/row.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { renderPerson } from '../../src/report/terminal/render-person.ts';
import { plain } from '../report/examples.ts';
import { type Home, homes } from './homes.ts';
import {
  decideMove,
  deliverAll,
  ending,
  person,
  planPeople,
  releasePeople,
  rowOf,
  settings,
  success,
  unique,
} from './plans.ts';

for (const { name, skip, open } of homes) {
  suite(`what is known about a person, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    /** A person whose address nobody else has here. */
    const somebody = (...groups: string[]) => person(unique('ann'), ...groups);

    test('a run, its row, its approval, its calls and answers are told, whatever the case of the address', async () => {
      const ann = { ...somebody('A', 'B'), telephone: '+45 12 34' };
      const service = unique('service');
      const runId = await releasePeople(ledger, { people: [ann, person('other', 'A')], service });
      await ledger.recordApproval(runId, { by: 'eva@desk', note: 'as agreed', hash: 'h', scope: {} });
      await deliverAll(ledger, runId, (id, call) => success(id, call, ['A', 'B']));
      const known = await readPerson({ ledger }, ` ${ann.email.toUpperCase()} `);
      assert.deepEqual(known.addresses, [ann.email]);
      const [given] = known.given;
      assert.deepEqual(
        [given?.service, given?.source, given?.groups, given?.givenRun, given?.telephone],
        [service, 'staff', ['A', 'B'], runId, '+45 12 34'],
      );
      assert.equal(known.runs.length, 1);
      const [run] = known.runs;
      assert.deepEqual([run?.run, run?.trigger, run?.action, run?.outcome], [runId, 'import', 'new', 'succeeded']);
      assert.deepEqual([run?.row?.file, run?.row?.lines, run?.row?.groups], ['people.csv', [2], ['A', 'B']]);
      assert.equal(run?.settings.rate.limit, settings.rate.limit);
      assert.deepEqual(
        run?.deeds.map(({ by, did, note }) => [by, did, note]),
        [['eva@desk', 'approve', 'as agreed']],
      );
      assert.deepEqual(
        run?.calls.map(({ call, kind, httpStatus, results, body }) => [call, kind, httpStatus, results.length, body]),
        [[1, 'accepted', 200, 2, '{}']],
      );
      const text = renderPerson(known, plain);
      for (const part of [
        /run .* of staff at service-/,
        /approve by eva@desk, .*: as agreed/,
        /people\.csv, line 2/,
        /B: success, 1 insert/,
      ])
        assert.match(text, part);
      assert.doesNotMatch(text, /other@example/);
    });

    test('earlier addresses are found by decided moves and by the id at the employer', async () => {
      const service = unique('service');
      const old = somebody('A');
      const now = somebody('A');
      const first = await releasePeople(ledger, { people: [old], service });
      await deliverAll(ledger, first);
      await decideMove(ledger, { service, oldKey: old.email, newKey: now.email, decision: 'renamed-there' });
      const known = await readPerson({ ledger }, now.email);
      assert.deepEqual(known.addresses, [now.email, old.email]);
      assert.deepEqual(
        known.runs.map(({ run, address }) => [run, address]),
        [[first, old.email]],
      );
      assert.deepEqual(
        known.moves.map(({ from, to, decision }) => [from, to, decision]),
        [[old.email, now.email, 'renamed-there']],
      );

      const [one, two] = [somebody('A'), somebody('A')];
      await home.pool.query(`insert into people (service, source, person_key, last_outcome, last_run, employee_id)
        values ('${service}', 'staff', '${one.email}', 'failed', 'r', 'E-7'), ('${service}', 'staff', '${two.email}', 'failed', 'r', 'E-7'),
          ('${service}', 'other', 'x@example.com', 'failed', 'r', 'E-7')`);
      assert.deepEqual((await readPerson({ ledger }, one.email)).addresses, [one.email, two.email]);
    });

    test('rejected rows are found by the address in any cell, not by a longer one that holds it; markup stays text', async () => {
      const ann = somebody('A');
      const { runId } = await planPeople(ledger, { people: [person('other', 'A')], service: unique('service') });
      const row = (email: string, line: number) => ({
        ...rowOf(ann, line),
        ...{ column: 'Email', value: 'x', reason: 'two people share it\u001b[31m', cells: ['Ann', `mail: ${email};`] },
      });
      const { file, line } = rowOf(ann, 14);
      for (const [email, at] of [
        [ann.email.toUpperCase(), line],
        [`jo${ann.email}`, 15],
        [`${ann.email}.au`, 16],
      ] as const) {
        const { column, value, reason, cells } = row(email, at);
        await home.pool.query(
          'insert into rejects (run_id, file, line, column_name, value, reason, cells) values ($1, $2, $3, $4, $5, $6, $7)',
          [...[runId, file, at, column, value, reason, JSON.stringify(cells)]],
        );
      }
      const known = await readPerson({ ledger }, ann.email);
      assert.deepEqual(
        known.rejects.map(({ run, line }) => [run, line]),
        [[runId, 14]],
      );
      assert.match(renderPerson(known, plain), /people\.csv, line 14: two people share it\\u001b\[31m/);
    });

    test('every call of a delivery that failed and was tried again is told', async () => {
      const ann = somebody('A');
      const service = unique('service');
      const first = await releasePeople(ledger, { people: [ann], service });
      await deliverAll(ledger, first, (id, call) => ending(id, call, 'failed'));
      await ledger.continueRun(first, { move: 'retry' });
      await deliverAll(ledger, first);
      const second = await releasePeople(ledger, { people: [{ ...ann, groups: ['A', 'C'] }], service });
      await deliverAll(ledger, second);
      const known = await readPerson({ ledger }, ann.email);
      assert.deepEqual(
        known.runs.map(({ run, calls }) => [run, calls.map(({ kind }) => kind)]),
        [
          [first, ['rejected', 'accepted']],
          [second, ['accepted']],
        ],
      );
      assert.deepEqual(known.given[0]?.groups, ['A', 'C']);
    });

    test('nothing is known about an address that was never seen, and the answer says so', async () => {
      const known = await readPerson({ ledger }, 'nobody@example.com');
      assert.deepEqual([known.given, known.runs, known.rejects, known.moves, known.events], [[], [], [], [], []]);
      assert.match(renderPerson(known, plain), /Nothing is known about this address/);
    });

    test('events that name a person are told', async () => {
      const ann = somebody('A');
      await home.pool.query(
        `insert into events (source, key, kind, body, run_id) values ('hr', '${unique('event')}', 'hired', '{"email":"${ann.email}"}', 'r1')`,
      );
      const { events } = await readPerson({ ledger }, ann.email);
      assert.deepEqual(
        events.map(({ source, kind, run }) => [source, kind, run]),
        [['hr', 'hired', 'r1']],
      );
    });

    test('what a source gave at an old address moves, also where another source knows the new one', async () => {
      const service = unique('service');
      const [old, now] = [person('eva.old', 'Sales'), person('eva.new', 'IT')];
      for (const [source, one] of [['one', old] as const, ['two', now] as const])
        await deliverAll(ledger, await releasePeople(ledger, { service, source, people: [one] }));
      await decideMove(ledger, { service, oldKey: old.email, newKey: now.email, decision: 'renamed-there' });
      const { rows } = await home.pool.query(
        'select source, groups from people where service = $1 and person_key = $2 order by 1',
        [service, now.email],
      );
      assert.deepEqual(rows, [
        { source: 'one', groups: ['Sales'] },
        { source: 'two', groups: ['IT'] },
      ]);
    });

    test('of two people of one name at two domains neither becomes the other', async () => {
      const service = unique('service');
      const at = (domain: string, group: string) => ({ ...person('john', group), email: `john@${domain}.example` });
      const [old, now] = [at('old', 'Sales'), at('new', 'IT')];
      for (const [one, id] of [[old, '17'] as const, [now, '5'] as const])
        await deliverAll(ledger, await releasePeople(ledger, { service, people: [one], ids: { john: id } }));
      const move = { service, oldKey: old.email, newKey: now.email, decision: 'renamed-there' as const };
      const whyNot = ({ unfit, isDone }: Awaited<ReturnType<typeof decideMove>>) => [
        unfit.map(({ why }) => why),
        isDone,
      ];
      assert.deepEqual(whyNot(await decideMove(ledger, move)), [['two-ids'], false], 'their ids differ');
      assert.deepEqual(whyNot(await decideMove(ledger, { ...move, decision: 'new-account' })), [[], true]);
      const { decision, ...one } = move;
      const byRule = { service, decision, moves: [{ ...one, byRule: true as const }] };
      assert.deepEqual(whyNot(await ledger.resolveMoves(byRule)), [['taken'], false], 'a rule names nobody');
      assert.deepEqual(whyNot(await decideMove(ledger, move)), [[], true], 'one without an id may be the other');
    });

    test('a rule for a domain is about nobody at a longer one', async () => {
      const service = unique('service');
      const people = ['old.example', 'old.example.com'].map((domain) => ({
        ...person('eva', 'Sales'),
        email: `eva@${domain}`,
      }));
      await deliverAll(ledger, await releasePeople(ledger, { service, people }));
      assert.deepEqual(await ledger.keysAt(service, '@old.example'), ['eva@old.example']);
    });

    test('what a new address was given stays; a move is asked anew, whatever was decided before', async () => {
      const service = unique('service');
      const [old, now] = [person('ann.old', 'Sales'), person('ann.new', 'IT')];
      for (const one of [old, now]) await deliverAll(ledger, await releasePeople(ledger, { service, people: [one] }));
      const move = { oldKey: old.email, newKey: now.email };
      await decideMove(ledger, { service, ...move, decision: 'renamed-there' });
      const change = { kind: 'moved', employeeId: '7', oldEmail: old.email, email: now.email } as const;
      const row = { file: 'people.csv', line: 3, cells: [], column: '', value: now.email };
      const reject = { ...row, person: now.email, reason: sayIdentityChange(change), identityChange: change.kind };
      const { runId, plan } = await planPeople(ledger, { service, people: [now], rejects: [reject] });
      assert.equal(plan.counts.unchanged, 1);
      assert.deepEqual(await ledger.movesWaiting(runId), [move]);
    });
  });
}
