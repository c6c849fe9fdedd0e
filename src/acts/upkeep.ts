// The acts that look after the ledger: what is to be seen of it, and what came in.
import { z } from 'zod';
import { pruneLedger as prune } from '../../jobs/upkeep/prune-ledger.ts';
import { Examined, Finding, PruneDocument } from './shapes/upkeep.ts';
import { Nothing } from './shapes/parts.ts';
import { Events, EventsQuery } from './shapes/people-of-run.ts';
import { act, look } from './act.ts';
import { serviceOf } from './perform.ts';
import { throttledUntil } from '../report/run/build-report.ts';
import { serviceFinding, tableFindings } from '../wiring/findings.ts';
import { RequestError } from '../core/errors.ts';

/** What `doctor` says about a ledger; one that is embedded is read to its end. */
export const examineLedger = look({
  id: 'upkeep.examine',
  isLong: true,
  input: Nothing,
  output: Examined,
  async run({ context }) {
    const { ledger, config } = context;
    const unfinished = (await ledger.unfinishedRuns()).map(({ id, status, service }) => ({ id, status, service }));
    const tables = config.databaseUrl ? [] : await tableFindings(context);
    const throttle = config.service.baseUrl ? await ledger.throttleOf(serviceOf(context)) : undefined;
    return { unfinished, tables, ...(throttle && { throttled: throttledUntil(throttle) }) };
  },
  http: { none: 'the settings page shows it' },
});

/** Whether a process asks the service just now, by its configuration. */
const asking = new WeakSet<object>();

/** What the service says to one harmless question, asked by the process that delivers. */
export const askService = act({
  id: 'upkeep.askService',
  scope: 'run',
  isLong: true,
  input: Nothing,
  output: Finding,
  async run({ context }) {
    const { config } = context;
    if (asking.has(config)) throw new RequestError(409, 'BUSY', 'The service is being asked. Try again in a moment.');
    asking.add(config);
    return serviceFinding(context).finally(() => asking.delete(config));
  },
  audit: 'ask the service',
  http: { none: 'the settings page asks it' },
});

export const countEvents = look({
  id: 'upkeep.events',
  input: EventsQuery,
  output: Events,
  run: async ({ context: { ledger } }, { days }) => ({ events: await ledger.eventCounts(days) }),
  http: { route: 'GET /events', operation: 'countEvents' },
});

/** No limit: whoever asks waits until it is done. */
const withinMs = 24 * 3_600_000;

export const pruneLedger = act({
  id: 'upkeep.prune',
  scope: 'run',
  isLong: true,
  input: z.strictObject({ dryRun: z.boolean() }),
  output: PruneDocument,
  async run({ context }, { dryRun }) {
    const { ledger, config } = context;
    const removed = await (dryRun ? ledger.countPrunable(config.retention) : prune(context, withinMs));
    const { answers, rosters, receipts } = removed;
    return { dryRun, answers, rosters, receipts };
  },
  audit: { of: ({ dryRun }) => (dryRun ? undefined : 'prune') },
  http: { none: 'each run does it at its end' },
});
