// The acts that look at runs: list and show them, their plan, people, failures, times and audit.
import { z } from 'zod';
import { defined } from '../core/defined.ts';
import { InputError, NotFoundError, NotNowError } from '../core/errors.ts';
import type { Run } from '../ledger/runs/runs.ts';
import { adviceFor, writeCause } from '../core/run/cause.ts';
import { plain } from '../core/plain.ts';
import { removedSentence } from '../report/plan/plan-sentences.ts';
import { findRun, isAlike, readDetails, readReport, readSummaries, runBefore } from '../report/run/read-report.ts';
import { act, look } from './act.ts';
import { filterOf, plannedFor } from './people-filter.ts';
import { Failures, PeopleInput, PeopleOfRun, RunTimeline, TimelineInput } from './shapes/people-of-run.ts';
import * as shapes from './shapes/requests.ts';
import { Corrections } from './shapes/run.ts';

const [mostDeeds, fewPeople] = [200, 50];

export const listRuns = look({
  id: 'runs.list',
  input: shapes.ListQuery,
  output: shapes.Runs,
  async run({ context }, { limit, before, since, ...filter }) {
    const found = await context.ledger.listRuns(limit + 1, {
      ...filter,
      ...(since !== undefined && { since: new Date(since) }),
      ...(before !== undefined && { before: (await findRun(context, before)).number }),
    });
    const runs = await readSummaries(context, found.slice(0, limit));
    return { runs, ...(found.length > limit && defined({ next: runs.at(-1)?.run })) };
  },
  http: { route: 'GET /runs', operation: 'listRuns' },
});

export const getRun = look({
  id: 'runs.get',
  input: shapes.RunParams,
  output: shapes.Run,
  run: ({ context }, { run }) => readReport(context, run),
  http: { route: 'GET /runs/:run', operation: 'getRun' },
});

/** A run with all that is to be said about it, for a terminal. */
export const showRun = look({
  id: 'runs.show',
  input: shapes.RunParams.extend({ mostAnswers: z.int() }),
  output: shapes.Run,
  async run({ context }, { run, mostAnswers }) {
    const newest = await context.ledger.supersededBy(run.id);
    return {
      report: await readReport(context, run),
      details: await readDetails(context, run),
      answers: plain(await context.ledger.notableAnswers(run.id, mostAnswers)),
      ...defined({ removed: removedSentence(run), replacedBy: newest && { run: newest.id, status: newest.status } }),
    };
  },
  http: { none: 'GET /runs/:run, the plan, the audit and the report say the same' },
});

export const getPlan = look({
  id: 'runs.plan',
  input: shapes.RunParams,
  output: shapes.PlanOfRun,
  run(_, { run: { id, status, plan, trips } }) {
    if (plan === null) throw new NotFoundError(`Run ${id} is ${status} and has no plan.`, { code: 'NO_PLAN' });
    const stopped = trips.map(({ guard, message, next }) => ({ guard, message, ...defined({ next }) }));
    return Promise.resolve({ run: id, status, ...plan, trips: stopped });
  },
  http: { route: 'GET /runs/:run/plan', operation: 'getPlan' },
});

export const getAudit = look({
  id: 'runs.audit',
  input: shapes.RunParams,
  output: shapes.Audit,
  async run({ context: { ledger } }, { run: { id } }) {
    const deeds = await ledger.listDeeds({ runId: id, limit: mostDeeds });
    return { audit: deeds.map(({ runId, at, ...deed }) => ({ at: at.toISOString(), ...deed, run: runId })) };
  },
  http: { route: 'GET /runs/:run/audit', operation: 'getAudit' },
});

