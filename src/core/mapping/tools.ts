// Loads the libraries that only some mapping rules need.
import { type MappingRules, asList, type RenamePattern } from './mapping-rules.ts';
import type { RE2JS } from 're2js';
import { InputError } from '../errors.ts';
import { cleanCell } from '../cells/clean-cell.ts';
import { quote } from '../text/quote.ts';

export interface MappingTools {
  /** Makes a test of a pattern in RE2's syntax, in linear time. Throws for what is no pattern. */
  pattern?: (source: string) => (text: string) => boolean;
  /** Gives names of groups by the rules' `renamePatterns`. */
  renamed?: Renamer;
  /** A number as E.164 where it is a valid one, else undefined. `country`: two letters of ISO 3166. */
  e164?: (number: string, country: string) => string | undefined;
}

export async function loadTools(rules: MappingRules): Promise<MappingTools> {
  const conditions = [
    ...asList(rules.only),
    ...asList(rules.except),
    ...asList(rules.leavers),
    ...asList(rules.groups).flatMap(({ when }) => asList(when)),
  ];
  const { telephone } = rules.members ?? {};
  const wantsNumbers = typeof telephone === 'object' && telephone.country !== undefined;
  return {
    ...(conditions.some(({ matches }) => matches !== undefined) && { pattern: await loadPattern() }),
    ...(rules.renamePatterns && { renamed: renamerOf(rules.renamePatterns, (await import('re2js')).RE2JS) }),
    ...(wantsNumbers && { e164: await loadE164() }),
  };
}

async function loadPattern(): Promise<NonNullable<MappingTools['pattern']>> {
  const { RE2JS } = await import('re2js');
  return (source) => {
    const compiled = RE2JS.compile(source);
    return (text) => compiled.matcher(text).find();
  };
}

async function loadE164(): Promise<NonNullable<MappingTools['e164']>> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max');
  return (number, country) => {
    const found = parsePhoneNumberFromString(number, country as Parameters<typeof parsePhoneNumberFromString>[1]);
    return found?.isValid() ? found.number : undefined;
  };
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
