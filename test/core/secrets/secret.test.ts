import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, inspect } from 'node:util';
import fc from 'fast-check';
import { InputError } from '../../../src/core/errors.ts';
import { redactError, redactor, Secret } from '../../../src/core/secrets/secret.ts';

const password = 'pä/ss+w"o<r>d? \\&\'😀';
const pair = `sync:${password}`;
const token = Buffer.from(pair).toString('base64');
const redact = redactor([new Secret(token)]);

test('a secret shows itself nowhere but through reveal', () => {
  const secret = new Secret('hunter22');
  assert.equal(secret.reveal(), 'hunter22');
  const shown = [
    String(secret),
    `(${secret as unknown as string})`,
    JSON.stringify({ secret }),
    inspect({ secret }, { showHidden: true, depth: 9 }),
    inspect(secret, { customInspect: false, showHidden: true }),
    format('%s %o %j %O', secret, secret, secret, secret),
    JSON.stringify(Object.entries(secret)),
    inspect(structuredClone({ secret })),
    new Error('x', { cause: secret }).cause?.toString() ?? '',
  ].join('\n');
  assert.doesNotMatch(shown, /hunter22/);
  assert.match(shown, /\*\*\*/);
});

const html = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
const ascii = (text: string): string =>
  text.replaceAll(/[^ -~]|[<>&'+"]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** How services write a text back: each is a way that some common framework has by default. */
const encodings: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  'URL-encoded': encodeURIComponent,
  'URL-encoded in lower case': (text) => encodeURIComponent(text).replaceAll(/%../g, (code) => code.toLowerCase()),
  'URL-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'as a form': (text) => new URLSearchParams({ text }).toString().slice('text='.length),
  'in JSON': (text) => JSON.stringify(text).slice(1, -1),
  'in JSON within JSON': (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
  'in JSON with escaped slashes': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'in JSON, ASCII only': (text) => ascii(text.replaceAll('\\', '\\\\')),
  'in HTML': html,
  'in HTML with hexadecimal references': (text) =>
    Array.from(text, (char) =>
      /\w/.test(char) ? char : `&#x${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()};`,
    ).join(''),
  'read as Latin-1': (text) => Buffer.from(text).toString('latin1'),
};

for (const [name, encode] of Object.entries(encodings)) {
  test(`token, pair and password are masked ${name}`, () => {
    for (const form of [token, token.replace(/=+$/, ''), Buffer.from(pair).toString('base64url'), pair, password]) {
      assert.equal(redact(`<a "x": ${encode(form)};>`), '<a "x": ***;>');
    }
  });
}

test('any pair in any of these encodings leaves no password behind', () => {
  const cased = fc.tuple(fc.string({ minLength: 4, unit: 'grapheme' }), fc.constantFrom(...Object.keys(encodings)));
  fc.assert(
    fc.property(cased, ([secret, name]) => {
      const encode = encodings[name] ?? String;
      const mask = redactor([new Secret(Buffer.from(`user:${secret}`).toString('base64'))]);
      const text = `[[${encode(`user:${secret}`)}]]`;
      assert.equal(mask(text), '[[***]]');
    }),
    { numRuns: 50 },
  );
});

test('characters that begin an encoding are masked with the whole of it', () => {
  for (const encode of Object.values(encodings)) {
    for (const secret of [
      '       %',
      'abcdefg&',
      'abcdefg\\',
      '%25%%25%',
      '&amp;&amp;',
      '\\u0041\\u0041',
      '++++++++',
    ]) {
      const mask = redactor([new Secret(Buffer.from(`user:${secret}`).toString('base64'))]);
      assert.equal(mask(`[[${encode(`user:${secret}`)}]] [[${encode(secret)}]]`), '[[***]] [[***]]', secret);
    }
  }
});

test('a secret with a single form is masked too, and no secret masks nothing', () => {
  const text = '{"a":"zz-top!"}';
  assert.equal(redactor([new Secret('zz-top!')])(text), '{"a":"***"}');
  assert.equal(redactor([])(text), text);
  assert.equal(redactor([new Secret('x')])('"x"'), '"x"');
});

test('other text is left as it is', () => {
  const text = '{"status":"success","data":[{"group":"sync","inserts":1}]} 100% \\u0041 &amp; <p>';
  assert.equal(redact(text), text);
  assert.equal(redact(text, true), text);
});

test('several tokens are masked, one within another as one', () => {
  const both = redactor([new Secret('b25lOm9uZQ=='), new Secret('b25lOm9uZTI=')]);
  assert.equal(both('b25lOm9uZTI= b25lOm9uZQ== one:one2'), '*** *** ***');
});

test('a text that was cut within a secret does not end in its beginning', () => {
  for (const encode of [encodings['as it is'], encodings['URL-encoded'], encodings['in JSON, ASCII only']]) {
    for (const form of [token, pair].map((whole) => encode?.(whole) ?? '')) {
      for (let end = 16; end < form.length; end += 1) {
        const shown = redact(`"echo":"${form.slice(0, end)}`, true);
        assert.match(shown, /^"echo":"\*\*\*[=%3D]*$/, form.slice(0, end));
      }
    }
  }
  assert.equal(redact(`"echo":"${token.slice(0, 9)}"`, true), `"echo":"${token.slice(0, 9)}"`, 'only at the end');
});

test('a password under four characters is masked within the pair only', () => {
  const short = redactor([new Secret(Buffer.from('sync:abc').toString('base64'))]);
  assert.equal(short('abc sync:abc'), 'abc ***');
});

test('a token that is not Base64 of a pair is masked as it is', () => {
  const opaque = redactor([new Secret('an-opaque~token.1')]);
  assert.equal(opaque('Basic an-opaque~token.1'), 'Basic ***');
});

test('a hostile text does not make the search slow', () => {
  const beginning = pair.slice(0, 12);
  for (const filler of ['\\', '%25', '&#0', '\\u', '\uFFFD', beginning, `${beginning}\\\\`]) {
    const text = `${beginning}${filler.repeat(200_000)}x`;
    // Processor time: on a busy machine others take the rest.
    const before = process.threadCpuUsage();
    redact(text, true);
    const took = process.threadCpuUsage(before).user / 1000;
    assert.ok(took < 2_000, `${took} ms for ${filler}`);
  }
});

test('without a token nothing is masked', () => {
  assert.equal(redactor([])('anything'), 'anything');
});

test('an error tells no secret: not its message, its words for programs, its stack, nor any of its cause', () => {
  const said = `wrong: ${token}`;
  const cause = new InputError(said, { withoutWords: said });
  const error = new InputError(said, { withoutWords: said, cause });
  redactError(error, redact);
  for (const { message, withoutWords, stack = '' } of [error, cause]) {
    assert.deepEqual([message, withoutWords], Array(2).fill(redact(said)));
    assert.ok(!stack.includes(token));
  }
});

test('a short or common secret is masked only where it is a whole value, and never as a key', () => {
  const weak = redactor(['secret', 'time', 'PASSWORD'].map((word) => new Secret(word)));
  const kept = ['./secret-path', 'it is time', '{"time":1,"secret" : 2}', 'the password is wrong', 'times=3'];
  for (const text of kept) assert.equal(weak(text), text);
  assert.equal(weak('secret'), '***');
  assert.equal(weak('{"key":"secret","b":"time"}'), '{"key":"***","b":"***"}');
  assert.equal(weak('key=secret&x=1, user:password'), 'key=***&x=1, user:password');
  assert.equal(weak('pass=PASSWORD'), 'pass=***');
});

test('a password of backslashes is found as quickly as any other', () => {
  for (const length of [8, 16, 64, 2000]) {
    const backslashes = `${'\\'.repeat(length)}"x`;
    const mask = redactor([new Secret(backslashes)]);
    assert.equal(mask(`[[${JSON.stringify(backslashes)}]]`), '[["***"]]');
    assert.equal(mask('\\'.repeat(100_000)), '\\'.repeat(100_000));
  }
});

test('a secret that is escaped in part, or several times over, is found where it stands', () => {
  const mask = redactor([new Secret('k3y%41+b/c"d')]);
  for (const text of [
    'k3y%41+b/c"d',
    'k3y%2541%2Bb%2Fc%22d',
    'k3y%41+b\\/c\\"d',
    'k3y&#37;41+b/c&quot;d',
    'k3y%252541+b%2Fc%5C%22d',
  ]) {
    assert.equal(mask(`<${text}>`), '<***>', text);
  }
});
