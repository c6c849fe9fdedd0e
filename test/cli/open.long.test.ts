import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { request } from 'undici';
import { startSandbox } from '../../src/sandbox/index.ts';
import { envOf, openPlace, type Place } from '../support/cli.ts';

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
});
