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
    find: 'if (left >= 0 && store.gate <= at && store.pace === pace) return { go: true, until: performance.now() + left };',
    replace:
      'if (left >= -1000 && store.gate <= at && store.pace === pace) return { go: true, until: performance.now() + 50 };',
  },
  {
    name: 'an empty claim throws',
    file: 'jobs/deliver/group-insert.ts',
    find: 'if (delivery === undefined) return;',
    replace: "if (delivery === undefined) throw new Error('nothing was claimed');",
  },
  {
    name: 'the bound of every guard is off by one',
    file: 'src/core/guards/guard-settings.ts',
    find: 'return part > count &&',
    replace: 'return part >= count &&',
  },
  {
    name: 'nobody waits for what an answer leads to',
    file: 'jobs/deliver/group-insert.ts',
    find: 'await conclude(context, delivery, turn.call, answer);',
    replace: 'void conclude(context, delivery, turn.call, answer);',
  },
  {
    name: 'the last look before a call does not ask whose it is',
    file: 'src/ledger/moves/begin.ts',
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
    file: 'src/ledger/moves/take-back.ts',
    find: 'h.worker <> ${worker}\n    and (',
    replace: 'h.worker <> ${worker} and false\n    and (',
  },
  {
    name: 'a guard of groups counts rows instead of people',
    file: 'jobs/run/merge-people.ts',
    find: '      taker.unite(rows);\n',
    replace: '',
  },
  {
    name: 'Retry-After is ignored',
    file: 'src/core/call/throttle.ts',
    find: "return answer.kind === 'throttled' ? [answer.waitMs, answer.reason] : [undefined, undefined];",
    replace: 'return [undefined, answer.reason];',
  },
  {
    name: 'a 429 counts as an attempt',
    file: 'src/core/call/retry.ts',
    find: 'waitMs: answer.waitMs ?? 0, attempt: false, reason',
    replace: 'waitMs: answer.waitMs ?? 0, attempt: true, reason',
  },
  {
    name: 'forgotten people are sent',
    file: 'jobs/run/stage-roster.ts',
    find: '} else if (wasForgotten(row)) {',
    replace: '} else if (wasForgotten(row) && rows < 0) {',
  },
  {
    name: 'an approval of another plan is taken',
    file: 'jobs/run/approve-run.ts',
    find: 'if (looked.length >= leastOfHash && hash.startsWith(looked.toLowerCase())) return;',
    replace: 'if (looked.length >= leastOfHash) return;',
  },
  {
    name: 'a newer roster supersedes nothing',
    file: 'src/ledger/moves/release.ts',
    find: 'await supersedeOlder(transaction, runId);\n    await learnEmployeeIds(transaction, runId);\n    await forgetUnchanged(transaction, runId);\n    await sql',
    replace:
      'await learnEmployeeIds(transaction, runId);\n    await forgetUnchanged(transaction, runId);\n    await sql',
  },
  {
    name: 'people are sent before their first day',
    file: 'src/core/mapping/map-row.ts',
    find: 'return day !== undefined && (today === undefined || day > today) ? day : undefined;',
    replace: 'return day !== undefined && (today === undefined || day > today + 100) ? day : undefined;',
  },
  {
    name: 'a call in flight is taken back before its timeout',
    file: 'src/ledger/moves/take-back.ts',
    find: 'h.called_at < clock_timestamp() - ${timeoutMs} *',
    replace: 'h.called_at < clock_timestamp() - ${timeoutMs / 100} *',
  },
  {
    name: 'a call that a dead process may have made is not shown as repeated',
    file: 'src/ledger/moves/take-back.ts',
    find: 'repeated = d.repeated or l.called,',
    replace: 'repeated = d.repeated,',
  },
  {
    name: 'a call that may have happened is not shown as repeated',
    file: 'jobs/deliver/group-insert.ts',
    find: "repeated: answer.kind === 'may-have-happened' && decision.next === 'again',",
    replace: 'repeated: false,',
  },
  {
    name: 'a run is finished while calls are in flight',
    file: 'src/ledger/runs/delivering-runs.ts',
    find: "or exists (select 1 from deliveries where run_id = ${runId} and state = 'waiting') as open",
    replace: "and exists (select 1 from deliveries where run_id = ${runId} and state = 'waiting') as open",
  },
  {
    name: 'groups are not part of what was given',
    file: 'src/core/person/member.ts',
    find: 'telephone ?? null, inOrder(groups), forceSync]',
    replace: 'telephone ?? null, forceSync]',
  },
  {
    name: 'what a guard stops is due',
    file: 'src/ledger/moves/plan-deliveries.ts',
    find: "case when m.stopped then 'held' when",
    replace: "case when m.stopped and m.action = 'again' then 'held' when",
  },
  {
    name: 'a retry sends those again who had succeeded',
    file: 'src/ledger/moves/reopen.ts',
    find: 'where d.run_id = ${runId} and ${isFailure(filter)}',
    replace: "where d.run_id = ${runId} and d.state = 'done'",
  },
  {
    name: 'what is handed back without a wait stays claimed',
    file: 'src/ledger/moves/hand-back.ts',
    find: 'where ${isMine(worker)} returning h.delivery_id as id',
    replace: 'where ${isMine(worker)} and mine.id % 2 = 0 returning h.delivery_id as id',
  },
  {
    name: 'a run that continues sends what was overtaken',
    file: 'src/ledger/moves/release.ts',
    find: 'const overtaken = await supersedeByNewer(transaction, runId);',
    replace: 'const overtaken = 0;',
  },
  {
    name: 'calls of a run that was stopped begin',
    file: 'src/ledger/moves/begin.ts',
    find: "r.status = 'delivering'",
    replace: "r.status <> 'failed'",
  },
  {
    name: 'an approval of a part releases everything',
    file: 'src/ledger/moves/approve.ts',
    find: 'return sql<boolean>`(${only.length === 0}::boolean or ${named}) and',
    replace: 'return sql<boolean>`(true or ${named}) and',
  },
  {
    name: 'a partial answer is a success',
    file: 'src/core/call/outcome.ts',
    find: "return { outcome: 'partial',",
    replace: "return { outcome: 'succeeded',",
  },
  {
    name: 'a person on several rows keeps the groups of the first one',
    file: 'jobs/run/merge-people.ts',
    find: 'const { member, lines } = merged;',
    replace:
      'const { lines } = merged;\n        const member = { ...merged.member, groups: rows[0]?.member.groups ?? [] };',
  },
  {
    name: 'a job that is given out twice is called twice',
    file: 'jobs/deliver/deliver.ts',
    find: '    if (inHand.has(fed.id)) return;\n',
    replace: '',
  },
  {
    name: 'an older file is not held',
    file: 'jobs/run/plan-roster.ts',
    find: 'trips: [...brought(request, plan), ...(late ? [late] : []), ...trips],',
    replace: 'trips: [...brought(request, plan), ...(late && plan.calls < 0 ? [late] : []), ...trips],',
  },
  {
    name: 'a breaker that has opened never closes',
    file: 'src/core/pace/breaker.ts',
    find: 'Object.assign(state, { inARow: 0, deliveries: [], interval: 0, probingUntil: 0 });',
    replace: 'Object.assign(state, { inARow: 0, deliveries: [], probingUntil: 0 });',
  },
  {
    name: 'what was given is not remembered where it changes',
    file: 'src/ledger/moves/record.ts',
    find: 'fingerprint = coalesce(excluded.fingerprint, people.fingerprint),',
    replace: 'fingerprint = coalesce(people.fingerprint, excluded.fingerprint),',
  },
];
