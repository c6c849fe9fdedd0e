import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { leafCommands } from '../../docs/generate.ts';
import { opensLedger } from '../../src/cli/frame/load-ahead.ts';
import { createProgram } from '../../src/cli/program.ts';
import { RosterOption } from '../../src/cli/roster-command.ts';
import { suggest } from '../../src/cli/commands/completions.ts';
import { guardNames } from '../../src/core/guards/guard-settings.ts';
import { openPlace, type Place } from '../support/cli.ts';
import { without } from '../support/server-process.ts';

const bin = join(import.meta.dirname, '../../bin/roster-sync.cjs');
const config = 'sources:\n  staff: { file: ./staff.csv }\n  starters: { file: ./starters.csv }\n';

/** The words that are offered, and `:files`. */
async function offered(place: Place, ...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await place.run('__complete', '--', ...words);
  assert.deepEqual([code, stderr], [0, '']);
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
}

async function open(env: Record<string, string> = {}): Promise<Place> {
  const place = await openPlace(env, { here: true, bare: true });
  place.write('roster-sync.yaml', config);
  return place;
}

suite('what may come next', () => {
  test('is a command, a flag, a value, a source or a file, as far as it was typed', async () => {
    const place = await open();
    assert.deepEqual(await offered(place, 'sh'), ['show']);
    assert.deepEqual(await offered(place, 'token', ''), ['create', 'list', 'revoke', 'help']);
    assert.deepEqual(await offered(place, '__'), []);
    assert.deepEqual(await offered(place, 'sync', 'sta'), ['staff', 'starters']);
    assert.deepEqual(await offered(place, '--config', 'none.yaml', 'sync', ''), []);
    assert.deepEqual(await offered(place, '--config=roster-sync.yaml', 'sync', 'staf'), ['staff']);
    assert.deepEqual(await offered(place, 'sync', 'staff', '--dry'), ['--dry-run']);
    assert.deepEqual(await offered(place, 'sync', '--dry-run', '--dry'), []);
    assert.deepEqual(await offered(place, 'sync', '--only', 'ann@example.com', '--only'), ['--only-active', '--only']);
    assert.deepEqual(await offered(place, 'sync', '--qui'), ['--quiet']);
    assert.deepEqual(await offered(place, 'import', ''), [':files']);
    assert.deepEqual(await offered(place, 'plan', 's'), ['staff', 'starters', ':files']);
    assert.deepEqual(await offered(place, 'import', 'x.csv', '--report', ''), [':files']);
    assert.deepEqual(await offered(place, 'import', 'x.csv', '--source', 'staf'), ['staff']);
    assert.deepEqual(await offered(place, 'plan', '--format', 'nd'), ['ndjson']);
    assert.deepEqual(await offered(place, 'answers', '--format=n'), ['ndjson']);
    assert.deepEqual(await offered(place, 'user', 'role', 'mette', ''), ['viewer', 'operator', 'approver', 'admin']);
    assert.deepEqual(await offered(place, 'progress', '--people', 'not'), ['not-answered', 'not-yet-given']);
    assert.deepEqual(await offered(place, 'completions', 'z'), ['zsh']);
    assert.deepEqual(await offered(place, 'token', 'create', '--scope', 'scim:sta'), ['scim:staff', 'scim:starters']);
    assert.deepEqual((await offered(place, 'plan', 'staff', '--guard', '')).toSorted(), [...guardNames].toSorted());
    assert.deepEqual(await offered(place, 'plan', 'staff', '--guard', 'maxI'), ['maxInvitations']);
    assert.deepEqual(await offered(place, 'import', '--', '--dry'), [':files']);
    assert.ok(!existsSync(place.data), 'no data directory is made');
  });

  test('is nothing and no error where settings are wrong', async () => {
    const place = await open();
    assert.deepEqual(await offered(place, 'show', ''), ['latest']);
    place.write('roster-sync.yaml', 'sources: [wrong\n');
    assert.deepEqual(await offered(place, 'sync', ''), []);
    assert.deepEqual(await offered(place, 'sy'), ['sync']);
  });

  test('is something for every flag that says what its values are, and every such flag is there', async () => {
    const program = createProgram();
    const flags = leafCommands(program).flatMap(([words, { options }]) =>
      options.flatMap((option) =>
        option instanceof RosterOption && option.of !== undefined ? [[words, option] as const] : [],
      ),
    );
    for (const [words, { long = '' }] of flags) {
      const found = await suggest(program, [...words.split(' '), long, ''], async () => ['staff']);
      assert.notEqual(found.words.length, 0, `${words} ${long}`);
    }
    const named = flags.map(([words, { long }]) => `${words} ${long}`);
    for (const name of ['approve --only', 'progress --people', 'token create --scope', 'user add --role'])
      assert.ok(named.includes(name), name);
  });
});

