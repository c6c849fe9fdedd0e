// `sync`: does what `import` does, with a source of the config.
import { lowerRate, openForRun, type OpenRequest } from '../../../jobs/index.ts';
import { requireSource } from '../../wiring/configured-source.ts';
import type { Context } from '../../wiring/context.ts';
import { assertThere } from '../../roster/files/file-source.ts';
import { listenForInterruptions } from '../../process/shutdown.ts';
import { isTerminal } from '../frame/ask.ts';
import { matrixOf, serviceOf } from './import.ts';
import { sayWaiting } from '../frame/output.ts';
import { chooseRate } from '../frame/rate.ts';
import { boundOf, type RunOptions } from '../run/roster-job.ts';
import { runRoster } from '../run/roster-run.ts';
import { openSession, withContext } from '../frame/session.ts';
import { reportUnchanged } from '../frame/unchanged-source.ts';
import { checkRunFiles } from '../frame/run-files.ts';

/** The flags of `sync`. */
export interface SyncOptions extends RunOptions {
  groupMatrix: string[];
}

/** `roster-sync sync <source>`: what `import` does, with a source named in the config. Returns the exit code. */
export async function syncSource(name: string, options: SyncOptions): Promise<number> {
  const session = openSession(options, [boundOf(options)]);
  const { config, output } = session;
  const { dryRun = false, all = false, onlyActive = false, only, asOf, groupMatrix } = options;
  checkRunFiles(options, config);
  const settings = requireSource(config, name);
  const { deliver } = settings;
  // A file that is not there is reported first: its name may be mistyped before any service is set.
  if (settings.file !== undefined) await assertThere(settings);
  const service = serviceOf(config, dryRun);
  const { rate, note } = chooseRate(config, options.rate);
  if (note !== undefined) output.note(note);
  return withContext(session, { command: `sync ${name}`, create: !dryRun, dryRun }, async (context) => {
    const anew = all || dryRun || onlyActive || only.length > 0 || asOf !== undefined || groupMatrix.length > 0;
    // A person at a terminal, who has to say yes, may want to see the plan.
    const compareBytes = options.yes === true || !isTerminal();
    const opened = await open(context, { source: name, service, anew, compareBytes, onWait: sayWaiting(output) });
    if ('unchangedSince' in opened) {
      return reportUnchanged(context, opened.unchangedSince.runId, { output, options });
    }
    try {
      return await runRoster(context, {
        ...{ session, options, trigger: 'sync', source: name, service, ...opened },
        ...(groupMatrix.length > 0 && {
          columns: { ...opened.columns, takesFlags: true, ...matrixOf(groupMatrix, opened.roster.form.header) },
        }),
        ...(deliver && { deliver }),
        rate: lowerRate(rate, deliver?.rate),
      });
    } finally {
      await opened.roster.close();
    }
  });
}

/** Opens a source; Ctrl-C stops the waiting for it. */
async function open(context: Context, request: OpenRequest): ReturnType<typeof openForRun> {
  const interruptions = listenForInterruptions(() => {});
  try {
    return await openForRun(context, { ...request, signal: interruptions.signal });
  } finally {
    interruptions.dispose();
  }
}
