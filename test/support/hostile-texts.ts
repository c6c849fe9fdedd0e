/** What scans of a text can be slow about: each is repeated until the text is long enough. */
const worst: Readonly<Record<string, string>> = {
  letters: 'a',
  blanks: ' ',
  'at signs': 'a@',
  'addresses without an end': 'a.',
  'separators of groups': 'a;',
  'levels of a path': 'a/',
  quotes: '"',
  backslashes: '\\',
  'URL encoding': '%25',
  brackets: '[(',
  'equals signs': '=',
  'line breaks': 'a\n',
  'characters that nobody sees': '\u200b',
  accents: 'e\u0301',
  'ligatures and full-width letters': 'ﬁＡ',
  emoji: '👩‍👩‍👧',
};

/** Texts of so many UTF-16 units, by what they are of. */
export function hostileTexts(length: number): Map<string, string> {
  return new Map(
    Object.entries(worst).map(([name, unit]) => [name, unit.repeat(Math.ceil(length / unit.length)).slice(0, length)]),
  );
}
