import type { Config } from '../../config/load.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import type { MappingOptions } from '../core/mapping.ts';
import type { MappingRules } from '../core/mapping-rules.ts';
import { findPreset, rulesFor } from '../roster/open-source.ts';

/**
 * How the rows of a source become members: its own settings, and behind them those of its preset, where a header is
 * given without what it has no columns for.
 */
export function mappingOf(
  { members, only, except, groups, rename, allow, preset }: SourceConfig,
  header?: readonly string[],
): Pick<MappingOptions, 'rules' | 'defaults'> {
  const rules: MappingRules = {
    ...(members && { members }),
    ...(only && { only }),
    ...(except && { except }),
    ...(groups && { groups }),
    ...(rename && { rename }),
    ...(allow && { allow }),
  };
  if (preset === undefined) return { rules };
  const found = findPreset(preset);
  return { rules, defaults: header ? rulesFor(found, header) : found.rules };
}

/** The source of this name in the config. */
export function configured(config: Config, source: string | undefined): SourceConfig | undefined {
  return source !== undefined && Object.hasOwn(config.sources, source) ? config.sources[source] : undefined;
}
