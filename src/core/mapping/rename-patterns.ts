// Renames groups by patterns with captures.
import type { RE2JS } from 're2js';
import { InputError } from '../errors.ts';
import { cleanCell } from '../cells/clean-cell.ts';
import { quote } from '../text/quote.ts';
import type { RenamePattern } from './mapping-rules.ts';

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
export function patternFault(source: string, engine: Engine): string | undefined {
  try {
    engine.compile(source);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `the pattern ${quote(source)} cannot be used: ${why}`;
  }
}

/** What the new name asks for that the pattern does not have; the pattern itself can be used. */
export function captureFault({ matches, to }: RenamePattern, engine: Engine): string | undefined {
  const count = engine.compile(matches).groupCount();
  const asked = [...to.matchAll(captured)].flatMap(([, key]) => (key === '$' ? [] : [Number(key)]));
  const unknown = asked.find((number) => number > count);
  if (unknown === undefined) return undefined;
  const has = count === 0 ? 'has no parentheses' : `has ${count} ${count === 1 ? 'pair' : 'pairs'} of parentheses`;
  return `${quote(to)} asks for $${unknown}, and the pattern ${quote(matches)} ${has}`;
}
