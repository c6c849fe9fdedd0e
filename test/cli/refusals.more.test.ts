import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { csvOf, type Ended, envOf, openPlace, type Place } from '../support/cli.ts';

let sandbox: Sandbox;
let place: Place;

before(async () => {
  sandbox = await startSandbox();
  place = await openPlace(envOf(sandbox), { here: true });
});
after(() => sandbox.close());

/** Exit 2, one message that says what is wrong, no stack trace, nothing sent. */
function assertRefused({ code, stdout, stderr }: Ended, message: RegExp): void {
  assert.equal(code, 2, stderr);
  assert.match(stderr, message);
  const [first, ...more] = stderr.trim().split('\n');
  assert.ok(first && more.every((line) => line.startsWith('  Columns found: ')), stderr);
  assert.doesNotMatch(stderr, /\n {4}at |unexpected/);
  assert.equal(stdout, '');
  assert.equal(sandbox.calls.length, 0);
}

const header = 'firstname,lastname,email,groups\n';

/** A name, what to make of it, what must be said, and flags. */
const files: [string, (path: string) => void, RegExp, ...string[]][] = [
  ['missing.csv', () => {}, /missing\.csv: there is no such file/],
  ['empty.csv', () => place.write('empty.csv', ''), /empty\.csv: it is empty/],
  ['blank.csv', () => place.write('blank.csv', '\n\n  \n'), /blank\.csv: it holds nothing but blank lines/],
  ['mark.csv', () => place.write('mark.csv', '\uFEFF'), /mark\.csv: it is empty/],
  ['header.csv', () => place.write('header.csv', header), /header\.csv: it has a header and nobody below it/],
  ['folder', (path) => mkdirSync(path), /folder: it holds no file that can be read/],
  ['below.csv/x.csv', () => place.write('below.csv', header), /a part of its path is not a folder/],
  ['circle.csv', (path) => symlinkSync('circle.csv', path), /circle\.csv: its links lead in a circle/],
  [
    'picture.csv',
    () => place.write('picture.csv', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')),
    /this is a picture, which is not read/,
  ],
  [
    'noise.csv',
    () => place.write('noise.csv', Buffer.from(Array.from({ length: 9000 }, (_, at) => (at * 7919) % 251))),
    /noise\.csv/,
  ],
  [
    'five-gigabytes.csv',
    (path) => truncateSync(place.write('five-gigabytes.csv', header) && path, 5 * 1024 ** 3),
    /line 2: there is a NUL byte/,
  ],
  [
    'one-line.csv',
    () => place.write('one-line.csv', header + 'a'.repeat(6 * 1024 ** 2)),
    /line 2: the line is longer than 1048576 characters/,
  ],
  [
    'quote.csv',
    () => place.write('quote.csv', `${header}"Ann,Lee,ann@x.example,A\n${'Bo,Ek,bo@x.example,A\n'.repeat(60_000)}`),
    /quote\.csv, line 2/,
  ],
  [
    'hash.csv',
    () => place.write('hash.csv', 'firstname#lastname#email#groups\na#b#c@x.example#A\n'),
    /no delimiter found in the header.*--delimiter/,
  ],
  ['sign.csv', () => place.write('sign.csv', csvOf(1)), /"ab" is not a delimiter/, '--delimiter', 'ab'],
  ['encoding.csv', () => place.write('encoding.csv', csvOf(1)), /ebcdic/, '--encoding', 'ebcdic'],
  [
    'no-email.csv',
    () => place.write('no-email.csv', 'firstname,lastname,groups\nAnn,Lee,A\n'),
    /no column is called e-mail; no column contains addresses.*--map email="\{firstname\}.\{lastname\}@example\.com".*\n  Columns found: "firstname", "lastname", "groups"/,
  ],
  [
    'no-header.csv',
    () => place.write('no-header.csv', 'Ann,Lee,ann@x.example,A\nBo,Ek,bo@x.example,B\n'),
    /^no-header\.csv: the first line looks like a person.*\n  Columns found: "…", "…", "…", "…"\. To see words of the roster here, add --verbose\.$/m,
  ],
  [
    'one-person.csv',
    () => place.write('one-person.csv', 'Ann,Lee,ann@x.example,A\n'),
    /^one-person\.csv: the first line looks like a person, so the file seems to have no header row/m,
  ],
  [
    'two-emails.csv',
    () =>
      place.write('two-emails.csv', 'firstname,lastname,Work Email,E-mail,groups\nAnn,Lee,a@x.example,b@x.example,A\n'),
    /Work Email.*E-mail.*--map email="COLUMN"/,
  ],
  ['no-groups.csv', () => place.write('no-groups.csv', 'firstname,lastname,email\nAnn,Lee,a@x.example\n'), /--group/],
  [
    'nobody.csv',
    () => place.write('nobody.csv', `${header}Ann,Lee,,A\nBo,Ek,none,A\n`),
    /None of the 2 rows of nobody\.csv is usable.*line 2.*Nothing was sent/,
  ],
  ['one.csv', () => place.write('one.csv', `${header}Ann,Lee,,A\n`), /^The only row of one\.csv is not usable\./],
];

describe('a roster that cannot be imported', () => {
  for (const [name, make, message, ...flags] of files) {
    it(`is refused with exit 2 and one message, and nothing is sent: ${name}`, async () => {
      make(join(place.folder, name));
      assertRefused(await place.run('import', name, '--yes', ...flags), message);
    });
  }

  it('is refused in the same way by a process of its own', async () => {
    place.write('alone.csv', '');
    assertRefused(await place.alone('import', 'alone.csv', '--yes'), /alone\.csv: it is empty/);
  });

  it('is refused early when a line without an end comes through a pipe', async () => {
    const running = await place.start(['import', '-', '--source', 'endless', '--yes'], { stdin: 'pipe' });
    const endless = spawn('sh', ['-c', "yes aaaaaaaaaaaaaaaa | tr -d '\\n'"], { stdio: ['ignore', 'pipe', 'ignore'] });
    const { stdin } = running.child;
    assert.ok(stdin);
    stdin.on('error', () => endless.stdout.destroy());
    endless.stdout.pipe(stdin);
    assertRefused(await running.ended, /standard input, line 1: the line is longer than/);
    endless.kill();
  });

  it('is refused when standard input has no name', async () => {
    assertRefused(await place.run('import', '-', '--yes'), /--source/);
  });

  it('leaves no run behind, half-open or otherwise', async () => {
    assert.deepEqual(await place.listRuns(), []);
  });
});

describe('wrong usage', () => {
  it('is refused with exit 2 and says how it is used', async () => {
    for (const words of [
      ['import'],
      ['import', 'a.csv', '--token', 'x'],
      ['enrol'],
      ['import', 'a.csv', '--map', 'mail=x'],
    ]) {
      const { code, stdout, stderr } = await place.run(...words);
      assert.equal(code, 2, words.join(' '));
      assert.match(stderr, /error/);
      assert.equal(stdout, '');
    }
  });

  it('no flag takes a secret of the service', async () => {
    const { code, stdout } = await place.alone('import', '--help');
    assert.equal(code, 0);
    assert.doesNotMatch(stdout.replace(/--password-file <file> .*password/, ''), /token|password|secret/i);
    assert.doesNotMatch(stdout, /default: [[{]/, 'an empty default is not shown');
  });

  it('a service that is not set, not https, or holds a password is refused before a file is read', async () => {
    place.write('fine.csv', csvOf(1));
    const { ROSTER_SYNC_BASE_URL: url = '' } = place.env;
    const addresses: [string, RegExp][] = [
      ['', /No service is set/],
      ['http://service.example', /https/],
      ['https://user:pass@service.example', /must not hold a user name or password/],
      ['ftp://service.example', /https:\/\/service\.example/],
    ];
    for (const [address, message] of addresses) {
      place.env['ROSTER_SYNC_BASE_URL'] = address;
      const { code, stderr } = await place.run('import', 'fine.csv', '--yes');
      assert.equal(code, 2, address);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /user:pass/);
    }
    place.env['ROSTER_SYNC_BASE_URL'] = url;
  });

  it('a missing token is refused before anything is sent or kept', async () => {
    const { ROSTER_SYNC_TOKEN: token = '' } = place.env;
    place.env['ROSTER_SYNC_TOKEN'] = '';
    const ended = await place.run('import', 'fine.csv', '--yes');
    place.env['ROSTER_SYNC_TOKEN'] = token;
    assertRefused(ended, /No token: set service\.token/);
  });
});
