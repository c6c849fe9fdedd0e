// The acts that start a run: of a source, or of a file by the rules of a source.
import { runSource, type SourceRun, type SourceRunResult } from '../../jobs/run/run-source.ts';
import { defined } from '../core/defined.ts';
import { RequestError } from '../core/errors.ts';
import { parseRosterTime } from '../core/guards/roster-time.ts';
import { refuseUnknown, withBroughtFile } from '../intake/brought-file.ts';
import { learnKeptSources } from '../wiring/kept-sources.ts';
import { act, type Asker } from './act.ts';
import { planningContext } from './perform.ts';
import { StartBody, Started, UploadQuery } from './shapes/requests.ts';

/** What came of it. */
export interface Began extends Pick<SourceRunResult, 'status' | 'reason'> {
  run: string;
}

/** What starts a run. It notes itself who did, as a run that failed was begun, too. */
export const starting = {
  scope: 'run',
  isLong: true,
  isOfServer: true,
  output: Started,
  audit: { none: 'it is noted with the run that it begins, also where that fails' },
  makes: {
    isNew: ({ status }: Began) => status !== 'unchanged',
    path: ({ run }: Began) => `/runs/${run}`,
    failure({ run, status, reason }: Began) {
      if (status === 'busy') return busy(reason);
      return status === 'failed' ? new RequestError(422, 'RUN_FAILED', `Run ${run}: ${reason}`) : undefined;
    },
  },
} as const;

const busy = (reason: string): RequestError => new RequestError(409, 'BUSY', `${reason}.`);

/** Plans a run for whoever asks, and notes that they began it. With `hold` all of it waits until somebody has looked at it. */
async function start(
  { context, by, origin, poke, closing }: Asker,
  {
    action = 'start',
    hold = false,
    ...run
  }: Omit<SourceRun, 'trigger'> & { action?: string; hold?: boolean | undefined },
): Promise<Began> {
  await learnKeptSources(context);
  refuseUnknown(context, run.source);
  const broughtBy = hold ? by : undefined;
  const { runId, status, reason } = await runSource(planningContext(context), {
    ...{ ...run, trigger: 'api', by },
    ...defined({ broughtBy, signal: closing }),
  });
  if (status === 'busy') throw busy(reason);
  await context.ledger.noteDeed({ by, action, runId, origin });
  poke(runId);
  return { run: runId, status, reason };
}

/** What it leaves out, the config says: `forceSync` above all. */
export const startRun = act({
  id: 'runs.start',
  ...starting,
  input: StartBody,
  run: (asker, run) => start(asker, run),
  http: { route: 'POST /runs', operation: 'startRun' },
});

export const uploadRun = act({
  id: 'runs.upload',
  ...starting,
  takesFile: true,
  input: UploadQuery,
  async run(asker, { source, file: name = 'the upload', asOf, hold }, bytes) {
    const { context } = asker;
    await learnKeptSources(context);
    const time = asOf === undefined ? {} : { asOf: parseRosterTime(asOf, { option: 'asOf', now: new Date() }) };
    const action = hold === true ? 'bring a file' : 'start';
    return withBroughtFile(context, { source, name, bytes }, (roster) =>
      start(asker, { source, ...time, roster, action, hold }),
    );
  },
  http: { route: 'POST /runs/upload', operation: 'uploadRun' },
});
