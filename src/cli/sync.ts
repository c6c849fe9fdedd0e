import type { Config } from '../../config/load.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import type { Context } from '../context.ts';
import { SourceUnchanged, type Validators } from '../core/source.ts';
import type { FetchedRoster } from '../roster/fetch/open-http.ts';
import { listenForInterruptions } from '../shutdown.ts';
import { serviceOf } from './import.ts';
import { mappingOf } from './mapping-of.ts';
import { openConfigured, requireSource } from './open-configured.ts';
import type { Output } from './output.ts';
import { chooseRate, lowerRate } from './rate.ts';
import { runRoster, type RunOptions } from './roster-run.ts';
import { openSession, withContext } from './session.ts';
import { canBeUnchanged, digestOf, reportUnchanged } from './unchanged.ts';
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
  const contextOptions = { config, log, command: `sync ${name}`, create: !dryRun, dryRun };

  async function run(context: Context, roster: FetchedRoster, digest?: string): Promise<number> {
    const { validators, form } = roster;
    return runRoster(context, {
      ...{ session, options, trigger: 'sync', source: name, service, roster },
      columns: { ...noFlags(), ...mappingOf(source, form.header) },
      ...(deliver && { deliver }),
      rate: lowerRate(rate, deliver?.rate),
      ...(digest !== undefined && validators && { version: { digest, validators } }),
    });
  }

  if (canBeUnchanged(source, options)) {
    return withContext(contextOptions, async (context) => {
      const digest = digestOf(source, config, await context.ledger.ledgerId());
      const last = await context.ledger.recallSource({ service, source: name, digest });
      const roster = await openUnlessUnchanged(name, source, { config, output }, last?.validators);
      if (!roster) return reportUnchanged(context, last?.runId ?? 'latest', { output, options });
      return closing(roster, () => run(context, roster, digest));
    });
  }
  const roster = await open(name, source, { config, output });
  return closing(roster, () => withContext(contextOptions, (context) => run(context, roster)));
}

function noFlags() {
  return { groups: [], groupColumns: [], today: new Date() };
}

async function closing(roster: FetchedRoster, use: () => Promise<number>): Promise<number> {
  try {
    return await use();
  } finally {
    await roster.close();
  }
}

/** Opens a source; Ctrl-C stops the waiting for it. */
async function open(
  name: string,
  source: SourceConfig,
  settings: { config: Config; output: Output },
  validators: Validators = {},
): Promise<FetchedRoster> {
  const interruptions = listenForInterruptions(() => {});
  const columns = { ...noFlags(), ...mappingOf(source) };
  try {
    return await openConfigured(name, source, columns, { ...settings, signal: interruptions.signal, validators });
  } finally {
    interruptions.dispose();
  }
}

/** Opens a source, unless its server says that what these validators stand for still holds. */
async function openUnlessUnchanged(
  ...[name, source, settings, validators]: Parameters<typeof open>
): Promise<FetchedRoster | undefined> {
  try {
    return await open(name, source, settings, validators);
  } catch (error) {
    if (error instanceof SourceUnchanged) return undefined;
    throw error;
  }
}
