import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { without } from '../support/server-process.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'roster-sync-bin-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a checkout or a package of the real bin and the given files, and gives back the path of its bin. */
function install(name: string, files: Record<string, string>): string {
  cpSync(join(root, 'bin'), join(folder, name, 'bin'), { recursive: true });
  for (const [path, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), text);
    chmodSync(join(folder, name, path), 0o755);
  }
  return join(folder, name, 'bin/roster-sync.cjs');
}

/** Loaded first, it makes this Node say that it is an old one. */
const old = join(folder, 'old.cjs');
writeFileSync(
  old,
  `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });\n`,
);

/** The checkout's own Node, found under another path than the one the tests run on. */
const pinned = { 'node_modules/node/bin/node': `#!/bin/sh\nexec '${process.execPath}' "$@"\n` };
const echo = `console.log(JSON.stringify(process.argv.slice(2)), process.versions.node);\nprocess.exitCode = 4;\n`;
const own = process.versions.node;

function run(bin: string, ...execArgv: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...execArgv, bin, 'a b', '--c'], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('the bin', () => {
  it('prints the version of this package', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const { stdout } = spawnSync(process.execPath, [join(root, 'bin/roster-sync.cjs'), '--version'], {
      encoding: 'utf8',
    });
    assert.equal(stdout, `${version}\n`);
  });

  it('loads no words of rosters, no ledger and no settings to print the version or the help', () => {
    const naming = join(folder, 'naming.mjs');
    writeFileSync(
      naming,
      `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });\n`,
    );
    for (const flag of ['--version', '--help']) {
      const { status, stderr } = spawnSync(
        process.execPath,
        ['--import', naming, join(root, 'bin/roster-sync.cjs'), flag],
        { encoding: 'utf8' },
      );
      assert.equal(status, 0);
      assert.match(stderr, /src\/cli\/program\.ts/);
      assert.doesNotMatch(
        stderr,
        /\/(?:config|jobs|src\/(?:acts|data\/schemas|ledger|roster|core\/(?:words\/words|mapping)))\//,
      );
      // Of what is data it reads the commands alone.
      assert.deepEqual(stderr.match(/src\/data\/[\w.-]+/g), ['src/data/data.ts']);
    }
  });

  it('runs the sources in a checkout', () => {
    const bin = install('checkout', { 'src/cli/main.ts': echo, 'dist/src/cli/main.js': 'throw 1;' });
    assert.deepEqual(run(bin), { status: 4, stdout: `["a b","--c"] ${own}\n`, stderr: '' });
  });

  it('runs the compiled files in a package', () => {
    const bin = install('package', { 'dist/src/cli/main.js': echo });
    assert.deepEqual(run(bin), { status: 4, stdout: `["a b","--c"] ${own}\n`, stderr: '' });
  });

  it('hands over to the Node of the checkout when its own is too old, arguments and exit code included', () => {
    const bin = install('handover', { 'src/cli/main.ts': echo, ...pinned });
    const ended = run(bin, '--require', old);
    assert.deepEqual(ended, { status: 4, stdout: `["a b","--c"] ${own}\n`, stderr: '' });
  });

  it('says in one line what to do when Node is too old and there is no other', () => {
    const ended = run(install('alone', { 'dist/src/cli/main.js': echo }), '--require', old);
    assert.equal(ended.status, 2);
    assert.equal(ended.stdout, '');
    assert.match(ended.stderr, /^roster-sync needs Node 22\.19 or later, and this is 20\.20\.2\. Get .*\n$/);
  });
});

