// Patterns in rules, in the syntax of RE2: what is wrong with one, and the new names of groups by them.
import { createRequire } from 'node:module';
import type * as Re2 from 're2js';
import { cleanCell } from '../cells/read-cell.ts';
import { InputError } from '../errors.ts';
import { quote } from '../text/format.ts';

interface RenamePattern {
  matches: string;
  to: string;
}

const load = createRequire(import.meta.url);
/** The engine, loaded when first asked for: only rules with patterns need it. */
const engine = (): typeof Re2.RE2JS => (load('re2js') as typeof Re2).RE2JS;

/** A test of a pattern in RE2's syntax, in linear time. Throws for what is no pattern. */
export function patternTest(source: string): (text: string) => boolean {
  const compiled = engine().compile(source);
  return (text) => compiled.matcher(text).find();
}

/** What is wrong with a pattern; undefined if it can be used. */
export function wrongPattern(source: string): string | undefined {
  try {
    engine().compile(source);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `the pattern ${quote(source)} cannot be used: ${why}`;
  }
}

/** The same of a pattern for new names, and what the new name asks for that the pattern does not have. */
export function wrongRename({ matches, to }: RenamePattern): string | undefined {
  const fault = wrongPattern(matches);
  if (fault !== undefined) return fault;
  const count = engine().compile(matches).groupCount();
  const asked = [...to.matchAll(captured)].flatMap(([, key]) => (key === '$' ? [] : [Number(key)]));
  const unknown = asked.find((number) => number > count);
  if (unknown === undefined) return undefined;
  const has = count === 0 ? 'has no parentheses' : `has ${count} ${count === 1 ? 'pair' : 'pairs'} of parentheses`;
  return `${quote(to)} asks for $${unknown}, and the pattern ${quote(matches)} ${has}`;
}

/** What stands for a part of the old name in the new one. */
const captured = /\$(\$|\d{1,2})/g;

/**
 * The new name of a group; undefined where no pattern matches all of it, or the new name would be empty.
 * @throws InputError for what is no pattern, and for a `$2` where there are no second parentheses
 */
export function renamerOf(patterns: readonly RenamePattern[]): (name: string) => string | undefined {
  const rules = patterns.map(({ matches, to }) => {
    const fault = wrongRename({ matches, to });
    if (fault !== undefined) throw new InputError(`renamePatterns: ${fault}.`);
    return { pattern: engine().compile(matches), to };
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
