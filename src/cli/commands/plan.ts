// `plan`: shows what `import` or `sync` would send, without sending or keeping anything.
import type { ImportOptions } from './import.ts';
import { flagsGiven, readFlagsGiven, remarkOnSourceFlags } from '../frame/read-flags.ts';
import { openSession } from '../frame/session.ts';

export interface PlanFlags extends Omit<ImportOptions, 'worker' | 'wait' | 'yes' | 'dryRun' | 'planOnly'> {
  output?: string;
}

/** A name of a source in the config is that source, anything else a file. Returns 3 where a guard would hold it. */
export async function planRosterOf(name: string, { output, ...flags }: PlanFlags): Promise<number> {
  const { config, output: screen } = openSession(flags);
  const options = {
    ...flags,
    dryRun: true,
    worker: true,
    wait: true,
    planOnly: output === undefined ? {} : { output },
  };
  if (!Object.hasOwn(config.sources, name)) return (await import('./import.ts')).importRoster(name, options);
  const vain = remarkOnSourceFlags(name, [...flagsGiven(flags, ofFiles), ...readFlagsGiven(flags)]);
  if (vain !== undefined) screen.note(vain);
  return (await import('./sync.ts')).syncSource(name, options);
}

/** The flags that are about a file alone, except those that say how it is read. */
const ofFiles = ['source', 'group', 'groupColumn', 'groupSplit', 'allowValue', 'map'] as const;
