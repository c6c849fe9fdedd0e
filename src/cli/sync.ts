import { listenForInterruptions } from '../shutdown.ts';
import { serviceOf } from './import.ts';
import { mappingOf } from './mapping-of.ts';
import { openConfigured, requireSource } from './open-configured.ts';
import { chooseRate, lowerRate } from './rate.ts';
import { runRoster, type RunOptions } from './roster-run.ts';
import { openSession, withContext } from './session.ts';
import { checkWrittenFiles } from './written-files.ts';

/** `roster-sync sync <source>`: what `import` does, with a source named in the config. Returns the exit code. */
export async function syncSource(name: string, options: RunOptions): Promise<number> {
  const session = openSession(options);
  const { config, output, log } = session;
  const { dryRun = false } = options;
  checkWrittenFiles(options, config);
  const source = requireSource(config, name);
  const service = serviceOf(config, dryRun);
  const { rate, note } = chooseRate(config, options.rate);
  if (note !== undefined) output.note(note);
  const { deliver } = source;
  const columns = { groups: [], groupColumns: [], today: new Date() };
  const interruptions = listenForInterruptions(() => {});
  const roster = await openConfigured(
    name,
    source,
    { ...columns, ...mappingOf(source) },
    { config, output, signal: interruptions.signal },
  ).finally(() => interruptions.dispose());
  try {
    return await withContext({ config, log, command: `sync ${name}`, create: !dryRun, dryRun }, (context) =>
      runRoster(context, {
        ...{ session, options, trigger: 'sync', source: name, service, roster },
        columns: { ...columns, ...mappingOf(source, roster.form.header) },
        ...(deliver && { deliver }),
        rate: lowerRate(rate, deliver?.rate),
      }),
    );
  } finally {
    await roster.close();
  }
}
