// Patterns in rules, in the syntax of RE2: what is wrong with one, and the new names of groups by them.
import { createRequire } from 'node:module';
import type * as Re2 from 're2js';
import { cleanCell, longestGroup } from '../cells/read-cell.ts';
import { InputError } from '../errors.ts';
import { quote } from '../text/format.ts';

interface RenamePattern {
  matches: string;
  to: string;
}

const load = createRequire(import.meta.url);
/** The engine, loaded when first asked for: only rules with patterns need it. */
const engine = (): typeof Re2.RE2JS => (load('re2js') as typeof Re2).RE2JS;

/** The most patterns of one mapping, and the most instructions that they may compile to together. */
const [mostPatterns, mostTogether] = [100, 10_000];
/** The most instructions times characters of one comparison, each of which takes some 20 ns. */
const mostSteps = 2_000_000;
/** The most instructions that a pattern may compile to: each takes some 3 µs, and a class of Unicode as long as 25. */
const mostInstructions = 2000;
const ofUnicode = 25;
/** Compiled patterns by their text: a mapping is read again at each look. */
const compiled = new Map<string, Re2.RE2JS>();

function compile(source: string): Re2.RE2JS {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  if (instructionsOf(source) > mostInstructions) throw new Error('it is too large; repeat less in it');
  const pattern = engine().compile(source);
  if (compiled.size >= 2 * mostPatterns) compiled.clear();
  compiled.set(source, pattern);
  return pattern;
}

const tokens =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^}]*(?:\}|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*|\{(\d+)(?:,(\d*))?\}|[\s\S]/g;

/** About how many instructions a pattern compiles to, at least in its order of size: told from its text, before it costs anything. */
function instructionsOf(source: string): number {
  const groups = [0];
  let last = 0;
  const add = (size: number): void => void groups.push((groups.pop() ?? 0) + size);
  for (const [token, least, most] of source.matchAll(tokens)) {
    if (least !== undefined) {
      // Of `{2,5}` three may be left out, and `{2,}` ends in a loop.
      const times = Number(least) + (most === undefined ? 0 : 1 + 2 * Math.max(0, Number(most) - Number(least)));
      add(last * times);
      last *= Math.max(1, times);
    } else if (token === '(') groups.push(0);
    else {
      last = token === ')' && groups.length > 1 ? (groups.pop() ?? 0) + 2 : token.startsWith('\\Q') ? token.length : 1;
      last += ofUnicode * (token.match(/\\p/gi)?.length ?? 0);
      add(last);
    }
  }
  return groups.reduce((sum, size) => sum + size, 0);
}

/** The most conditions of one kind: each of those that leave out rows is judged beside all others. */
const mostConditions = 100;
const kindsOfConditions = new Set(['only', 'except', 'leavers']);

/** What is wrong with rules, as plain data, that have more patterns or conditions than anybody writes; to be asked before they are read. */
export function tooManyRules(rules: unknown): string | undefined {
  const patterns: string[] = [];
  let conditions = 0;
  JSON.stringify(rules, (key, value: unknown) => {
    if (key === 'matches' && typeof value === 'string') patterns.push(value);
    if (kindsOfConditions.has(key) && Array.isArray(value))
      conditions = Math.max(conditions, value.filter((one) => typeof one === 'object').length);
    return value;
  });
  if (conditions > mostConditions)
    return `it has ${conditions} conditions of one kind, and at most ${mostConditions} are allowed`;
  const { length: count } = patterns;
  if (count > mostPatterns) return `it has ${count} patterns (matches:), and at most ${mostPatterns} are allowed`;
  const size = patterns.reduce((sum, pattern) => sum + instructionsOf(pattern), 0);
  return size > mostTogether ? 'its patterns (matches:) are too large together; repeat less in them' : undefined;
}

/** A test of a pattern in RE2's syntax, in linear time; undefined for a text that is too long. Throws for what is no pattern. */
export function patternTest(source: string): (text: string) => boolean | undefined {
  const pattern = compile(source);
  const longest = mostSteps / Math.max(1, instructionsOf(source));
  return (text) => (text.length > longest ? undefined : pattern.matcher(text).find());
}

/** What is wrong with a pattern; undefined if it can be used. */
export function wrongPattern(source: string): string | undefined {
  try {
    compile(source);
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
  const count = compile(matches).groupCount();
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
    return { pattern: compile(matches), to };
  });
  return (name) => {
    if (name.length > longestGroup) return undefined;
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