/** A folder with a `roster-sync` that says how it was called; when it is asked to complete, it is the real one. */
async function openShell(): Promise<Place> {
  const place = await open();
  const program = place.write(
    'roster-sync',
    `#!/bin/sh\ncase $1 in __complete|completions) exec '${process.execPath}' '${bin}' "$@";; esac\necho "called with: $*"\n`,
  );
  chmodSync(program, 0o755);
  place.env['PATH'] = `${place.folder}:${place.env['PATH']}`;
  place.write('some file.csv', '');
  return place;
}

/** Types into a shell on a pseudo-terminal and waits for what the line became. */
async function types(place: Place, shell: string[], lines: [typed: string, called: string][]): Promise<void> {
  const command = `stty cols 200; exec ${shell.join(' ')}`;
  const env = { ...place.env, TERM: 'xterm', SHELL: '/bin/sh', PS1: '> ', LC_ALL: 'C.UTF-8' };
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    ...{ cwd: place.folder, env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let said = '';
  const waiting = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    for (const look of waiting) look();
  });
  const until = async (text: string): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = (): void => void (said.includes(text) && resolve());
    waiting.add(look);
    child.once('close', () => reject(new Error(`it ended before it said ${text}:\n${said}`)));
    look();
    await promise;
    waiting.delete(look);
  };
  for (const [typed, called] of lines) {
    child.stdin.write(typed);
    await until(called);
  }
  child.stdin.end('exit\n');
  await once(child, 'close');
}

suite('in a real shell, the tab key', () => {
  const lines: [string, string][] = [
    ['roster-sync sy\tstarte\t\n', 'called with: sync starters'],
    ['roster-sync sync staff --dry\t --repo\tsome\t\n', 'called with: sync staff --dry-run --report some file.csv'],
    ['roster-sync plan --format=nd\t staf\t\n', 'called with: plan --format=ndjson staff'],
  ];
  test('completes in bash', { skip: without('bash', 'script') }, async () => {
    const place = await openShell();
    await types(
      place,
      ['bash', '--norc', '--noprofile', '-i'],
      [['source <(roster-sync completions bash); echo rea""dy\n', 'ready'], ...lines],
    );
  });

  test('completes in zsh', { skip: without('zsh', 'script') }, async () => {
    const place = await openShell();
    await types(
      place,
      ['zsh', '-f', '-i'],
      [
        ['autoload -Uz compinit; compinit -u; source <(roster-sync completions zsh); echo rea""dy\n', 'ready'],
        ...lines,
      ],
    );
  });

  test('completes in fish', { skip: without('fish') }, async () => {
    const place = await openShell();
    const complete = (line: string): string[] => {
      const asked = `roster-sync completions fish | source; complete -C '${line}'`;
      const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', asked], { cwd: place.folder, env: place.env });
      assert.equal(stderr.toString(), '');
      return stdout
        .toString()
        .split('\n')
        .flatMap((each) => (each === '' ? [] : [each.split('\t')[0] ?? '']));
    };
    assert.deepEqual(complete('roster-sync sy'), ['sync']);
    assert.deepEqual(complete('roster-sync sync star'), ['starters']);
    assert.deepEqual(complete('roster-sync plan --format=nd'), ['--format=ndjson']);
    assert.deepEqual(complete('roster-sync import x.csv --report some'), ['some file.csv']);
  });
});

test('the ledger is loaded ahead for every command that opens it, and for no other', () => {
  const without = [...leafCommands(createProgram())]
    .filter(([, command]) => !opensLedger(command))
    .map(([name]) => name);
  assert.deepEqual(without.toSorted(), [
    '__complete',
    'answers',
    'completion',
    'completions',
    'config',
    'demo',
    'init',
    'inspect',
    'sandbox',
  ]);
});
