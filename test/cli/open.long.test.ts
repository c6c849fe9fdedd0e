import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { request } from 'undici';
import { startSandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, eventually, openPlace, type Place } from '../support/cli.ts';

suite('open', () => {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;
  let place: Place;
  before(async () => {
    sandbox = await startSandbox();
    place = await openPlace(envOf(sandbox));
  });
  after(async () => sandbox.close());

  const linkIn = (text: string): string => /http:\/\/127\.0\.0\.1:\d+\/sign-in\?link=\S+/.exec(text)?.[0] ?? '';

  test('serves the pages and prints a link that signs in once; a second terminal gets a link to the same server', async () => {
    const serving = await place.start(['open', '--no-browser']);
    await serving.until(/sign-in\?link=\S+\n/);
    const link = linkIn(serving.said());
    const first = await request(link);
    assert.equal(first.statusCode, 303);
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
    const home = await request(new URL('/', link), { headers: { cookie } });
    assert.match(await home.body.text(), /Import a file/);
    assert.equal((await request(link)).statusCode, 403);

    const second = await place.run('open', '--no-browser');
    assert.equal(second.code, 0, second.stderr);
    const other = linkIn(second.stderr);
    assert.equal(new URL(other).origin, new URL(link).origin);
    assert.equal((await request(other)).statusCode, 303);
    serving.child.kill('SIGINT');
    await serving.ended;
  });

  test('a run whose process was killed does not go on because somebody wants to look at it', async () => {
    place.write('people.csv', csvOf(30));
    sandbox.faults.add('latency=forever');
    const importing = await place.start(['import', 'people.csv', '--yes']);
    await eventually('a call has arrived', () => sandbox.calls.length > 0);
    importing.child.kill('SIGKILL');
    await importing.ended;
    sandbox.faults.clear();
    const before = sandbox.calls.length;
    const serving = await place.start(['open', '--no-browser']);
    await serving.until(/Run \S+ was interrupted\. It is paused until somebody resumes it\.[^]*sign-in\?link=\S+\n/);
    const listed = await place.run('runs');
    assert.match(listed.stdout, / paused /);
    serving.child.kill('SIGINT');
    await serving.ended;
    assert.equal(sandbox.calls.length, before);
  });

  test(
    'starts a browser with a page for this user alone, and no command line has the link',
    { skip: process.platform !== 'linux' && 'other platforms start a browser by other programs' },
    async (t) => {
      const bin = join(place.folder, 'bin');
      const seen = join(place.folder, 'opened');
      mkdirSync(bin);
      place.write('bin/xdg-open', `#!/bin/sh\nprintf '%s' "$*" > ${seen}.new && mv ${seen}.new ${seen}\n`);
      chmodSync(join(bin, 'xdg-open'), 0o755);
      const path = `${bin}${delimiter}${place.env['PATH']}`;
      const there = { ...place.env };
      place.env['PATH'] = path;
      t.after(() => Object.assign(place.env, there));
      const serving = await place.terminal('open');
      await eventually('the browser is started', () => existsSync(seen));
      const page = readFileSync(seen, 'utf8');
      assert.doesNotMatch(page, /rstk_/);
      assert.equal(statSync(page).mode & 0o077, 0);
      assert.match(readFileSync(page, 'utf8'), /url=http:\/\/127\.0\.0\.1:\d+\/sign-in\?link=rstk_/);
      serving.child.kill('SIGINT');
      await serving.ended;
    },
  );
});
