import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { completeRoster, type ReadPeople } from '../../jobs/story/complete-roster.ts';
import type { Analysis } from '../../src/core/story/analysis.ts';
import type { RosterPerson } from '../../src/core/story/completion.ts';
import type { Trip } from '../../src/core/guards/trip.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';
import { claimAndBegin, deliverAll, ending, person, planPeople, releasePeople, success, unique } from './plans.ts';

/** An analysis of versions of a story, by their questions, and what Ann answered: places of version and question. */
function analysisOf(versions: readonly string[][], answered: readonly [number, number][]): Analysis {
  const stories = versions.map((questions, at) => ({
    story: { ID: '1', name: 'Fire', type: 'quiz', app: { ID: 'a', name: 'App', version: String(at) } },
    json: {},
    questions: questions.map((question) => ({ question, type: '', possibleAnswers: [], json: {} })),
  }));
  const answer = { response: 'yes', correct: true };
  const item = { firstname: 'Ann', lastname: 'Ek', email: 'ann@example.com', groups: [], answer };
  return {
    ...{ sizeBytes: 0, stories, breaches: [], close: () => Promise.resolve() },
    async *answers() {
      yield answered.map(([story, question], at) => ({
        story,
        question,
        position: at + 1,
        text: '',
        item,
        missing: [],
      }));
    },
    async *bytes() {},
  };
}

