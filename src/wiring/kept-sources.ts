// Puts the sources that are kept in the ledger beside those of the config.
import type { Config } from '../../config/load.ts';
import { type ParsedBlock, parseKeptBlock } from '../../config/kept-source.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import type { KeptSource } from '../ledger/planning/sources.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Logger } from '../process/logger.ts';

/** The sources of each config as it was loaded. */
const ownSources = new WeakMap<Config, Config['sources']>();

/** What was read of blocks, by their texts: it is asked for with every run and every look. */
const readBlocks = new WeakMap<Config, Map<string, ParsedBlock>>();

/** Whether a source is from the config: it wins over one that is kept under the same name. */
export function isFromConfig(config: Config, name: string): boolean {
  return Object.hasOwn(ownSources.get(config) ?? config.sources, name);
}

/**
 * Adds the sources that are kept in the ledger to those of the config, for everything that looks one up; those that were
 * removed since the last time are gone. One that this program cannot read is left out, and logged.
 */
export function useKeptSources(
  { config, log }: { config: Config; log: Logger },
  all: readonly Pick<KeptSource, 'name' | 'block'>[],
): void {
  const own = ownSources.get(config) ?? config.sources;
  ownSources.set(config, own);
  const kept: Record<string, SourceConfig> = {};
  const before = readBlocks.get(config);
  const read = new Map<string, ParsedBlock>();
  readBlocks.set(config, read);
  for (const { name, block } of all) {
    const parsed = before?.get(block) ?? parseKeptBlock(block);
    read.set(block, parsed);
    if ('source' in parsed) kept[name] = parsed.source;
    else if (!before?.has(block))
      log.warn({ source: name, problems: parsed.problems }, 'a source that is kept in the ledger cannot be read');
  }
  config.sources = { ...kept, ...own };
}

/** The same with those of a ledger; returns them. */
export async function learnKeptSources(context: {
  config: Config;
  log: Logger;
  ledger: Pick<Ledger, 'listKeptSources'>;
}): Promise<KeptSource[]> {
  const all = await context.ledger.listKeptSources();
  useKeptSources(context, all);
  return all;
}