describe('the bin with another Node', () => {
  const patient = `
    let count = 0;
    for (const signal of ['SIGINT', 'SIGTERM']) {
      process.on(signal, () => {
        // Time for a second one, which must not come.
        if (++count === 1) setTimeout(() => { console.log(signal + ' ' + count); process.exit(130); }, 200);
      });
    }
    setInterval(() => {}, 1000);
    console.log('ready');
  `;

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`passes ${signal} on, and ends as the other one does`, async () => {
      const bin = install(`pass-${signal}`, { 'src/cli/main.ts': patient, ...pinned });
      const child = spawn(process.execPath, ['--require', old, bin], { stdio: ['ignore', 'pipe', 'ignore'] });
      const ended = once(child, 'exit');
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text === 'ready\n') child.kill(signal);
      });
      assert.deepEqual(await ended, [130, null]);
      assert.equal(text, `ready\n${signal} 1\n`);
    });
  }

  it('ends the other one, as SIGTERM does, when it is killed itself', async () => {
    const bin = install('orphan', { 'src/cli/main.ts': patient, ...pinned });
    const child = spawn(process.execPath, ['--require', old, bin], { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text === 'ready\n') child.kill('SIGKILL');
    });
    await once(child.stdout, 'close');
    assert.equal(text, 'ready\nSIGTERM 1\n');
  });

  it('dies of the signal that killed the other one', async () => {
    const bin = install('killed', { 'src/cli/main.ts': `process.kill(process.pid, 'SIGTERM');`, ...pinned });
    const child = spawn(process.execPath, ['--require', old, bin], { stdio: 'ignore' });
    assert.deepEqual(await once(child, 'exit'), [null, 'SIGTERM']);
  });

  it('lets a Ctrl-C on the terminal reach the other one once', { skip: without('script') }, async () => {
    const bin = install('terminal', { 'src/cli/main.ts': patient, ...pinned });
    // util-linux's `script` runs a command on a terminal of its own; what it is sent is typed there.
    const command = `'${process.execPath}' --require '${old}' '${bin}'`;
    const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = once(child, 'exit');
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const before = text;
      text += chunk.toString();
      if (text.includes('ready') && !before.includes('ready')) child.stdin.write('\u0003');
    });
    assert.deepEqual(await ended, [130, null]);
    assert.match(text, /SIGINT 1/);
  });
});

describe('the bin in the shell that npx starts it in', () => {
  const environment = { ...process.env, npm_lifecycle_script: 'roster-sync' };
  /** Says when it is asked to end: by a signal, or by the end of the shell. */
  const told = `
    process.once('SIGTERM', () => { console.log('SIGTERM'); process.exit(130); });
    setInterval(() => {}, 1000);
    console.log('ready');
  `;

  /** Runs a bin in a shell that stays beside it, kills the shell once it is ready, and resolves with all it says. */
  async function killShellOf(bin: string, by: NodeJS.Signals, ...execArgv: string[]): Promise<string> {
    const command = [process.execPath, ...execArgv, bin].map((part) => `'${part}'`).join(' ');
    const shell = spawn('sh', ['-c', `${command}; true`], { stdio: ['ignore', 'pipe', 'ignore'], env: environment });
    let text = '';
    shell.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text === 'ready\n') shell.kill(by);
    });
    await once(shell.stdout, 'close');
    return text;
  }

  for (const by of ['SIGTERM', 'SIGKILL'] as const) {
    it(`ends when the shell is ended by ${by}`, async () => {
      const bin = install(`shell-${by}`, { 'src/cli/main.ts': told });
      assert.equal(await killShellOf(bin, by), 'ready\nSIGTERM\n');
    });
  }

  it('ends through another Node too', async () => {
    const bin = install('shell-pinned', { 'src/cli/main.ts': told, ...pinned });
    assert.equal(await killShellOf(bin, 'SIGTERM', '--require', old), 'ready\nSIGTERM\n');
  });

  it('does not hurry what finishes its work after a Ctrl-C when the shell ends meanwhile', async () => {
    const shutdown = readFileSync(join(root, 'src/process/shutdown.ts'), 'utf8');
    const finishing = `
      import { listenForInterruptions } from '../process/shutdown.ts';
      listenForInterruptions(() => {
        console.log('finishing');
        process.once('disconnect', () => setImmediate(() => { console.log('finished'); process.exit(0); }));
      });
      setInterval(() => {}, 1000);
      // The signal comes more than a keystroke before the end of the shell is noticed.
      setTimeout(() => console.log('ready'), 400);
      process.kill(process.pid, 'SIGINT');
    `;
    const bin = install('shell-finishing', { 'src/cli/main.ts': finishing, 'src/process/shutdown.ts': shutdown });
    const command = `'${process.execPath}' '${bin}'; true`;
    const shell = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'], env: environment });
    let text = '';
    shell.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.endsWith('ready\n')) shell.kill('SIGTERM');
    });
    await once(shell.stdout, 'close');
    assert.equal(text, 'finishing\nready\nfinished\n');
  });
});
