import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { markLeftBehind } from '../../src/acts/left-behind.ts';
import { everyInvited, listInvited } from '../../src/acts/people.ts';
import { askAs } from '../../src/acts/perform.ts';
import { scopes } from '../../src/core/secrets/token.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Context } from '../../src/wiring/context.ts';
import { type Home, homes } from '../contract/homes.ts';
import { deliverAll, person, releasePeople, success, unique } from '../contract/plans.ts';

suite('acts on lists of more than a page', () => {
  let home: Home;
  let ledger: Ledger;
  before(async () => {
    const embedded = homes.find(({ skip }) => !skip);
    assert.ok(embedded);
    home = await embedded.open();
    ledger = await home.ledger('one');
  });
  after(() => home.close());

  const ask = () => {
    const context = { ledger, config: { sources: {} } } as Context;
    return askAs({ context, by: 'hr@desk', origin: 'here', scopes, poke: () => {} });
  };

  test('mark every group that is left behind, and count them all', async () => {
    const source = unique('source');
    await home.pool.query(
      `insert into left_behind (service, person_key, group_name, source, since, since_run)
       select 'https://service.test', 'person' || n || '@example.com', 'A', $1, clock_timestamp(), 'run'
       from generate_series(1, 1001) n`,
      [source],
    );
    const { at } = await ledger.countLeftBehind({ source });
    const marked = await ask()(markLeftBehind, { source, before: at.toISOString() });
    assert.deepEqual(marked, { groups: 1001, by: 'hr@desk' });
    assert.equal((await ledger.countLeftBehind({ source })).groups, 0);
    const [deed] = await ledger.listDeeds({ limit: 1 });
    assert.equal(deed?.action, 'mark 1001 left behind as done');
  });

  test('say where the next page of invited people begins, and end after the last', async () => {
    const people = ['ann', 'bob', 'cy'].map((name) => person(name, 'A'));
    const runId = await releasePeople(ledger, { service: unique('service'), people });
    await deliverAll(ledger, runId, (id, call) => success(id, call, ['A']));
    const first = await ask()(listInvited, { after: 0, limit: 2 });
    assert.equal(first.invited.length, 2);
    assert.equal(first.next, first.invited[1]?.id);
    const second = await ask()(listInvited, { after: first.next ?? 0, limit: 2 });
    assert.equal(second.invited.length, 1);
    assert.equal(second.next, undefined);
    const all = [];
    for await (const each of everyInvited(ask(), {})) all.push(each);
    assert.deepEqual(all, [...first.invited, ...second.invited]);
  });
});
