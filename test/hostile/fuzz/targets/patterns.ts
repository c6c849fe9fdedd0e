import { FilterParser } from 'ldapts';
import { isAllowed } from '../../../../src/server/hooks/verify.ts';
import { parsePath, valuesAt } from '../../../../src/core/rows/path.ts';
import { readDay } from '../../../../src/core/cells/days.ts';
import { parseTemplate } from '../../../../src/core/mapping/mapping-rules.ts';
import { patternTest, renamerOf } from '../../../../src/core/mapping/patterns.ts';
import { anyOf, foldText, wildcard } from '../../../../src/core/text/wildcard.ts';
import { recordOf } from '../../../../src/roster/ldap/open-ldap.ts';
import { parseRate } from '../../../../src/core/settings/values.ts';
import { type FuzzTarget, never } from '../target.ts';

/** Whether a pattern fits, found as slowly as it can be: each `*` tries every end. */
function fits(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern[0] !== '*') return text[0] === pattern[0] && text !== '' && fits(pattern.slice(1), text.slice(1));
  const rest = pattern.replace(/^\*+/, '');
  return Array.from({ length: text.length + 1 }, (_, at) => text.slice(at)).some((end) => fits(rest, end));
}

const lines = (bytes: Buffer, of = 'utf8' as BufferEncoding): [string, string] => {
  const text = bytes.toString(of);
  const at = text.indexOf('\n');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
};

/** What a library refuses is refused in our words where it is called. */
function refusable(task: () => unknown): boolean {
  try {
    task();
    return true;
  } catch {
    return false;
  }
}

function readPattern(bytes: Buffer): void {
  const [pattern, text] = lines(bytes);
  const found = wildcard(pattern)(text);
  never('one of one pattern differs from it', anyOf([pattern])(text) !== found);
  const [folded, short] = [foldText(pattern), foldText(text)];
  if (folded.length <= 24 && short.length <= 24)
    never(`"${folded}" and "${short}": ${found}`, fits(folded, short) !== found);
}

function readRegularExpression(bytes: Buffer): void {
  const [source, rest] = lines(bytes);
  const [to, text] = lines(Buffer.from(rest));
  if (refusable(() => patternTest(source))) patternTest(source)(text);
  renamerOf([{ matches: source, to }])(text);
}

function readPath(bytes: Buffer): void {
  const [path, json] = lines(bytes);
  for (const part of parseTemplate(path))
    never('a template asks for nothing', 'column' in part && part.column === undefined);
  const rate = parseRate(path);
  never(`a rate of ${JSON.stringify(rate)}`, rate !== undefined && !(rate.limit >= 1 && rate.perMs >= 1));
  const day = readDay(path, 'dmy');
  never(`the day ${JSON.stringify(day)}`, typeof day === 'number' && !(day > 19_000_000 && day < 21_000_000));
  let value: unknown;
  if (!refusable(() => void (value = JSON.parse(json)))) return;
  const found = valuesAt(value, parsePath(path));
  never('what is found is not in it', found.length > 0 && json.length < 2);
}

function readLdap(bytes: Buffer): void {
  const [filter, rest] = lines(bytes, 'latin1');
  refusable(() => FilterParser.parseString(filter));
  const values = Buffer.from(rest, 'latin1');
  for (const entry of [
    { userAccountControl: rest, accountExpires: rest },
    { objectGUID: values, mail: [rest, rest] },
  ]) {
    for (const value of Object.values(recordOf({ dn: 'cn=a', ...entry }))) {
      never('an attribute is bytes', Buffer.isBuffer(value));
    }
  }
  const [network = '', ip = ''] = rest.split('\n');
  if (/^[\d.]+$/.test(network)) refusable(() => isAllowed([network], ip));
}

/** The small languages in settings. */
export const patterns: FuzzTarget[] = [
  {
    name: 'globs',
    good: ['*sales*\nThe Sales team', 'a*b*c\nabc', 'Ⅷ İ*\nviii i̇'].map((text) => Buffer.from(text)),
    words: ['*', '**', '\n', 'a', 'A', ' ', 'ß', 'İ', 'ﬀ', '\u0301', '\u2003', 'Σ', 'ς'],
    read: readPattern,
  },
  {
    name: 'regular-expressions',
    good: ['^(.+)-(ACL|GRP)$\n$1 $2\nSales-ACL', '(?i)a{2,5}[^b-d]\\d+\\b\n$$x\nAAx1', '(?P<n>a|b)*?c\n$1\nabc'].map(
      (text) => Buffer.from(text),
    ),
    words: [
      '(',
      ')',
      '(?:',
      '(?i)',
      '(?P<a>',
      '[',
      ']',
      '[^',
      '[[:alpha:]]',
      '\\p{L}',
      '\\pN',
      '\\Q',
      '\\E',
      '\\x{10FFFF}',
      '\\d',
      '{1000}',
      '{0,}',
      '{2,1}',
      '*',
      '+?',
      '|',
      '^',
      '$',
      '.',
      '\\b',
      '$1',
      '$99',
      '$$',
      '\n',
      'é',
    ],
    read: readRegularExpression,
  },
  {
    name: 'paths',
    good: [
      'emails[type=work].value\n{"emails":[{"type":"work","value":"a"}]}',
      '"urn:a.b".c[2]\n{"urn:a.b":{"c":[1,2,3]}}',
      '{First}.{Last}{{x}}\n[]',
      '300/1m\n1',
      '20.11.2026\n1',
      '/Date(1700000000000)/\n1',
    ].map((text) => Buffer.from(text)),
    words: [
      '[',
      ']',
      '[0]',
      '[a=b]',
      '["a"="b"]',
      '"',
      '\\"',
      '.',
      '=',
      '{',
      '}',
      '{{',
      '/',
      '1m',
      '.5d',
      '\n',
      '__proto__',
      '0000',
      '9999-12-31',
      '\\u',
    ],
    read: readPath,
  },
  {
    name: 'ldap',
    good: [
      '(&(objectClass=person)(!(uid=a*b))(cn:dn:2.5.13.2:=x)(a>=1)(b\\2a=c))\n513',
      '(|(mail=*)(x~=y))\n133000000000000000\n10.0.0.1',
    ].map((text) => Buffer.from(text)),
    words: [
      '(',
      ')',
      '(&',
      '(|',
      '(!',
      '=*',
      '*',
      '\\2a',
      '\\',
      ':=',
      ':dn:',
      '>=',
      '~=',
      '\0',
      '\n',
      '9223372036854775807',
      '-1',
      '1e9',
      '\xff'.repeat(16),
    ],
    read: readLdap,
  },
];
