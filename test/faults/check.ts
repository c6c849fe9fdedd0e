import assert from 'node:assert/strict';
import { personKey } from '../../src/core/person/member.ts';
import { mostCallsInWindow, overlappingCalls, repeatedCalls, type SandboxCall } from '../../src/sandbox/index.ts';
import { type Production, rate, timeoutMs } from './place.ts';

/** What a test allows beyond the rules. */
export interface Allowed {
  /** People whose call was in flight when its process was killed or stopped: they may be called again, once its timeout has passed. */
  repeated?: ReadonlySet<string>;
  /** Outcomes other than `succeeded`, counted over all runs. */
  outcomes?: Partial<Record<'failed' | 'unknown' | 'superseded' | 'partial', number>>;
}

/** A call that told the caller that everything went well. */
function isAnswered({ status, endedAt, fault = '' }: SandboxCall): boolean {
  return status === 200 && endedAt !== undefined && !/body=|reset=/.test(fault);
}

/**
 * How many calls of each person had no answer within their deadline, by their receipts: on a machine that is so busy that it
 * lets a worker wait for longer than that, the answer has been sent and nobody reads it. Such a call is repeated (R7).
 */
async function answeredTooLate(pool: Production['pool'], runs: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ person: string; count: number }>(
    `select d.person_key as person, count(*)::int as count
     from receipts r join deliveries d on d.id = r.delivery_id
     where r.run_id = any ($1) and r.kind = 'may-have-happened' and r.answered_at - r.called_at >= $2 * interval '1 millisecond'
     group by 1`,
    [runs, timeoutMs],
  );
  return new Map(rows.map(({ person, count }) => [person, count]));
}

/**
 * What must hold after every fault, by the ledger and as the receiving side saw it:
 * 1. every planned delivery has exactly one outcome, and the receipt of it (R2);
 * 2. nobody was ever in two calls at once (R3);
 * 3. the pace was never exceeded (R4);
 * 4. nobody was called again whose call was answered, but for calls that were in flight when their process died (R7).
 */
export async function check(place: Production, runs: readonly string[], allowed: Allowed = {}): Promise<void> {
  const { sandbox, pool } = place;
  const { repeated: mayRepeat = new Set<string>(), outcomes = {} } = allowed;
  const calls = [...sandbox.calls];

  const { rows } = await pool.query<{
    person: string;
    state: string;
    outcome: string;
    accepted: number;
    source: string;
  }>(
    `select d.person_key as person, d.state, d.outcome, r.source,
       (select count(*) from receipts where delivery_id = d.id and kind = 'accepted')::int as accepted
     from deliveries d join runs r on r.id = d.run_id where d.run_id = any ($1)`,
    [runs],
  );
  assert.ok(rows.length > 0);
  assert.deepEqual(
    rows.filter(({ state, outcome }) => state !== 'done' || outcome === null),
    [],
    'R2: deliveries without an outcome',
  );
  const counts: Record<string, number> = {};
  for (const { outcome } of rows) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const others = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  assert.deepEqual(counts, { succeeded: rows.length - others, ...outcomes }, 'R2: outcomes');
  assert.deepEqual(
    rows.filter(({ outcome, accepted }) => outcome === 'succeeded' && accepted === 0),
    [],
    'R2: successes without a receipt',
  );
  const called = new Set(calls.map(({ email }) => personKey(email ?? '')));
  assert.deepEqual(
    rows.filter(({ outcome, person }) => outcome === 'succeeded' && !called.has(person)),
    [],
    'R6: successes that the service never saw',
  );

  const overlaps = overlappingCalls(calls).filter(
    ({ email, first, second }) => !(mayRepeat.has(email) && second.arrivedAt - first.arrivedAt >= timeoutMs),
  );
  assert.deepEqual(overlaps, [], 'R3: two calls of one person at once');

  // Where the machine is so busy that it lets a process wait, calls are seen late by as much, and then closer together: the
  // longer it waited, the more windows are judged together.
  const stalledMs = place.longestStallMs();
  const windows = Math.max(1, Math.ceil((4 * stalledMs) / rate.perMs));
  const span = windows * rate.perMs - 2 * stalledMs;
  const most = mostCallsInWindow(calls, span);
  assert.ok(most <= windows * rate.limit, `R4: ${most} calls in ${span} ms, and ${windows * rate.limit} are allowed`);

  const planned = new Map<string, number>();
  for (const { person } of rows) planned.set(person, (planned.get(person) ?? 0) + 1);
  const tooLate = await answeredTooLate(pool, runs);
  const again = repeatedCalls(calls).filter(({ email, calls: ofOne }) => {
    const late = tooLate.get(personKey(email)) ?? 0;
    const answered = ofOne.filter(isAnswered).length - late;
    const lost = ofOne.slice(0, -1).some((call) => !isAnswered(call));
    if (mayRepeat.has(email)) return false;
    const wanted = planned.get(email) ?? 0;
    return answered > wanted || (ofOne.length - late > wanted && !lost);
  });
  assert.deepEqual(
    again.map(({ email, calls: ofOne }) => [
      email,
      ofOne.map(({ status, fault, arrivedAt, endedAt }) => `${status} ${fault} ${arrivedAt} to ${endedAt}`),
    ]),
    [],
    'R7: calls repeated in vain',
  );
  for (const { email, calls: ofOne } of repeatedCalls(calls)) {
    if (!mayRepeat.has(email)) continue;
    const [first, second] = ofOne;
    const gap = (second?.arrivedAt ?? 0) - (first?.arrivedAt ?? 0);
    assert.ok(gap >= timeoutMs, `R3: ${email} was called again after ${gap} ms, before the timeout of ${timeoutMs} ms`);
    assert.ok(ofOne.length === 2, `R7: ${email} was called ${ofOne.length} times`);
  }
}
