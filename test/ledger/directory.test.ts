import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { InputError, StorageError } from '../../src/core/errors.ts';
import { openDataDirectory, removeLeftovers } from '../../src/ledger/directory/data-directory.ts';
import { writeEmptyDataDirectory } from '../support/empty-data-directory.ts';

const nobody = 65_534;
const engine = join(import.meta.dirname, '../../src/ledger/database/embedded/embedded-engine.ts');
const backup = join(import.meta.dirname, '../../src/ledger/directory/backups.ts');
const owner = join(import.meta.dirname, '../../src/ledger/directory/owner.ts');

/** Why nothing can be tried here as another user. */
function withoutNobody(): string | false {
  if (process.geteuid?.() !== 0) return 'only root can give a file to another user';
  const reads = spawnSync('test', ['-r', engine], { uid: nobody, gid: nobody }).status === 0;
  return reads ? false : 'the user nobody may not read this checkout';
}

suite('the data directory', () => {
  let folder: string;
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'rs-dir-')));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test('is made private, with its folders and a .gitignore of everything', async () => {
    const path = join(folder, 'parent', '.roster-sync');
    const directory = await openDataDirectory(path, { create: true });
    assert.deepEqual(directory, {
      path,
      isNew: true,
      ledger: join(path, 'ledger'),
      rejects: join(path, 'rejects'),
      backup: join(path, 'backup'),
    });
    for (const made of [path, directory.rejects, directory.backup]) {
      assert.equal((await stat(made)).mode & 0o777, 0o700);
    }
    assert.equal((await stat(join(path, '.gitignore'))).mode & 0o777, 0o600);
    assert.match(await readFile(join(path, '.gitignore'), 'utf8'), /^\*$/m);
  });

  test('is made whole where a process was killed before it had written a word', async () => {
    const path = join(folder, 'begun');
    await mkdir(path);
    await writeFile(join(path, '.gitignore'), '');
    await openDataDirectory(path, { create: true });
    assert.match(await readFile(join(path, '.gitignore'), 'utf8'), /^\*$/m);
  });

  test('is new until it holds a ledger', async () => {
    const path = join(folder, 'known');
    const { ledger } = await openDataDirectory(path, { create: true });
    assert.equal((await openDataDirectory(path, { create: false })).isNew, true);
    await mkdir(ledger);
    assert.equal((await openDataDirectory(path, { create: false })).isNew, false);
  });

  test('is closed again to others when it was opened to them', async () => {
    const path = join(folder, 'opened');
    await openDataDirectory(path, { create: true });
    await chmod(path, 0o755);
    await openDataDirectory(path, { create: false });
    assert.equal((await stat(path)).mode & 0o777, 0o700);
  });

  test('is found through a symbolic link under its real name', async () => {
    const path = join(folder, 'real');
    await openDataDirectory(path, { create: true });
    await symlink(path, join(folder, 'link'));
    assert.equal((await openDataDirectory(join(folder, 'link'), { create: false })).path, path);
  });

  test('is an input error where it is missing and only asked for', async () => {
    const path = join(folder, 'missing');
    await assert.rejects(openDataDirectory(path, { create: false }), (error) => {
      assert.ok(error instanceof InputError);
      assert.ok(error.message.includes(path));
      assert.match(error.message, /nothing was imported/);
      return true;
    });
    assert.ok(!(await readdir(folder)).includes('missing'));
  });

  test('is an input error where a file is, or below a file', async () => {
    const file = join(folder, 'file');
    await writeFile(file, 'mine');
    for (const path of [file, join(file, 'below')]) {
      for (const create of [true, false]) {
        await assert.rejects(openDataDirectory(path, { create }), (error) => {
          assert.ok(error instanceof InputError);
          assert.match(error.message, /not a folder, or lies below a file\. Choose another place/);
          return true;
        });
      }
    }
  });

  test("is never made of somebody's folder, which stays as it was", async () => {
    const path = join(folder, 'project');
    await mkdir(path, { mode: 0o755 });
    await writeFile(join(path, '.gitignore'), 'node_modules\n');
    await assert.rejects(openDataDirectory(path, { create: true }), /is not a data directory of roster-sync/);
    assert.deepEqual(await readdir(path), ['.gitignore']);
    assert.equal((await stat(path)).mode & 0o777, 0o755);
  });

  test('that cannot be written is a storage error with a next step', async () => {
    const path = process.getuid?.() === 0 ? '/sys/roster-sync' : join(folder, 'locked', 'data');
    if (process.getuid?.() !== 0) await mkdir(join(folder, 'locked'), { mode: 0o500 });
    await assert.rejects(openDataDirectory(path, { create: true }), (error) => {
      assert.ok(error instanceof StorageError);
      assert.match(error.message, /not writable|read-only/);
      assert.match(error.message, /Choose another place/);
      return true;
    });
  });

  test('of another user is not opened by root, who would lock the owner out', { skip: withoutNobody() }, async () => {
    const path = join(folder, 'of-nobody');
    await openDataDirectory(path, { create: true });
    await chown(path, nobody, nobody);
    await assert.rejects(openDataDirectory(path, { create: false }), (error) => {
      assert.ok(error instanceof InputError);
      assert.match(error.message, /belongs to nobody, and you are root.*`sudo -u nobody roster-sync …`/);
      return true;
    });
  });

  test(
    'what only root may read in it is named with its owner, and never called damaged',
    { skip: withoutNobody() },
    async () => {
      const path = join(folder, 'of-both');
      await writeEmptyDataDirectory(path);
      await writeFile(join(path, 'backup', 'people.ndjson.gz'), '', { mode: 0o600 });
      await writeFile(join(path, 'owner-0123456789abcdef.sock'), '', { mode: 0o600 });
      for (const place of [folder, path, join(path, 'backup'), join(path, 'ledger')])
        await chown(place, nobody, nobody);
      const tries = `
      const [{ startEngine }, { checkBackup }, { claimOwnership }] = await Promise.all(${JSON.stringify([engine, backup, owner])}.map((file) => import(file)));
      const [path, said] = [${JSON.stringify(path)}, []];
      const tell = (error) => said.push(error.name + ' ' + error.message);
      await startEngine(path + '/ledger').catch(tell);
      await checkBackup(path + '/backup/people.ndjson.gz').catch(tell);
      await claimOwnership(path, { command: 'runs', startedAt: new Date() }).catch(tell);
      console.log(JSON.stringify(said));`;
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', tries], {
        encoding: 'utf8',
        uid: nobody,
        gid: nobody,
      });
      assert.equal(stderr, '');
      const said = JSON.parse(stdout) as string[];
      assert.equal(said.length, 3);
      for (const each of said) {
        assert.match(each, /^StorageError .* belongs to root, and this user may not .*`sudo chown -R 65534 /);
        assert.doesNotMatch(each, /damaged|rebuild/);
      }
    },
  );

  test(
    'where the system lets nobody make folders is refused, not tried for ever',
    { skip: process.platform !== 'linux' },
    async () => {
      await assert.rejects(openDataDirectory('/proc/roster-sync/data', { create: true }), (error) => {
        assert.ok(error instanceof StorageError);
        assert.match(error.message, /Choose another place/);
        return true;
      });
    },
  );

  test('what was uploaded when a process died is removed, whatever is younger than that stays', async () => {
    const directory = await openDataDirectory(join(folder, 'leftovers'), { create: true });
    const names = async (): Promise<string[]> => (await readdir(directory.path)).toSorted();
    const before = await names();
    await writeFile(join(directory.path, 'upload-1'), 'ann@example.com');
    await mkdir(join(directory.path, 'download-1'));
    await writeFile(join(directory.path, 'download-1', 'report.csv'), 'ann@example.com');
    await removeLeftovers(directory, 60_000);
    assert.deepEqual(await names(), [...before, 'download-1', 'upload-1'].toSorted());
    await removeLeftovers(directory, 0);
    assert.deepEqual(await names(), before);
  });
});
