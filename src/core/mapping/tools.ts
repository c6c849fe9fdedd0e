// Loads the libraries that only some mapping rules need.
import { type MappingRules, asList } from './mapping-rules.ts';
import { type Renamer, renamerOf } from './patterns.ts';

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
