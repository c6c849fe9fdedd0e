import type { ImportOptions } from './import.ts';
import { openSession } from './session.ts';

/** The flags of `plan`: those of `import` that say how a roster is read and what is sent. */
export interface PlanFlags extends Omit<ImportOptions, 'worker' | 'wait' | 'yes' | 'dryRun' | 'planOnly'> {
  output?: string;
}

/**
 * `roster-sync plan <file|source>`: what `import` or `sync` would send, and why; nothing is sent or kept. A name of a
 * source in the config is that source, anything else a file. Returns the exit code: 3 where a guard would hold it.
 */
export async function planRosterOf(name: string, { output, ...flags }: PlanFlags): Promise<number> {
  const { config } = openSession(flags);
  const options = {
    ...flags,
    dryRun: true,
    worker: true,
    wait: true,
    planOnly: output === undefined ? {} : { output },
  };
  return Object.hasOwn(config.sources, name)
    ? (await import('./sync.ts')).syncSource(name, options)
    : (await import('./import.ts')).importRoster(name, options);
}
