import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { deliveryMoves, type DeliveryState, writtenAs, type WrittenState } from '../../src/core/run/states.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';
import { person, releasePeople, unique } from './plans.ts';

/** The moves as the row of a delivery shows them. */
const moves = Object.values(deliveryMoves).map((move) => ({
  from: move.from.map((state: DeliveryState) => writtenAs(state)),
  to: move.to.map((state: DeliveryState) => writtenAs(state)),
  // Into somebody's hands: its row stays as it is.
  isWritten: !move.to.some((state) => state === 'claimed' || state === 'called'),
}));
const states = [...new Set(moves.flatMap(({ from, to }) => [...from, ...to]))];
const isMove = (a: WrittenState, b: WrittenState): boolean =>
  moves.some(({ from, to, isWritten }) => isWritten && from.includes(a) && to.includes(b));

for (const { name, skip, open } of homes) {
  suite(`moves of a delivery, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    let id: number;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
      const runId = await releasePeople(ledger, { people: [person('ann', 'A')], service: unique('service') });
      const { rows } = await home.pool.query('select id from deliveries where run_id = $1', [runId]);
      id = rows[0]?.id;
    });
    after(() => home.close());

    /** Puts the delivery into a state, by whatever moves lead there. */
    async function put(state: WrittenState): Promise<void> {
      await home.pool.query('alter table deliveries disable trigger deliveries_move');
      await change(state);
      await home.pool.query('alter table deliveries enable trigger deliveries_move');
    }

    const change = (state: string): Promise<unknown> =>
      home.pool.query(
        `update deliveries set state = $2, outcome = case when $2 = 'done' then 'failed' end where id = $1`,
        [id, state],
      );

    test('the database refuses every change of state that is no move of core, and no other', async () => {
      for (const from of states) {
        for (const to of states) {
          await put(from);
          if (from === to || isMove(from, to)) await change(to);
          else await assert.rejects(change(to), new RegExp(`a delivery does not go from ${from} to ${to}`));
        }
      }
    });

    test('the database knows the states of core, and no other', async () => {
      await put('due');
      await assert.rejects(change('sent'));
      for (const state of states) await put(state);
    });
  });
}