for (const { name, skip, open } of homes) {
  suite(`answers in the ledger, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    /** Everybody of the last roster, read a page of two at a time. */
    async function everybody(service: string): Promise<RosterPerson[]> {
      const roster = await ledger.lastRoster({ service, source: 'staff' });
      if (!roster) throw new Error('there is a roster');
      const all: RosterPerson[] = [];
      for (;;) {
        const page = await ledger.rosterPeople(
          { service, source: 'staff', runIds: roster.runIds },
          all.at(-1)?.key ?? '',
          2,
        );
        if (page.length === 0) return all;
        all.push(...page);
      }
    }

    const seen = (people: readonly RosterPerson[]): unknown[] =>
      people.map(({ key, groups, given }) => [key.split('@')[0], groups.join(), given]);

    test('the last roster holds whom its runs sent, and the unchanged as they were given; who failed is not given', async () => {
      const service = unique('service');
      const [ann, bob, cleo, dan] = [person('ann', 'A'), person('bob', 'A'), person('cleo', 'B'), person('dan', 'B')];
      assert.equal(await ledger.lastRoster({ service, source: 'staff' }), undefined);
      await deliverAll(ledger, await releasePeople(ledger, { service, people: [ann, bob, cleo] }));
      assert.deepEqual(seen(await everybody(service)), [
        ['ann', 'A', true],
        ['bob', 'A', true],
        ['cleo', 'B', true],
      ]);

      const changed = { ...bob, groups: ['A', 'C'] };
      const time = '2026-01-02T00:00:00.000Z';
      const second = await releasePeople(ledger, { service, people: [ann, changed, cleo, dan], time });
      assert.deepEqual(seen(await everybody(service)), [
        ['ann', 'A', true],
        ['bob', 'A,C', false],
        ['cleo', 'B', true],
        ['dan', 'B', false],
      ]);
      for (const fed of await ledger.findDue(second, { limit: 10 })) {
        const { id, call } = await claimAndBegin(ledger, fed);
        await ledger.record(call === 1 && id % 2 === 0 ? ending(id, call, 'failed') : success(id, call));
      }
      await ledger.moveRun(second, 'finishWithFailures');
      const given = (await everybody(service)).filter((each) => each.given).length;
      assert.equal(given, 3, 'one of the two failed');
    });

    test('answers to several versions of a story are counted by its questions, also those with one text', async () => {
      const service = unique('service');
      await deliverAll(ledger, await releasePeople(ledger, { service, people: [person('ann', 'A')] }));
      const roster = await ledger.lastRoster({ service, source: 'staff' });
      if (!roster) throw new Error('there is a roster');
      const counted = async (analysis: Analysis, chosen: number[]): Promise<number[]> => {
        const of = { service, source: 'staff', runIds: roster.runIds };
        const read: ReadPeople = (after, limit) => ledger.rosterPeople(of, after, limit);
        const done = await completeRoster(read, { analysis, chosen });
        const people: number[] = [];
        for await (const page of done.people(new AbortController().signal))
          people.push(...page.map(({ questions }) => questions));
        return [...people, done.questions, done.tally.total.partly];
      };
      const three = ['A', 'B', 'C'];
      const again = analysisOf(
        [three, three, three],
        [
          [0, 2],
          [1, 0],
          [1, 1],
          [2, 0],
        ],
      );
      assert.deepEqual(await counted(again, [1, 2]), [2, 3, 1]);
      const same = analysisOf(
        [['True or false?', 'True or false?']],
        [
          [0, 0],
          [0, 1],
        ],
      );
      assert.deepEqual(await counted(same, [0]), [2, 2, 0]);
    });

    test('who waits for a day or a budget is on the roster, and not yet given', async () => {
      const service = unique('service');
      const { runId } = await planPeople(ledger, { service, people: [person('ann', 'A'), person('bob', 'A')] });
      await home.pool.query(
        `update members set action = 'later' where run_id = '${runId}' and person_key like 'bob@%'`,
      );
      await ledger.releaseRun(runId, false);
      await deliverAll(ledger, runId);
      assert.deepEqual(seen(await everybody(service)), [
        ['ann', 'A', true],
        ['bob', 'A', false],
      ]);
    });

    test('some people who were sent later stand beside the last whole roster, with what they were sent last', async () => {
      const service = unique('service');
      await deliverAll(
        ledger,
        await releasePeople(ledger, { service, people: [person('ann', 'A'), person('bob', 'A')] }),
      );
      const later = { service, people: [person('bob', 'B'), person('eve', 'A')], partial: true };
      await deliverAll(ledger, await releasePeople(ledger, { ...later, time: '2026-01-02T00:00:00.000Z' }));
      assert.deepEqual(seen(await everybody(service)), [
        ['ann', 'A', true],
        ['bob', 'B', true],
        ['eve', 'A', true],
      ]);
      const roster = await ledger.lastRoster({ service, source: 'staff' });
      assert.deepEqual([roster?.runIds.length, roster?.members], [2, 2]);
    });

    test('a roster that was held and never approved is not the last one; one of which a part is held is', async () => {
      const service = unique('service');
      const first = await releasePeople(ledger, { service, people: [person('ann', 'A')] });
      await deliverAll(ledger, first);
      const time = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
      const stop = (scope: Trip['scope']): Trip[] => [{ guard: 'new', scope, message: 'many' }];
      const last = async () => (await ledger.lastRoster({ service, source: 'staff' }))?.runIds;
      for (const end of ['cancel', 'expire'] as const) {
        const { runId } = await planPeople(ledger, { service, people: [person('bob', 'B')], time: time(2) });
        await ledger.releaseRun(runId, false, stop('all'));
        assert.equal(await ledger.moveRun(runId, end, { by: 'guard', reason: '' }), true);
        assert.deepEqual(await last(), [first]);
      }
      const people = [person('ann', 'A'), person('bob', 'B'), person('cleo', 'B')];
      const { runId } = await planPeople(ledger, { service, people, time: time(3) });
      await ledger.releaseRun(runId, false, stop({ people: ['bob@example.com'] }));
      await deliverAll(ledger, runId);
      await ledger.closeRun(runId);
      assert.deepEqual([(await ledger.findRuns(runId))[0]?.status, await last()], ['held', [runId]]);
    });

    test('a roster that is only planned is not the last one', async () => {
      const service = unique('service');
      await planPeople(ledger, { service, people: [person('ann', 'A')] });
      assert.equal(await ledger.lastRoster({ service, source: 'staff' }), undefined);
    });

    test('what is kept of answers comes back, the newest first, and goes when it is old', async () => {
      const service = unique('service');
      const story = { ID: '4711', name: 'Fire \0 safety', type: '', app: { ID: '1', name: '', version: '' } };
      const figures = (answers: number) => ({ answers, stories: [{ story, people: 1, questions: [] }], breaches: [] });
      await ledger.keepAnswers({ service, request: {}, figures: figures(1) });
      await ledger.keepAnswers({ service, request: { story: '4711' }, figures: figures(2) });
      const kept = await ledger.listAnswers(service, 10);
      assert.deepEqual(
        kept.map(({ answers, request }) => [answers, request]),
        [
          [2, { story: '4711' }],
          [1, {}],
        ],
      );
      assert.equal(kept[0]?.stories[0]?.story.name, 'Fire \uFFFD safety');
      assert.deepEqual(await ledger.listAnswers(unique('service'), 10), []);
      assert.equal(await ledger.pruneAnswers(Infinity), 0);
      assert.equal(await ledger.pruneAnswers(3_600_000), 0);
      assert.ok((await ledger.pruneAnswers(0)) >= 2);
      assert.deepEqual(await ledger.listAnswers(service, 10), []);
    });
  });
}
