// Checks patterns of the settings with the engine that will use them.
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { captureFault, patternFault } from '../src/core/mapping/tools.ts';
import type { RenamePattern } from '../src/core/mapping/mapping-rules.ts';

type Library = { RE2JS: typeof RE2JS };

/** The engine, loaded when first asked for: only settings with patterns need it. */
const load = (): typeof RE2JS => (createRequire(import.meta.url)('re2js') as Library).RE2JS;

export function wrongPattern(source: string): string | undefined {
  return patternFault(source, load());
}

export function wrongRename(pattern: RenamePattern): string | undefined {
  const engine = load();
  return patternFault(pattern.matches, engine) ?? captureFault(pattern, engine);
}
