// Looks up the sources of the config for completion: quickly, silently, and without changing anything.
import { loadConfig } from '../../../config/load.ts';

/** Their names; none where settings are wrong. `configFile` is what `--config` names. */
export function namesOfSources(configFile: string | undefined): string[] {
  try {
    return Object.keys(loadConfig({ configFile, onlyLedger: true }).sources);
  } catch {
    return [];
  }
}
