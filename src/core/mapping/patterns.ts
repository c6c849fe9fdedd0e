// Patterns in rules, in the syntax of RE2: what is wrong with one, and the new names of groups by them.
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { cleanCell } from '../cells/clean-cell.ts';
import { InputError } from '../errors.ts';
import { quote } from '../text/quote.ts';

interface RenamePattern {
  matches: string;
  to: string;
}

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

/** The new name of a group; undefined where no pattern matches all of it, or the new name would be empty. */
export type Renamer = (name: string) => string | undefined;
type Engine = Pick<typeof RE2JS, 'compile'>;

/** What stands for a part of the old name in the new one. */
const captured = /\$(\$|\d{1,2})/g;

/** Throws an InputError for what is no pattern, and for a `$2` where there are no second parentheses. */
export function renamerOf(patterns: readonly RenamePattern[], engine: Engine): Renamer {
  const rules = patterns.map(({ matches, to }) => {
    const fault = patternFault(matches, engine) ?? captureFault({ matches, to }, engine);
    if (fault !== undefined) throw new InputError(`renamePatterns: ${fault}.`);
    return { pattern: engine.compile(matches), to };
  });
  return (name) => {
    for (const { pattern, to } of rules) {
      const matcher = pattern.matcher(name);
      if (!matcher.matches()) continue;
      const renamed = to.replaceAll(captured, (_, key: string) =>
        key === '$' ? '$' : (matcher.group(Number(key)) ?? ''),
      );
      return cleanCell(renamed) || undefined;
    }
    return undefined;
  };
}

/** What is wrong with a pattern; undefined if it can be used. */
function patternFault(source: string, engine: Engine): string | undefined {
  try {
    engine.compile(source);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `the pattern ${quote(source)} cannot be used: ${why}`;
  }
}

/** What the new name asks for that the pattern does not have; the pattern itself can be used. */
function captureFault({ matches, to }: RenamePattern, engine: Engine): string | undefined {
  const count = engine.compile(matches).groupCount();
  const asked = [...to.matchAll(captured)].flatMap(([, key]) => (key === '$' ? [] : [Number(key)]));
  const unknown = asked.find((number) => number > count);
  if (unknown === undefined) return undefined;
  const has = count === 0 ? 'has no parentheses' : `has ${count} ${count === 1 ? 'pair' : 'pairs'} of parentheses`;
  return `${quote(to)} asks for $${unknown}, and the pattern ${quote(matches)} ${has}`;
}
