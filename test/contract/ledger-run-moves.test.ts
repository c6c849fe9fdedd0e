import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { mayMove, type RunMove, runMoves, type RunStatus, runStates } from '../../src/core/run/states.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';
import { unique } from './plans.ts';

const moves = Object.keys(runMoves) as RunMove[];

for (const { name, skip, open } of homes) {
  suite(`the moves of a run, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    /** A run of a source of its own in this state. */
    async function runIn(status: string): Promise<string> {
      const id = unique('run');
      await home.pool.query(
        `insert into runs (id, source, service, trigger, status, settings, worker)
         values ($1, $1, 'http://127.0.0.1:9', 'import', $2, '{}', 'one')`,
        [id, status],
      );
      return id;
    }

    const constraintOf = (change: Promise<unknown>): Promise<string> =>
      change.then(
        () => 'none',
        (error: Error & { constraint?: string }) => error.constraint ?? error.message,
      );

    test('each one starts from its states only, and leads to its state', async () => {
      for (const status of runStates) {
        for (const move of moves) {
          const id = await runIn(status);
          assert.equal(await ledger.moveRun(id, move), mayMove(move, status), `${move} from ${status}`);
          const [run] = await ledger.findRuns(id);
          assert.equal(run?.status, mayMove(move, status) ? runMoves[move].to : status, `${move} from ${status}`);
        }
      }
    });

    test('the database refuses every change of state that is no move, and no other', async () => {
      const made = new Set<string>(
        moves.flatMap((move) => runMoves[move].from.map((from) => `${from} to ${runMoves[move].to}`)),
      );
      const wrong: string[] = [];
      for (const from of runStates) {
        for (const to of runStates) {
          if (from === to) continue;
          const id = await runIn(from);
          const refusal = await constraintOf(home.pool.query('update runs set status = $2 where id = $1', [id, to]));
          const expected = made.has(`${from} to ${to}`) ? 'none' : 'runs_move';
          if (refusal !== expected) wrong.push(`${from} to ${to}: ${refusal}, not ${expected}`);
        }
      }
      assert.deepEqual(wrong, []);
    });

    test('the database refuses a state that no run has', async () => {
      assert.equal(await constraintOf(runIn('asleep' satisfies string as RunStatus)), 'runs_status');
    });
  });
}
