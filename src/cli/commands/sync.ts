// `sync`: does what `import` does, with a source of the config.
import { type OpenedRoster, openForRun, type OpenRequest, RosterUnchanged } from '../../../jobs/index.ts';
import { assertThere } from '../../roster/files/file-source.ts';
import { requireSource } from '../../roster/configured-source.ts';
import type { Context } from '../../wiring/context.ts';
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

export interface SyncOptions extends RunOptions {
  groupMatrix: string[];
}

export async function syncSource(name: string, options: SyncOptions): Promise<number> {
  const session = openSession(options, [boundOf(options)]);
  const { config, output } = session;
  const { dryRun = false, all = false, onlyActive = false, only, asOf, groupMatrix } = options;
  checkRunFiles(options, config);
  const settings = requireSource(config, name);
  // A file that is not there is reported first: its name may be mistyped before any service is set.
  if (settings.file !== undefined) await assertThere(settings);
  const service = serviceOf(config, dryRun);
  const { rate, note } = chooseRate(config, options.rate);
  if (note !== undefined) output.note(note);
  return withContext(session, { command: `sync ${name}`, create: !dryRun, dryRun }, async (context) => {
    const anew = all || dryRun || onlyActive || only.length > 0 || asOf !== undefined || groupMatrix.length > 0;
    // A person at a terminal, who has to say yes, may want to see the plan.
    const compareBytes = options.yes === true || !isTerminal();
    const asked = { source: name, service, anew, compareBytes, onWait: sayWaiting(output) };
    const found = await open(context, asked).catch((error: unknown) => {
      if (error instanceof RosterUnchanged) return error;
      throw error;
    });
    if (found instanceof RosterUnchanged) return reportUnchanged(context, found.since, { output, options });
    const { roster } = found;
    try {
      const matrix = groupMatrix.length > 0 && { takesFlags: true, ...matrixOf(groupMatrix, roster.form.header) };
      const opened = { ...found, columns: { ...found.columns, ...matrix } };
      return await runRoster(context, { session, options, trigger: 'sync', source: name, service, opened, rate });
    } finally {
      await roster.close();
    }
  });
}

async function open(context: Context, request: OpenRequest): Promise<OpenedRoster> {
  const interruptions = listenForInterruptions(() => {});
  try {
    return await openForRun(context, { ...request, signal: interruptions.signal });
  } finally {
    interruptions.dispose();
  }
}
