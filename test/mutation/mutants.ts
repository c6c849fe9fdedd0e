/** A small change of a file that a test should notice. */
export interface Mutant {
  file: string;
  line: number;
  at: number;
  was: string;
  is: string;
}

/** Operators, conditions and constants, and what each becomes; in SQL too. */
const changes: [RegExp, (found: string) => string][] = [
  [/(?<![=!<>])===(?!=)/g, () => '!=='],
  [/!==/g, () => '==='],
  // Nothing happens at the very moment that the clock of a database shows.
  [/(?<= )>=(?= (?!clock_timestamp))/g, () => '>'],
  [/(?<= )<=(?= (?!clock_timestamp))/g, () => '<'],
  [/(?<= )>(?= (?!clock_timestamp))/g, () => '>='],
  [/(?<= )<(?= (?!clock_timestamp))/g, () => '<='],
  [/(?<= )<>(?= )/g, () => '='],
  [/&&/g, () => '||'],
  [/(?<=[\w) ])\|\|(?= )/g, () => '&&'],
  [/\?\?(?=[ =])/g, () => '&&'],
  [/(?<= )\+(?= \w)/g, () => '-'],
  [/(?<= )- (?=\w)/g, () => '+ '],
  [/(?<= )\*(?= \w)/g, () => '/'],
  // Not those of a type such as `string | false`.
  [/(?<!\| )\btrue\b(?! \|)/g, () => 'false'],
  [/(?<!\| )\bfalse\b(?! \|)/g, () => 'true'],
  [/\bMath\.max\b/g, () => 'Math.min'],
  [/\bMath\.min\b/g, () => 'Math.max'],
  // Not the 1 of `a < b ? -1 : 1` and of `select 1 from`, a type such as `0 | 1`, and what stands in for a count that is
  // always there.
  [
    /(?<![\w.$`'"%-]|\? -1 : |select | \| |rows\[0\]\?\.(?:count|calls|ended|failed) \?\? )\d+(?![\w.'"]| \| )/g,
    (found) => String(Number(found) + 1),
  ],
  [/(?<=\()!(?=\w)/g, () => ''],
  [/\bis not null\b/g, () => 'is null'],
  [/\bnot exists\b/g, () => 'exists'],
  [/(?<= )and not(?= )/g, () => 'and'],
];

/** Every mutant of a file, without its comments, imports and types. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const code = text
    .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^import [\s\S]*?;$/gm, (skipped) => skipped.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/^(?:export )?(?:interface|type) (?:.*[;}]$|[\s\S]*?^(?:\}.*)?$)/gm, (skipped) =>
      skipped.replaceAll(/[^\n]/g, ' '),
    );
  return changes.flatMap(([pattern, become]) =>
    [...code.matchAll(pattern)].map(({ 0: was, index: at }) => {
      return { file, line: code.slice(0, at).split('\n').length, at, was, is: become(was) };
    }),
  );
}

/** The text of a file with a mutant in it. */
export function mutate(text: string, { at, was, is }: Mutant): string {
  return text.slice(0, at) + is + text.slice(at + was.length);
}
