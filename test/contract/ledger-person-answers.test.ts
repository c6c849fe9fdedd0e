import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { pruneLedger } from '../../jobs/upkeep/prune-ledger.ts';
import { readPerson } from '../../jobs/upkeep/person.ts';
import { forgottenDigest } from '../../src/core/person/forgotten.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { NewPersonAnswer } from '../../src/ledger/story/answers.ts';
import { renderPerson } from '../../src/report/terminal/render-person.ts';
import { plain } from '../report/examples.ts';
import { type Home, homes } from './homes.ts';
import { unique } from './plans.ts';

const [monday, tuesday] = [new Date('2026-03-30T03:00Z'), new Date('2026-03-31T03:00Z')];
const noFigures = { answers: 0, stories: [], breaches: [] };

for (const { name, skip, open } of homes) {
  suite(`answers of people, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    const answer = (number: number, key: string, response: string): NewPersonAnswer => ({
      ...{ number, appId: '1', storyId: '4711', story: 'Fire safety', question: 'Where is the exit?', key, response },
      ...{ correct: response === 'Left', attempts: 2 },
    });
    /** Takes a snapshot in which these people answered so. */
    async function snapshot(service: string, at: Date, said: [key: string, response: string][]): Promise<number> {
      const id = await ledger.newSnapshot();
      const rows = said.map(([key, response], index) => answer(index, key, response));
      await ledger.addPersonAnswers({ snapshotId: id, service }, rows);
      assert.ok(await ledger.keepAnswers({ service, request: {}, figures: noFigures, due: { id, at } }));
      return id;
    }
    const saidBy = async (key: string) => (await ledger.personHistory(key)).answers.map(({ response }) => response);
    async function rowsOf(service: string): Promise<number> {
      const { rows } = await home.pool.query<{ count: number }>(
        'select count(*)::integer as count from person_answers where service = $1',
        [service],
      );
      return rows[0]?.count ?? -1;
    }

    test('count once their snapshot is kept, and until the next one of the story', async () => {
      const [service, ann, bob] = [unique('service'), `${unique('ann')}@example.com`, `${unique('bob')}@example.com`];
      await snapshot(service, monday, [
        [ann, 'Left'],
        [bob, 'Ri\0ght'],
      ]);
      assert.deepEqual([await saidBy(ann), await saidBy(bob)], [['Left'], ['Ri\uFFFDght']]);
      const id = await ledger.newSnapshot();
      await ledger.addPersonAnswers({ snapshotId: id, service }, [answer(1, ann, 'Right')]);
      await ledger.addPersonAnswers({ snapshotId: id, service }, [answer(1, ann, 'Right')]);
      assert.deepEqual(await saidBy(ann), ['Left'], 'the next one is only being written');
      await ledger.keepAnswers({ service, request: {}, figures: noFigures, due: { id, at: tuesday } });
      assert.deepEqual([await saidBy(ann), await saidBy(bob)], [['Right'], []], 'bob is no longer in it');
      const replaced = { service, snapshotId: id, appId: '1', storyId: '4711' };
      assert.deepEqual(await ledger.removeReplacedAnswers({ ...replaced, storyId: 'x' }, 9), {
        removed: 0,
        isDone: true,
      });
      assert.deepEqual(await ledger.removeReplacedAnswers(replaced, 1), { removed: 1, isDone: false });
      assert.deepEqual(await ledger.removeReplacedAnswers(replaced, 9), { removed: 1, isDone: true });
      assert.equal(await rowsOf(service), 1);
    });

    test('of two processes that asked for what was due then, one keeps it', async () => {
      const service = unique('service');
      const [first, second] = [await ledger.newSnapshot(), await ledger.newSnapshot()];
      const keep = (id: number, story: string) =>
        ledger.keepAnswers({ service, request: { story }, figures: noFigures, due: { id, at: monday } });
      assert.deepEqual([await keep(first, 'A'), await keep(second, 'A'), await keep(first, 'A')], [true, false, true]);
      assert.deepEqual(await ledger.keptOfDue({ service, dueAt: monday }), [{ story: 'A' }]);
      assert.deepEqual(await ledger.keptOfDue({ service, dueAt: tuesday }), []);
      assert.ok(await keep(second, 'B'));
      assert.equal((await ledger.listAnswers(service, 9)).length, 2);
    });

    test('are told to whoever asks for the person, and go with the person', async () => {
      const [service, ann, joann] = [unique('service'), 'ann.answers@example.com', 'joann.answers@example.com'];
      await snapshot(service, monday, [
        [ann, 'Left'],
        [joann, 'ask Ann.Answers@example.com'],
      ]);
      const known = await readPerson({ ledger }, ann.toUpperCase());
      assert.match(
        renderPerson(known, plain),
        /Answers to questions\n {2}Fire safety: Where is the exit\?\n {4}Left, right, 2 attempts; as service-/,
      );
      assert.deepEqual(
        [(await ledger.whatIsKnownOf(ann)).storyAnswers, (await ledger.whatIsKnownOf(ann)).services],
        [1, [service]],
      );
      const erased = await ledger.erasePerson({ key: ann, instead: 'forgotten-9' });
      assert.deepEqual([erased.storyAnswers, erased.mentions], [1, 1]);
      assert.deepEqual([await saidBy(ann), await saidBy(joann)], [[], ['ask forgotten-9']]);
    });

    test('are not kept of somebody who was forgotten, as the service still has them', async () => {
      const [service, ann, bob] = [unique('service'), `${unique('ann')}@example.com`, `${unique('bob')}@example.com`];
      await ledger.blockPeople([{ service, digest: forgottenDigest(await ledger.forgetKey(), ann) }]);
      await snapshot(service, monday, [
        [ann, 'Left'],
        [bob, 'Left'],
      ]);
      assert.deepEqual([await saidBy(ann), await saidBy(bob), await rowsOf(service)], [[], ['Left'], 1]);
    });

    test('go when they are older than retention.answers, and only then the counts they belong to', async () => {
      const service = unique('service');
      const id = await snapshot(service, monday, [
        ['ann@example.com', 'Left'],
        ['bob@example.com', 'Left'],
      ]);
      const day = 86_400_000;
      const keeping = { answersMs: Infinity, rostersMs: Infinity, receiptsMs: Infinity };
      const prune = (times: Partial<typeof keeping>) => {
        const config = { retention: { ...keeping, ...times } } as Parameters<typeof pruneLedger>[0]['config'];
        return pruneLedger({ ledger, config }, 60_000);
      };
      for (const table of ['person_answers where snapshot_id =', 'answer_snapshots where id =']) {
        const [from = '', where = ''] = table.split(' where ');
        await home.pool.query(`update ${from} set taken_at = taken_at - interval '40 days' where ${where} $1`, [id]);
      }
      await prune({ answersMs: 41 * day, receiptsMs: 39 * day });
      assert.deepEqual([await rowsOf(service), (await ledger.listAnswers(service, 9)).length], [2, 1]);
      assert.equal((await ledger.countPrunable({ ...keeping, answersMs: 39 * day })).answers, 2);
      const { answers, isDone } = await prune({ answersMs: 39 * day });
      assert.deepEqual([answers, isDone, await rowsOf(service)], [2, true, 0]);
      assert.equal((await ledger.listAnswers(service, 9)).length, 1);
      await prune({ receiptsMs: 39 * day });
      assert.equal((await ledger.listAnswers(service, 9)).length, 0);
    });
  });
}
