import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { csvOf, envOf, openPlace, withSmallDisk } from '../support/cli.ts';
import { openSandbox } from '../support/sandbox.ts';

suite('a folder for temporary files', () => {
  test('that is missing is named, for a gzip, standard input, HTTP and the answers of the service: exit 1, and what to do', async (t) => {
    const sandbox = await openSandbox(t);
    const place = await openPlace(envOf(sandbox));
    const server = createServer((_, response) => response.end(csvOf(3))).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/people.csv`;
    place.write('roster-sync.yaml', `sources:\n  staff:\n    http: { url: "${url}" }\n`);
    place.write('people.csv.gz', gzipSync(csvOf(3)));
    const missing = join(place.folder, 'missing');
    place.env['TMPDIR'] = missing;
    const commands = [
      ['import', 'people.csv.gz', '--yes'],
      ['import', '-', '--yes', '--source', 'stdin'],
      ['sync', 'staff', '--yes'],
      ['answers'],
    ];
    for (const command of commands) {
      const running = await place.start(command, { stdin: 'pipe' });
      running.child.stdin?.on('error', () => {}).end(csvOf(3));
      const { code, stderr } = await running.ended;
      assert.equal(code, 1, `${command.join(' ')}: ${stderr}`);
      assert.match(
        stderr,
        /cannot be kept in the folder for temporary files, .*missing: there is no such folder \(ENOENT\)\. Make room there, or name another folder with TMPDIR\./,
        command.join(' '),
      );
      assert.doesNotMatch(stderr, /cannot be read|unexpected/);
    }
    assert.equal(sandbox.stats().users, 0);
  });

  test('that is full is named, and not the file that is read', async (t) => {
    const sandbox = await openSandbox(t);
    const place = await openPlace(envOf(sandbox));
    const mebibyte = 1024 * 1024;
    const rows = Array.from(
      { length: 20_000 },
      (_, at) => `First${at},Last${at},p${at}@example.com,,${'x'.repeat(200)}`,
    );
    place.write('people.csv.gz', gzipSync(`firstname,lastname,email,telephone,groups\n${rows.join('\n')}\n`));
    const wasMounted = await withSmallDisk(mebibyte, async (folder) => {
      place.env['TMPDIR'] = folder;
      const { code, stderr } = await place.run('import', 'people.csv.gz', '--yes');
      assert.equal(code, 1, stderr);
      assert.match(stderr, /What comes from people\.csv\.gz cannot be kept in .*: its disk is full \(ENOSPC\).*TMPDIR/);
    });
    if (!wasMounted) t.skip('no disk may be mounted here');
  });
});
