import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { forgottenDigest, forgottenTest } from '../../src/core/person/forgotten.ts';
import { databaseOver, rowsInRange } from '../../src/ledger/database/database.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { restoreBackup } from '../../src/ledger/directory/restore-backup.ts';
import { backUp, rowsIn } from '../support/backups.ts';
import { type Home, homes } from './homes.ts';
import {
  claimAndBegin,
  decideMove,
  deliverAll,
  ending,
  person,
  planPeople,
  releasePeople,
  takeAndClaim,
  unique,
} from './plans.ts';

for (const { name, skip, open } of homes) {
  suite(`forgetting a person, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    /** Every row of every table that holds this text, as `table: row`. */
    async function search(text: string): Promise<string[]> {
      const { rows } = await home.pool.query<{ name: string }>(
        "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
      );
      const found: string[] = [];
      for (const { name } of rows) {
        const hits = await home.pool.query<{ row: string }>(
          `select t::text as row from "${name}" t where t::text ilike '%' || $1 || '%'`,
          [text],
        );
        found.push(...hits.rows.map(({ row }) => `${name}: ${row}`));
      }
      return found;
    }

    test('erases a person from every table, and leaves the totals of runs and everybody else', async () => {
      const service = unique('service');
      const [ann, joann] = [person('ann', 'Sales'), person('joann', 'Sales')];
      const runId = await releasePeople(ledger, { service, people: [ann, joann] });
      const reject = { file: 'people.csv', line: 9, column: 'email', reason: 'two people share this address' };
      await ledger.addRejects(runId, [
        { ...reject, value: 'ANN@example.com', cells: ['Ann', 'Test', 'ANN@example.com'] },
        { ...reject, line: 10, value: 'joann@example.com', cells: ['Joann', 'Test', 'joann@example.com'] },
      ]);
      const correction = { column: 'email', cells: 1 };
      await ledger.keepCorrections(runId, [
        { ...correction, was: 'anne@exmple.com', value: 'Ann@example.com' },
        { ...correction, was: 'joann@exmple.com', value: 'joann@example.com' },
      ]);
      await deliverAll(ledger, runId, (id, call) => {
        const record = ending(id, call, 'failed');
        const body = '{"message":"no\\nAnn@Example.com"}';
        const response = { httpStatus: 400, headers: { 'x-user': 'ann%40example.com' }, body, bodyCut: false };
        return { ...record, answer: { kind: 'rejected', response, reason: 'ann@example.com is refused' } };
      });
      await home.pool.query(`update runs set status_reason = 'the last was ann@example.com' where id = $1`, [runId]);

      const known = await ledger.whatIsKnownOf('ann@example.com');
      assert.deepEqual(
        [known.services, known.sources, known.deliveries, known.answers, known.rejects, known.inTheWay],
        [[service], 1, 1, 1, 1, []],
      );
      const before = await ledger.totalsOf(runId);
      const erased = await ledger.erasePerson({ key: 'ann@example.com', instead: 'forgotten-1' });
      assert.deepEqual(
        [erased.sources, erased.deliveries, erased.answers, erased.rejects, erased.runsWithRejects],
        [1, 1, 1, 1, [runId]],
      );
      for (const found of await search('ann@example.com')) assert.match(found, /joann@example\.com/);
      assert.deepEqual(await search('ann%40example.com'), []);
      assert.deepEqual(await search('anne@exmple.com'), []);
      // What the service said about them is gone, also where it does not name their address.
      const { rows } = await home.pool.query<{ kept: number }>(
        'select count(r.body)::int as kept from receipts r join deliveries d on d.id = r.delivery_id where d.run_id = $1',
        [runId],
      );
      assert.deepEqual(rows, [{ kept: 1 }]);
      assert.deepEqual((await ledger.totalsOf(runId)).outcome, before.outcome);
      assert.deepEqual(
        (await ledger.listRejects(runId, { limit: 9 })).map(({ value }) => value),
        ['joann@example.com'],
      );
      assert.equal((await ledger.whatIsKnownOf('joann@example.com')).sources, 1);
    });

    test('looks for a person in a range of rows at a time, and lets others in between', async () => {
      const [key, service, many] = ['uma.long@example.com', unique('service'), 30_000];
      const runId = await releasePeople(ledger, { service, people: [person('uma.long', 'Sales')] });
      let turns = 0;
      home.pool.on('acquire', () => (turns += 1));
      const turnsOf = async (act: () => Promise<unknown>): Promise<number> => {
        turns = 0;
        await act();
        return turns;
      };
      const ofFew = await turnsOf(() => ledger.erasePerson({ key: 'nobody@example.com', instead: 'forgotten-nobody' }));
      await home.pool.query(
        `insert into people (service, source, person_key, firstname, last_outcome, last_run)
         select $1, 'staff', 'q' || n || '@x.example', case when n % 10000 = 1 then 'for Uma.Long@example.com' else 'Q' end, 'failed', $2
         from generate_series(1, $3::integer) n`,
        [service, runId, many],
      );
      const ofMany = await turnsOf(async () => {
        const { mentions } = await ledger.erasePerson({ key, instead: 'forgotten-uma' });
        assert.equal(mentions, 3);
      });
      assert.deepEqual(await search(key), []);
      assert.equal(ofMany - ofFew, many / rowsInRange);
    });

    test('finds the rejects of a person by their employee id too', async () => {
      const service = unique('service');
      const email = `${unique('cy')}@example.com`;
      const runId = await releasePeople(ledger, { service, people: [{ ...person('cy', 'Sales'), email }] });
      await home.pool.query("update members set employee_id = 'E-77' where run_id = $1", [runId]);
      await deliverAll(ledger, runId);
      const reject = { file: 'people.csv', column: 'email', value: '', reason: 'e-mail is empty' };
      await ledger.addRejects(runId, [
        { ...reject, line: 3, cells: ['E-77', 'Cy', ''] },
        { ...reject, line: 4, cells: ['E-771', 'Di', ''] },
      ]);
      await ledger.erasePerson({ key: email, instead: unique('forgotten') });
      assert.deepEqual(
        (await ledger.listRejects(runId, { limit: 9 })).map(({ line }) => line),
        [4],
      );
    });

    test('finds an address as JSON, URLs, forms and HTML write it', async () => {
      const [source, name] = [unique('source'), unique('Jürgen+hr')];
      const email = `${name}@example.com`.toLowerCase();
      const ascii = JSON.stringify(email.toUpperCase()).replaceAll('Ü', '\\u00DC').replaceAll('ü', '\\u00fc');
      const bodies = [
        `{"to":${ascii}}`,
        `{"to":"\\u003c${email}\\u003e"}`,
        `mail=${encodeURIComponent(email)}&name=J`,
        `<b>${email.replace('ü', '&#252;').replace('@', '&#x40;')}</b>`,
        `{"to":"${email.normalize('NFD')}"}`,
      ];
      for (const [at, body] of [...bodies, `{"to":"x${email}"}`, `{"to":"${email}.au"}`].entries())
        await ledger.addEvent({ source, key: `${name} ${at}`, kind: 'x', employees: ['1'], people: null, body });
      await ledger.erasePerson({ key: email, instead: unique('forgotten') });
      const { rows } = await home.pool.query<{ body: string | null }>(
        'select body from events where source = $1 and body is not null',
        [source],
      );
      assert.deepEqual(
        rows.map(({ body }) => body),
        [`{"to":"x${email}"}`, `{"to":"${email}.au"}`],
      );
    });

    test('takes a person out of events, and leaves who else stands in them', async () => {
      const source = unique('source');
      const people = [{ email: 'Kim@example.com', name: 'Kim Kasper' }, { email: 'lou@example.com' }];
      for (const event of [
        { source, key: 'one', kind: 'hired', employees: null, people, body: JSON.stringify(people) },
        { source, key: 'two', kind: 'hired', employees: ['1'], people: null, body: '{"name":"Kim Kasper","id":"1"}' },
        { source, key: 'three', kind: 'hired', employees: ['2'], people: null, body: '{"name":"Max"}' },
      ])
        await ledger.addEvent(event);
      const leavers = ['kim@example.com', '1', 'lou@example.com', '2'];
      const left = { source, key: 'four', kind: 'left', employees: null, people: null, leavers, body: '' };
      await ledger.addEvent(left);
      const runId = await releasePeople(ledger, {
        service: unique('service'),
        source,
        people: [person('kim', 'Sales')],
      });
      await home.pool.query("update members set employee_id = '1' where run_id = $1", [runId]);
      await deliverAll(ledger, runId);
      await ledger.erasePerson({ key: 'kim@example.com', instead: unique('forgotten') });
      assert.deepEqual(await search('kasper'), []);
      const { rows } = await home.pool.query("select leavers from events where source = $1 and key = 'four'", [source]);
      assert.deepEqual(rows, [{ leavers: ['lou@example.com', '2'] }], 'whom else it says to leave is not sent');
      assert.equal((await search('lou@example.com')).length, 2);
      assert.equal((await search('"name":"Max"')).length + (await search('""name"":""Max""')).length, 1);
    });

    test('leaves those whose longer addresses end like the erased one', async () => {
      const [service, source] = [unique('service'), unique('source')];
      const key = `${unique('b')}@example.com`;
      const others = [...'!#$&*/=?^`{|}~', 'é', 'ж'].map((sign) => `r${sign}${key}`);
      const named = (email: string) => ({ ...person('x', 'Sales'), email });
      const planned = { service, source, people: [key, ...others].map(named) };
      await deliverAll(ledger, await releasePeople(ledger, planned));
      const { runId } = await planPeople(ledger, planned);
      await ledger.addRejects(
        runId,
        others.map((value, line) => ({ file: 'f', line, column: 'email', value, reason: '', cells: [value] })),
      );
      const people = [key, ...others].map((email) => ({ email }));
      await ledger.addEvent({ source, key: 'e', kind: 'x', employees: null, people, body: '' });
      await ledger.discardRun(runId);
      const before = (await search(key)).length;
      await ledger.erasePerson({ key, instead: unique('forgotten') });
      assert.deepEqual(await search(`forgotten`).then((rows) => rows.filter((row) => row.includes('rforgotten'))), []);
      for (const other of others) assert.equal((await ledger.whatIsKnownOf(other)).sources, 1, other);
      const { rows } = await home.pool.query<{ people: object[] }>('select people from events where source = $1', [
        source,
      ]);
      assert.deepEqual(rows[0]?.people, people.slice(1));
      assert.ok((await search(key)).length < before);
    });

    test('what was not sent yet is cancelled, and a worker that has it in hand does not call', async () => {
      const service = unique('service');
      const [dan, eve] = [`${unique('dan')}@example.com`, `${unique('eve')}@example.com`];
      const people = [dan, eve].map((email) => ({ ...person('x', 'Sales'), email }));
      const runId = await releasePeople(ledger, { service, people });
      const claimed = await takeAndClaim(ledger, runId);
      assert.equal(claimed?.member.email, dan);
      for (const key of [dan, eve]) {
        assert.equal((await ledger.whatIsKnownOf(key)).unsent, 1);
        assert.equal((await ledger.erasePerson({ key, instead: unique('forgotten') })).cancelled, 1);
      }
      assert.equal(await ledger.begin(claimed?.id ?? 0), undefined);
      assert.equal(await ledger.isDelivered(runId), true);
      assert.deepEqual((await ledger.totalsOf(runId)).outcome, { cancelled: 2 });
    });

    test('sees a call in flight, and a roster that is being planned', async () => {
      const service = unique('service');
      const email = `${unique('fay')}@example.com`;
      const people = [{ ...person('fay', 'Sales'), email }];
      const runId = await releasePeople(ledger, { service, people });
      const [fed] = await ledger.findDue(runId, { limit: 1 });
      await claimAndBegin(ledger, fed);
      assert.equal((await ledger.whatIsKnownOf(email)).inFlight, 1);
      await assert.rejects(ledger.erasePerson({ key: email, instead: 'x' }), /is being made at this moment/);
      const planned = await planPeople(ledger, { service, people, source: 'other' });
      assert.deepEqual((await ledger.whatIsKnownOf(email)).inTheWay, [
        { id: planned.runId, source: 'other', status: 'planning' },
      ]);
      await ledger.discardRun(planned.runId);
    });

    test('whoever was erased is not sent by a retry of their failure', async () => {
      const service = unique('service');
      const [gus, hal] = [`${unique('gus')}@example.com`, `${unique('hal')}@example.com`];
      const people = [gus, hal].map((email) => ({ ...person('x', 'Sales'), email }));
      const runId = await releasePeople(ledger, { service, people });
      await deliverAll(ledger, runId, (id, call) => ending(id, call, 'failed'));
      await ledger.erasePerson({ key: gus, instead: unique('forgotten') });
      await ledger.continueRun(runId, { move: 'retry' });
      const fed = await ledger.findDue(runId, { limit: 10 });
      assert.equal(fed.length, 1);
      assert.equal((await ledger.claim(fed[0] ?? { id: 0, feeds: 0 }))?.member.email, hal);
    });

    test('remembers a keyed hash per service, which a new ledger can take over and a person can undo', async (t) => {
      const key = await ledger.forgetKey();
      assert.match(key, /^[0-9a-f]{64}$/);
      const service = unique('service');
      const digest = forgottenDigest(key, 'ida@example.com');
      await ledger.blockPeople([{ service, digest }]);
      await ledger.blockPeople([{ service, digest }]);
      assert.deepEqual(await ledger.forgottenAt(service), [digest]);
      assert.deepEqual(await ledger.forgottenAt(unique('service')), []);
      const isForgotten = forgottenTest(key, [digest]);
      assert.deepEqual([isForgotten('ida@example.com'), isForgotten('jo@example.com')], [true, false]);
      const folder = mkdtempSync(join(tmpdir(), 'rs-backup-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const backup = await backUp(ledger, join(folder, 'people'));
      const [kept] = await rowsIn(backup, 'ledger');
      assert.ok(kept && 'forget_key' in kept);
      assert.equal(kept.forget_key, key);
      assert.equal(await ledger.unblockPeople([digest]), 1);
      assert.deepEqual(await ledger.forgottenAt(service), []);
      await restoreBackup(databaseOver(home.pool), backup);
      assert.deepEqual(await ledger.forgottenAt(service), [digest]);
      const runId = await releasePeople(ledger, { service, people: [person('jo', 'Sales')] });
      await deliverAll(ledger, runId);
      const read = { service, source: 'staff', digest: 'settings' };
      await ledger.rememberSource({ runId, validators: { etag: '"1"' }, digest: read.digest });
      assert.equal((await ledger.recallSource(read))?.runId, runId);
      assert.equal(await ledger.unblockPeople([digest]), 1);
      assert.equal(await ledger.recallSource(read), undefined, 'its next run reads it, though nothing has changed');
    });

    test('erases nobody while a run that may hold them is being planned, or has just been held', async () => {
      const service = unique('service');
      const key = 'kim@example.com';
      const { runId } = await planPeople(ledger, { service, people: [person('kim', 'Sales')] });
      await assert.rejects(
        ledger.erasePerson({ key, instead: unique('forgotten') }),
        /began to be planned.*Nothing was/,
      );
      await ledger.releaseRun(runId, false, [{ guard: 'invites', scope: 'all', message: 'too many' }]);
      await assert.rejects(ledger.erasePerson({ key, instead: unique('forgotten') }), /holds something for this/);
      assert.equal((await ledger.whatIsKnownOf(key)).deliveries, 1);
      await ledger.moveRun(runId, 'cancel');
      await ledger.erasePerson({ key, instead: unique('forgotten') });
      assert.equal((await ledger.whatIsKnownOf(key)).deliveries, 0);
    });

    test('keeps out who was erased, also as the new address of somebody else', async () => {
      const [service, key] = [unique('service'), 'cleo@example.com'];
      const people = ['cleo', 'dan', 'eve'].map((name) => person(name, 'Sales'));
      await deliverAll(ledger, await releasePeople(ledger, { service, people }));
      await ledger.blockPeople([{ service, digest: forgottenDigest(await ledger.forgetKey(), key) }]);
      await ledger.erasePerson({ key, instead: 'forgotten-9' });
      for (const decision of ['renamed-there', 'new-account'] as const) {
        const change = { service, oldKey: 'dan@example.com', newKey: key, decision };
        const { unfit, isDone } = await decideMove(ledger, change);
        assert.deepEqual([unfit.map(({ why }) => why), isDone], [['erased'], false]);
      }
      assert.deepEqual(await search(key), []);
      // Of many moves the others are made.
      const moves = [
        { oldKey: 'dan@example.com', newKey: key },
        { oldKey: 'eve@example.com', newKey: 'eva@example.com' },
      ];
      const question = { service, moves, decision: 'renamed-there' as const };
      const { moved, unfit, hash } = await ledger.resolveMoves(question);
      assert.deepEqual([moved, unfit.map(({ why }) => why)], [moves.slice(1), ['erased']]);
      const chain = [moves[1], { oldKey: 'eva@example.com', newKey: 'ida@example.com' }].flatMap((move) => move ?? []);
      const chained = await ledger.resolveMoves({ ...question, moves: chain });
      assert.deepEqual([chained.moved, chained.unfit.map(({ why }) => why)], [[], ['chain', 'chain']]);
      // Only by the hash of exactly what was shown.
      const other = await ledger.resolveMoves({ ...question, decision: 'new-account' });
      assert.equal((await ledger.resolveMoves({ ...question, hash: other.hash })).isDone, false);
      assert.deepEqual(await ledger.keysAt(service, '@example.com'), ['dan@example.com', 'eve@example.com']);
      assert.equal((await ledger.resolveMoves({ ...question, hash })).isDone, true);
      assert.deepEqual(await ledger.keysAt(service, '@example.com'), ['dan@example.com', 'eva@example.com']);
      await ledger.unblockPeople([forgottenDigest(await ledger.forgetKey(), key)]);
      const change = { service, oldKey: 'dan@example.com', newKey: key, decision: 'renamed-there' as const };
      assert.deepEqual((await decideMove(ledger, change)).sources, ['staff']);
      // Whoever is erased under a new address is not kept under the old one either.
      await ledger.erasePerson({ key: 'eva@example.com', instead: 'forgotten-10' });
      assert.deepEqual(
        (await search('eve@example.com')).filter((row) => row.startsWith('resolutions')),
        [],
      );
    });
  });
}
