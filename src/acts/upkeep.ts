// The acts that look after the ledger: what is to be seen of it, and what came in.
import { z } from 'zod';
import { NoInput } from './shapes/sources.ts';
import { Events, EventsQuery } from './shapes/people-of-run.ts';
import { act } from './act.ts';
import { serviceOf } from './perform.ts';
import { throttledUntil } from '../report/run/build-report.ts';
import { tableFindings } from '../wiring/ledger-findings.ts';

const none = { none: 'it names no person' };

/** What `doctor` says about a ledger; one that is embedded is read to its end. */
export const examineLedger = act({
  id: 'upkeep.examine',
  scope: 'read',
  isLong: true,
  input: NoInput,
  output: z.object({}),
  async run({ context }) {
    const { ledger, config } = context;
    const unfinished = (await ledger.unfinishedRuns()).map(({ id, status }) => ({ id, status }));
    const tables = config.databaseUrl ? [] : await tableFindings(context);
    const throttle = config.service.baseUrl ? await ledger.throttleOf(serviceOf(context)) : undefined;
    return { unfinished, tables, ...(throttle && { throttled: throttledUntil(throttle) }) };
  },
  audit: none,
  http: { none: 'the settings page shows it' },
});

export const countEvents = act({
  id: 'upkeep.events',
  scope: 'read',
  input: EventsQuery,
  output: Events,
  run: async ({ context: { ledger } }, { days }) => ({ events: await ledger.eventCounts(days) }),
  audit: none,
  http: { route: 'GET /events', operation: 'countEvents', summary: 'Count what came in over webhooks' },
});
