import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, suite, test } from 'node:test';
import type * as Re2 from 're2js';
import { loadConfig } from '../../config/load.ts';
import { openDataDirectory } from '../../src/ledger/directory/data-directory.ts';
import { KeptUploads } from '../../src/intake/kept-uploads.ts';

suite('kept uploads', () => {
  let folder: string;
  let uploads: KeptUploads;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'roster-sync-uploads-'));
    const config = loadConfig({ cwd: folder, environment: { ROSTER_SYNC__SERVER__UPLOAD_LIMIT: '1kB' } });
    uploads = new KeptUploads({ config, directory: await openDataDirectory(config.dataDir, { create: true }) });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const add = (name: string, text: string, by = 'mette@desk') =>
    uploads.add({ name, by }, Readable.from([Buffer.from(text)]));

  test('the name of a file never becomes a path, and only its owner may read what is kept', async () => {
    const upload = await add('../../../etc/passwd', 'a,b\n1,2\n');
    assert.match(upload.file, /uploads\/[0-9a-f-]{36}\/bytes$/);
    assert.equal(readFileSync(upload.file, 'utf8'), 'a,b\n1,2\n');
    assert.equal(statSync(upload.file).mode & 0o077, 0);
    assert.equal((await uploads.get(upload.id, 'mette@desk')).name, '../../../etc/passwd');
    await assert.rejects(uploads.get(upload.id, 'jonas@desk'), /This upload is mette@desk’s/);
    for (const id of ['..', '../uploads', `${upload.id}/..`, '', upload.id.toUpperCase()]) {
      await assert.rejects(uploads.get(id, 'mette@desk'), /There is no such upload/);
      await uploads.remove(id);
    }
    assert.ok(existsSync(upload.file));
  });

  test('no more than two arrive at a time, and what has arrived or broken off counts no longer', async () => {
    const arrives = Promise.withResolvers<void>();
    async function* bytes(hangsUp: boolean): AsyncGenerator<string> {
      yield 'a\n';
      await arrives.promise;
      if (hangsUp) throw new Error('hung up');
    }
    const added = [false, true].map((hangsUp) => uploads.add({ name: 'slow.csv', by: 'mette@desk' }, bytes(hangsUp)));
    await assert.rejects(add('third.csv', 'a\n1\n'), { status: 503, code: 'BUSY' });
    arrives.resolve();
    const ends = await Promise.allSettled(added);
    assert.deepEqual(
      ends.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    assert.equal((await add('third.csv', 'a\n1\n')).name, 'third.csv');
  });

  test('whoever asks for theirs has the mappings of nobody else read', async (t) => {
    const upload = await add('patterns.csv', 'a,b\n1,2\n', 'jonas@desk');
    const mapping = { renamePatterns: [{ matches: 'never compiled before', to: 'A' }] };
    await uploads.save({ ...upload, mapping });
    const { mock } = t.mock.method((createRequire(import.meta.url)('re2js') as typeof Re2).RE2JS, 'compile');
    await uploads.of('mette@desk');
    assert.equal(mock.callCount(), 0);
    assert.deepEqual((await uploads.of('jonas@desk'))[0]?.mapping, mapping);
    await uploads.remove(upload.id);
  });

  test('what was said is kept with it, and the file stays as it was', async () => {
    const upload = await add('one.csv', 'a,b\n1,2\n');
    const corrections = [{ file: 'one.csv', line: 2, column: 1, value: 'ü "x"' }];
    await uploads.save({ ...upload, corrections, mapping: { groups: [{ always: 'All' }] } });
    const again = await uploads.get(upload.id, 'mette@desk');
    assert.deepEqual([again.corrections, again.mapping], [corrections, { groups: [{ always: 'All' }] }]);
    assert.equal(readFileSync(upload.file, 'utf8'), 'a,b\n1,2\n');
  });

  test('the files of two months are of one source', async () => {
    for (const name of ['staff-2026-10.csv', 'staff-2026-11.csv.gz', 'staff_20261126 (2).xlsx'])
      assert.equal((await add(name, 'a\n1\n')).source, 'staff', name);
  });

  test('somebody’s are listed with the newest first', async () => {
    for (const [name, at] of [
      ['second.csv', '2026-02-01T00:00:00.000Z'],
      ['third.csv', '2026-03-01T00:00:00.000Z'],
      ['first.csv', '2026-01-01T00:00:00.000Z'],
    ] as const)
      await uploads.save({ ...(await add(name, 'a\n1\n', 'ida@desk')), at });
    const names = (await uploads.of('ida@desk')).map(({ name }) => name);
    assert.deepEqual(names, ['third.csv', 'second.csv', 'first.csv']);
  });

  test('one whose state cannot be read is nobody’s, and does not hide the others', async () => {
    const [bad, good] = [await add('bad.csv', 'a\n1\n', 'bo@desk'), await add('good.csv', 'a\n1\n', 'bo@desk')];
    for (const text of ['{"name":', '{"name": 1}']) {
      writeFileSync(join(bad.file, '..', 'upload.json'), text);
      assert.deepEqual(
        (await uploads.of('bo@desk')).map(({ name }) => name),
        [good.name],
      );
      await assert.rejects(uploads.get(bad.id, 'bo@desk'), /There is no such upload/);
    }
  });

  test('an empty file and one beyond the limit leave nothing behind', async () => {
    const before = (await uploads.of('mette@desk')).length;
    await assert.rejects(add('empty.csv', ''), /The file is empty/);
    await assert.rejects(add('large.csv', 'x'.repeat(1001)), /The file has more than 1000 bytes/);
    assert.equal((await uploads.of('mette@desk')).length, before);
  });

  test('what nobody has changed for 7 days is removed, and nothing newer or foreign', async () => {
    const [old, fresh] = [await add('old.csv', 'a\n1\n', 'jonas@desk'), await add('fresh.csv', 'a\n1\n', 'jonas@desk')];
    const foreign = join(old.file, '..', '..', 'not-ours');
    mkdirSync(foreign);
    const longAgo = new Date(Date.now() - 7 * 24 * 60 * 60_000 - 60_000);
    utimesSync(join(old.file, '..', 'upload.json'), longAgo, longAgo);
    utimesSync(foreign, longAgo, longAgo);
    await uploads.removeOld();
    assert.deepEqual(
      (await uploads.of('jonas@desk')).map(({ name }) => name),
      [fresh.name],
    );
    assert.ok(existsSync(foreign));
  });
});
