/** A fault to be put into a copy of the product. */
export interface PlantedFault {
  name: string;
  file: string;
  /** What stands there, once. */
  find: string;
  replace: string;
}

/** Faults of the kinds that people make. The simulation has to find them within a minute each. */
export const plantedFaults: PlantedFault[] = [
  {
    name: 'a slot that was overslept is used',
    file: 'src/queue/pacer.ts',
    find: 'if (left >= 0 && isOpen) return { go: true, until: performance.now() + left };',
    replace: 'if (left >= -1000 && isOpen) return { go: true, until: performance.now() + 50 };',
  },
  {
    name: 'an empty claim throws',
    file: 'jobs/deliver/group-insert.ts',
    find: 'if (delivery !== undefined) await deliver(context, delivery);',
    replace: "if (delivery === undefined) throw new Error('nothing was claimed');\n  await deliver(context, delivery);",
  },
  {
    name: 'the bound of a guard of groups is off by one',
    file: 'src/core/guards/guard-groups.ts',
    find: '.filter(({ before, now }) => exceeds(guard, Math.abs(now - before), before))',
    replace:
      '.filter(({ before, now }) => exceeds({ ...guard, count: guard.count - 1 }, Math.abs(now - before), before))',
  },
  {
    name: 'nobody waits for what an answer leads to',
    file: 'jobs/deliver/group-insert.ts',
    find: 'await conclude(context, delivery, permit.call, answer);',
    replace: 'void conclude(context, delivery, turn.call, answer);',
  },
  {
    name: 'the last look before a call does not ask whose it is',
    file: 'src/ledger/moves/claim.ts',
    find: 'where ${isMine(worker)}\n      and exists',
    replace: 'where (${isMine(worker)}) is not null\n      and exists',
  },
  {
    name: 'every other slot is given twice',
    file: 'src/core/pace/pacing.ts',
    find: '    this.#next = slot + spacingOf(this.#rate, this.slack) / share;\n    this.#enter(slot);',
    replace:
      '    if (Math.floor(slot) % 2 === 0) return slot;\n    this.#next = slot + spacingOf(this.#rate, this.slack) / share;\n    this.#enter(slot);',
  },
  {
    name: 'a claim of a dead process is not taken back',
    file: 'src/ledger/moves/workers.ts',
    find: 'h.worker <> ${worker}\n    and (',
    replace: 'h.worker <> ${worker} and false\n    and (',
  },
  {
    name: 'Retry-After is ignored',
    file: 'src/core/call/throttle.ts',
    find: "return answer.kind === 'throttled' ? [answer.waitMs, answer.reason] : [undefined, undefined];",
    replace: 'return [undefined, answer.reason];',
  },
  {
    name: 'forgotten people are sent',
    file: 'jobs/run/stage-roster.ts',
    find: '} else if (wasForgotten(row)) {',
    replace: '} else if (wasForgotten(row) && rows < 0) {',
  },
  {
    name: 'an approval of another plan is taken',
    file: 'jobs/run/steer-run.ts',
    find: 'if (looked.length >= leastOfHash && hash.startsWith(looked.toLowerCase())) return;',
    replace: 'if (looked.length >= leastOfHash) return;',
  },
  {
    name: 'a newer roster supersedes nothing',
    file: 'src/ledger/moves/supersede.ts',
    find: 'newer.released_at is not null and newer.roster is not null',
    replace: 'newer.released_at is null and newer.roster is not null',
  },
  {
    name: 'a call in flight is taken back before its timeout',
    file: 'src/ledger/moves/workers.ts',
    find: 'h.called_at < clock_timestamp() - ${timeoutMs} *',
    replace: 'h.called_at < clock_timestamp() - ${timeoutMs / 100} *',
  },
  {
    name: 'a call that a dead process may have made is not shown as repeated',
    file: 'src/ledger/moves/workers.ts',
    find: 'repeated = d.repeated or l.called,',
    replace: 'repeated = d.repeated,',
  },
  {
    name: 'a run is finished while calls are in flight',
    file: 'src/ledger/moves/feed.ts',
    find: "select 1 from deliveries where run_id = ${runId} and state = 'due' limit 1`);",
    replace: "select 1 from deliveries where run_id = ${runId} and state = 'due' and calls < 0 limit 1`);",
  },
  {
    name: 'what a guard stops is due',
    file: 'src/ledger/moves/plan-deliveries.ts',
    find: "m.action, case when ${isStopped} then 'held' else 'due' end,",
    replace: "m.action, case when ${isStopped} and m.action = 'again' then 'held' else 'due' end,",
  },
  {
    name: 'what is handed back without a wait stays claimed',
    file: 'src/ledger/moves/claim.ts',
    find: 'where ${isMine(worker)} returning h.delivery_id as id',
    replace: 'where ${isMine(worker)} and mine.id % 2 = 0 returning h.delivery_id as id',
  },
  {
    name: 'calls of a run that was stopped begin',
    file: 'src/ledger/moves/claim.ts',
    find: "and r.status = 'delivering' offset 0",
    replace: "and r.status <> 'failed' offset 0",
  },
  {
    name: 'an approval of a part releases everything',
    file: 'src/ledger/runs/holds.ts',
    find: 'return sql<boolean>`(${only.length === 0}::boolean or ${named}) and',
    replace: 'return sql<boolean>`(true or ${named}) and',
  },
  {
    name: 'an older file is not held',
    file: 'jobs/run/plan-roster.ts',
    find: '...(late ? [late] : []),',
    replace: '...(late && plan.calls < 0 ? [late] : []),',
  },
  {
    name: 'a breaker that has opened never closes',
    file: 'src/core/pace/breaker.ts',
    find: 'Object.assign(state, { inARow: 0, deliveries: [], throttledSince: 0, interval: 0, probingUntil: 0 });',
    replace: 'Object.assign(state, { inARow: 0, deliveries: [], throttledSince: 0, probingUntil: 0 });',
  },
  {
    name: 'a lane is taken from whoever has it',
    file: 'src/ledger/moves/claim.ts',
    find: 'do update set worker = excluded.worker\n        where in_hand.delivery_id = excluded.delivery_id and in_hand.worker = excluded.worker and in_hand.called_at is null',
    replace:
      'do update set worker = excluded.worker, delivery_id = excluded.delivery_id, run_id = excluded.run_id, call = excluded.call, called_at = null',
  },
  {
    name: 'no receipt is written of a call that is to be repeated',
    file: 'src/ledger/moves/record.ts',
    find: 'from input\n      on conflict',
    replace: 'from input where outcome is not null\n      on conflict',
  },
  {
    name: 'what the queue has lost is never missed',
    file: 'jobs/deliver/deliver.ts',
    find: 'if (thorough || (await queue.size()) < (await positions.count())) positions.forget();',
    replace: 'if (thorough && inHand.size > 1000) positions.forget();',
  },
  {
    name: 'a refused call does not stop the run',
    file: 'src/core/call/retry.ts',
    find: "return { next: 'halt', reason: answer.reason };",
    replace: "return { next: 'again', waitMs: 100, attempt: false, reason: answer.reason };",
  },
  {
    name: 'somebody whose address is new is sent at once',
    file: 'jobs/run/plan-roster.ts',
    find: 'const moved = await holdMoves(context, request, mapping);',
    replace: 'const moved = rows < 0 ? await holdMoves(context, request, mapping) : 0;',
  },
  {
    name: 'what was not sent to a person who is erased stays due',
    file: 'src/ledger/moves/supersede.ts',
    find: "where person_key = ${key} and state = 'due'",
    replace: "where person_key = ${key} and state = 'due' and calls < 0",
  },
  {
    name: 'events that come while a run is in the way are dropped',
    file: 'jobs/events/events-with-people.ts',
    find: "if (status === 'busy') return { done: false };",
    replace: "if (status === 'busy') return { done: true, ids, runId: null };",
  },
  {
    name: 'nobody looks at the answers of a canary stage',
    file: 'jobs/deliver/deliver.ts',
    find: 'if (stop) await stopRun(',
    replace: 'if (stop && stage > 5) await stopRun(',
  },
  {
    name: 'everybody is invited, whatever the settings say',
    file: 'jobs/deliver/group-insert.ts',
    find: 'insertGroups({ groups, user, invite, forceSync },',
    replace: 'insertGroups({ groups, user, invite: invite || true, forceSync },',
  },
  {
    name: 'with forceSync the groups of other sources are left out',
    file: 'src/ledger/moves/claim.ts',
    find: 'and source <> r.source',
    replace: 'and source = r.source',
  },
  {
    name: 'the bound of empty cells and of domains is off by one',
    file: 'src/core/guards/guard-settings.ts',
    find: 'apart * of > count + inexact',
    replace: 'apart * of > count - 1 + inexact',
  },
  {
    name: 'memberships that forceSync takes away are held only above the highest number',
    file: 'src/core/guards/guard-people.ts',
    find: 'if (memberships <= guard.max && !isShare) return undefined;',
    replace: 'if (memberships <= guard.max) return undefined;',
  },
  {
    name: 'one more is invited than somebody has allowed',
    file: 'src/core/guards/guard-people.ts',
    find: 'possibleInvitations <= maxInvitations)',
    replace: 'possibleInvitations <= maxInvitations + 1)',
  },
  {
    name: 'people of another source are not noticed',
    file: 'src/core/guards/guard-roster.ts',
    find: 'if (isSaid || !exceeds(guard, usually - own, usually)',
    replace: 'if (isSaid || usually > 0 || !exceeds(guard, usually - own, usually)',
  },
  {
    name: 'what somebody brought is sent at once',
    file: 'jobs/run/judge-run.ts',
    find: 'if (broughtBy !== undefined) {',
    replace: 'if (broughtBy === null) {',
  },
  {
    name: 'one person who has left is sent',
    file: 'src/core/guards/guard-people.ts',
    find: 'if (signs.length === 0) return undefined;',
    replace: 'if (!signs.some(({ rows }) => rows > 1)) return undefined;',
  },
  {
    name: 'what the service echoes is kept with its secrets',
    file: 'src/service/interpret.ts',
    find: "const shown = redact(text, response.extent !== 'complete');",
    replace: 'const shown = text;',
  },
];
