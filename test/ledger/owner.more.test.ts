import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before, suite, test } from 'node:test';
import { BusyError } from '../../src/core/errors.ts';
import { moment } from '../../src/core/text/format.ts';
import { claimOwnership, OwnedError } from '../../src/ledger/directory/owner.ts';

const owner = { command: 'import staff.csv', startedAt: new Date('2026-01-02T03:04:05Z') };

suite('the ownership of a data directory', () => {
  let folder: string;
  const children = new Set<ChildProcess>();
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rs-owner-'));
  });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    children.clear();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  interface Claimer {
    child: ChildProcess;
    say(line: string): Promise<string>;
    kill(): Promise<void>;
  }
  async function claimer(dir: string, environment: Record<string, string> = {}): Promise<Claimer> {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../support/owner-claimer.ts'), dir], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    children.add(child);
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const heard = async (): Promise<string> => String((await lines.next()).value);
    assert.equal(await heard(), 'ready');
    return {
      child,
      say(line) {
        child.stdin.write(`${line}\n`);
        return heard();
      },
      async kill() {
        child.kill('SIGKILL');
        children.delete(child);
        await once(child, 'exit');
      },
    };
  }
  const newFolder = () => mkdtemp(join(folder, 'd-'));

  test('is refused to a second, who is told by whom, since when, and what to do', async () => {
    const dir = await newFolder();
    const ownership = await claimOwnership(dir, { ...owner, command: 'import a\u001b[31m.csv' });
    await assert.rejects(claimOwnership(dir, owner), (error) => {
      assert.ok(error instanceof BusyError);
      assert.equal(error.exitCode, 5);
      assert.ok(error.message.startsWith(`The data directory ${dir} is in use by `));
      const since = moment(owner.startedAt.toISOString());
      assert.ok(error.message.includes(`(process ${process.pid}, since ${since})`));
      assert.ok(error.message.includes(String.raw`"import a\u001b[31m.csv"`));
      assert.match(error.message, /Wait until it has finished, or stop it/);
      return true;
    });
    await ownership.release();
    await (await claimOwnership(dir, owner)).release();
    assert.deepEqual(await readdir(dir), []);
  });

  test('is refused by who does not end, with that as the next step', async () => {
    const dir = await newFolder();
    const ownership = await claimOwnership(dir, { ...owner, command: 'serve' });
    await assert.rejects(claimOwnership(dir, owner), (error) => {
      assert.ok(error instanceof OwnedError);
      assert.equal(error.who, `serve (process ${process.pid})`);
      assert.match(error.message, /"serve" .* goes on until it is stopped: stop it first .* its API/);
      assert.doesNotMatch(error.message, /has finished/);
      return true;
    });
    await ownership.release();
  });

  test('is proved by a private socket that later answers requests', async () => {
    const dir = await newFolder();
    const { server, path, release } = await claimOwnership(dir, owner);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    server.on('connection', (socket) => socket.end('here'));
    const socket = connect(path).setEncoding('utf8');
    assert.deepEqual(await once(socket, 'data'), ['here']);
    await release();
  });

  test('can be released while somebody is connected', async () => {
    const dir = await newFolder();
    const { server, path, release } = await claimOwnership(dir, owner);
    server.on('connection', () => {});
    const socket = connect(path);
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    await release();
    await closed;
  });

  test('passes at once to the next after kill -9 of the owner', async () => {
    const dir = await newFolder();
    const first = await claimer(dir);
    assert.equal(await first.say('claim'), 'won');
    await assert.rejects(claimOwnership(dir, owner), new RegExp(`process ${first.child.pid}`));
    await first.kill();
    const started = performance.now();
    const ownership = await claimOwnership(dir, owner);
    assert.ok(performance.now() - started < 5000);
    assert.equal((await readdir(dir)).length, 2);
    await ownership.release();
  });

  test('stays with an owner that is stopped and answers nothing', async () => {
    const dir = await newFolder();
    const stopped = await claimer(dir);
    assert.equal(await stopped.say('claim'), 'won');
    stopped.child.kill('SIGSTOP');
    await assert.rejects(claimOwnership(dir, owner), BusyError);
    await stopped.kill();
    await (await claimOwnership(dir, owner)).release();
  });

  test('goes to exactly one of five that start at once, in thirty rounds, each after a crash of the owner', async () => {
    const dir = await newFolder();
    let starters = await Promise.all(Array.from({ length: 5 }, () => claimer(dir)));
    for (let round = 0; round < 30; round += 1) {
      const answers = await Promise.all(starters.map(({ say }) => say('claim')));
      const winners = starters.filter((_, at) => answers[at] === 'won');
      assert.equal(winners.length, 1, answers.join('\n'));
      assert.equal(answers.filter((answer) => answer.startsWith('busy 5 ')).length, 4, answers.join('\n'));
      const [winner] = winners as [Claimer];
      await winner.kill();
      starters = [...starters.filter((starter) => starter !== winner), await claimer(dir)];
    }
  });

  test('holds in a folder whose path is too long for a socket, over different temporary folders', async () => {
    const dir = join(folder, 'long'.repeat(30), 'ä'.repeat(60));
    await mkdir(dir, { recursive: true });
    const [one, two] = await Promise.all([
      claimer(dir, { TMPDIR: await newFolder() }),
      claimer(dir, { TMPDIR: await newFolder() }),
    ]);
    assert.equal(await one.say('claim'), 'won');
    assert.match(await two.say('claim'), /^busy 5 /);
    await one.kill();
    assert.equal(await two.say('claim'), 'won');
    assert.equal(await two.say('release'), 'released');
    assert.deepEqual(await readdir(dir), []);
  });
});