export const listPeople = act({
  id: 'runs.people',
  scope: 'read',
  input: PeopleInput,
  output: PeopleOfRun,
  async run({ context: { ledger } }, { run, limit = fewPeople, after = '', ...asked }) {
    const found = await ledger.peopleOfRun(plannedFor(run), filterOf(run, asked), { after, limit: limit + 1 });
    return {
      people: plain(found.slice(0, limit)),
      next: found.length > limit ? (found.at(limit - 1)?.key ?? null) : null,
    };
  },
  audit: { none: 'it is what somebody decides by, a page at a time' },
  // A name or an address in a path or a query would be in the logs of every proxy.
  http: { route: 'POST /runs/:run/people', operation: 'listPeople' },
});

export const listCorrections = act({
  id: 'runs.corrections',
  scope: 'read',
  input: shapes.RunParams,
  output: Corrections,
  run: async ({ context: { ledger } }, { run: { id } }) => ({ corrections: await ledger.correctionsOf(id) }),
  audit: { none: 'it is what somebody decides by' },
  http: { route: 'GET /runs/:run/corrections', operation: 'listCorrections' },
});

export const compareRuns = act({
  id: 'runs.compare',
  scope: 'read',
  input: shapes.CompareInput,
  output: shapes.Comparison,
  async run({ context }, { run, with: named, change, from = 0, after = '', limit = fewPeople }) {
    const { ledger } = context;
    const { source, service } = run;
    const before = named ?? (await runBefore(context, run))?.id;
    if (before === undefined)
      throw new NotNowError(`There is no run of ${source} before ${run.id} that was released, to compare it with.`);
    const other = await findRun(context, before);
    if (!isAlike(run, other) || other.id === run.id) {
      throw new InputError(`Run ${other.id} is no other run of ${source} with a plan: only such runs are compared.`);
    }
    const [older, newer] = other.number < run.number ? [other, run] : [run, other];
    const of = { source, service, from: older.number, to: newer.number };
    if (older.releasedAt === null) {
      throw new NotNowError(
        `Nothing of run ${older.id} was released, so what came after it builds on an older one: name a run that was released.`,
      );
    }
    const { counts, people, isRemoved } = await ledger.compareRuns(of, {
      ...defined({ change }),
      from,
      after,
      limit: limit + 1,
    });
    if (isRemoved) {
      throw new NotNowError(
        `The people of a run from ${older.id} to ${newer.id} are no longer kept (retention): compare newer runs.`,
      );
    }
    const told = ({ id, createdAt, roster }: Run) => {
      return { run: id, startedAt: createdAt.toISOString(), members: roster?.counts.members ?? 0 };
    };
    const next = people.length > limit ? people[limit - 1]?.key : undefined;
    return {
      source,
      service,
      older: told(older),
      newer: told(newer),
      counts,
      people: people.slice(0, limit),
      ...defined({ next }),
    };
  },
  audit: { none: 'it is what somebody decides by, a page at a time' },
  http: { route: 'POST /runs/:run/compare', operation: 'compareRuns' },
});

export const listFailures = look({
  id: 'runs.failures',
  input: shapes.RunParams,
  output: Failures,
  async run({ context: { ledger } }, { run: { id } }) {
    const failures = (await ledger.failuresOf(id)).map(({ said, ...failure }) => {
      const { retryHelps, words: advice } = adviceFor(failure);
      return { cause: writeCause({ ...failure, said }), ...failure, retryHelps, advice };
    });
    return { failures };
  },
  http: { route: 'GET /runs/:run/failures', operation: 'listFailures' },
});

export const getTimeline = look({
  id: 'runs.timeline',
  input: TimelineInput,
  output: RunTimeline,
  async run({ context: { ledger } }, { run: { id }, slices: most }) {
    const { sliceMs, slices } = await ledger.timelineOf(id, most);
    const none = { succeeded: 0, partial: 0, failed: 0, unknown: 0 };
    const times = slices.map(({ at, outcome, unanswered }) => {
      return { at: at.toISOString(), ...none, ...outcome, unanswered };
    });
    return { sliceMs, slices: times };
  },
  http: { route: 'GET /runs/:run/timeline', operation: 'getTimeline' },
});
