import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { loadConfig } from '../../config/load.ts';
import { openPlace } from '../support/cli.ts';
import { runHere } from '../support/run-here.ts';

const nobody = 65534;
const needsRoot = process.getuid?.() === 0 ? false : 'only root can give a file to another user';

/** A folder `home` with `work/team/deep` in it. */
function folders(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), 'roster-sync-find-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const work = join(home, 'work');
  const deep = join(work, 'team/deep');
  mkdirSync(deep, { recursive: true });
  const write = (...path: string[]): string => {
    const file = join(home, ...path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(
      file,
      'service: { baseUrl: https://service.example.com }\nsources: { staff: { file: ./staff.csv } }\n',
    );
    return file;
  };
  const load = (cwd: string, environment: Record<string, string> = {}) =>
    loadConfig({ cwd, environment: { HOME: home, ...environment } });
  return { home, work, deep, write, load };
}

suite('the config file', () => {
  test('is the nearest in this folder and those above; paths in it and the data directory stay beside it', (t) => {
    const { home, work, deep, write, load } = folders(t);
    const outer = write('roster-sync.yaml');
    assert.equal(load(deep).file, outer);
    const inner = write('work/roster-sync.yml');
    const { file, fileAt, sources, dataDir } = load(deep);
    assert.deepEqual([file, fileAt, dataDir], [inner, 'above', join(work, '.roster-sync')]);
    assert.equal(sources['staff']?.file, join(work, 'staff.csv'));
    assert.deepEqual([load(work).file, load(work).fileAt], [inner, 'here']);
    assert.equal(load(deep, { ROSTER_SYNC_CONFIG: '../../../roster-sync.yaml' }).file, outer);
    assert.throws(() => load(join(home, 'work/team'), { ROSTER_SYNC_CONFIG: 'none.yaml' }), /no config file none.yaml/);
  });

  test('is not looked for above the home folder, nor above a data directory in this folder', (t) => {
    const { home, work, deep, write, load } = folders(t);
    write('roster-sync.yaml');
    assert.equal(load(deep, { HOME: work }).file, undefined);
    mkdirSync(join(deep, '.roster-sync'));
    assert.deepEqual([load(deep).file, load(deep).dataDir], [undefined, join(deep, '.roster-sync')]);
    assert.equal(load(home).fileAt, 'here');
  });

  test(
    'is refused if it belongs to another user, above this folder or where everybody may write',
    { skip: needsRoot },
    (t) => {
      const { home, work, deep, write, load } = folders(t);
      const file = write('work/roster-sync.yaml');
      chownSync(file, nobody, nobody);
      assert.throws(
        () => load(deep),
        /^InputError: ..\/..\/roster-sync.yaml belongs to another user.*name it as the config file/,
      );
      assert.equal(load(work).file, file, 'where only its owner may write');
      chmodSync(work, 0o777);
      assert.throws(() => load(work), /^InputError: roster-sync.yaml belongs to another user/);
      assert.equal(load(work, { ROSTER_SYNC_CONFIG: file }).file, file);
      chownSync(join(home, 'work/team'), nobody, nobody);
      assert.equal(load(deep).file, undefined, 'a folder of another user ends the search');
    },
  );

  test('of the user is taken for all folders, with its data in the XDG folder', (t) => {
    const { home, deep, write, load } = folders(t);
    const own = write('.config/roster-sync/roster-sync.yaml');
    assert.deepEqual([load(deep).file, load(deep).dataDir], [own, join(home, '.local/share/roster-sync')]);
    const elsewhere = write('etc/roster-sync/roster-sync.yaml');
    const xdg = { XDG_CONFIG_HOME: join(home, 'etc'), XDG_DATA_HOME: join(home, 'data') };
    assert.deepEqual([load(deep, xdg).file, load(deep, xdg).dataDir], [elsewhere, join(home, 'data/roster-sync')]);
    assert.equal(load(deep, { ROSTER_SYNC_DATA_DIR: 'mine' }).dataDir, join(deep, 'mine'));
    const near = write('work/roster-sync.yaml');
    assert.equal(load(deep).file, near);
  });

  test('without one, data goes to $XDG_DATA_HOME if it is set, unless this folder has a data directory', (t) => {
    const { home, deep, load } = folders(t);
    const xdg = { XDG_DATA_HOME: join(home, 'data') };
    assert.equal(load(deep).dataDir, join(deep, '.roster-sync'));
    assert.equal(load(deep, xdg).dataDir, join(home, 'data/roster-sync'));
    mkdirSync(join(deep, '.roster-sync'));
    assert.equal(load(deep, xdg).dataDir, join(deep, '.roster-sync'));
  });

  test('is named by every command that found it above, and by doctor', async () => {
    const place = await openPlace({}, { bare: true });
    const file = place.write('roster-sync.yaml', 'sources: { staff: { file: ./staff.csv } }\n');
    mkdirSync(join(place.folder, 'below'));
    const below = { ...place, folder: join(place.folder, 'below') };
    const shown = await runHere(below, 'config');
    assert.equal(shown.stderr, `The config file is ${file}.\n`);
    assert.equal((await runHere(below, 'config', '--quiet')).stderr, '');
    assert.equal((await runHere(place, 'config')).stderr, '');
    assert.equal((await runHere(place, 'config', '--verbose')).stderr, `The config file is ${file}.\n`);
    assert.match((await runHere(below, 'doctor')).stdout, new RegExp(`settings +${file}$`, 'm'));
  });
});
