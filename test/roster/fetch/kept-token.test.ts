import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { listenHttp, sendJson } from '../../service/local-server.ts';
import { connect, deps, everythingIn } from './fetching.ts';

suite('a source with a refresh token', () => {
  const first = new Secret('refresh-token-0');
  /** A server whose refresh tokens are good for one use, a data directory, and one read of the source by a new process. */
  async function place(t: TestContext) {
    const dataDir = mkdtempSync(join(tmpdir(), 'rs-refresh-'));
    t.after(() => rmSync(dataDir, { recursive: true }));
    const sealed = join(dataDir, 'sign-ins', 'staff.sealed');
    const state = { newest: first.reveal(), uses: 0, keptAtRequest: [] as Buffer[] };
    const { base, arrivals } = await listenHttp(t, (response, { path, body }) => {
      if (path === '/people') {
        state.keptAtRequest.push(readFileSync(sealed));
        return sendJson(response, []);
      }
      if (new URLSearchParams(body).get('refresh_token') !== state.newest) {
        return sendJson(response, { error: 'invalid_grant' }, 400);
      }
      state.newest = `refresh-token-${++state.uses}`;
      return sendJson(response, { access_token: `access-${state.uses}`, refresh_token: state.newest });
    });
    const read = async (refreshToken = first): Promise<void> => {
      const oauth2 = { tokenUrl: `${base}/token`, clientId: 'roster', refreshToken, credentials: 'header' as const };
      const client = connect(t, `${base}/people`, { auth: { oauth2 } }, deps({ dataDir }));
      await client.read({ url: client.url, method: 'GET' }, 1000);
    };
    return { read, state, sealed, dataDir, arrivals };
  }

  test('is read by it, and the one that replaces it is on the disk before the access token is used', async (t) => {
    const { read, state, sealed, dataDir, arrivals } = await place(t);
    await read();
    await read();
    const used = arrivals.filter(({ path }) => path === '/people').map(({ headers }) => headers.authorization);
    assert.deepEqual(used, ['Bearer access-1', 'Bearer access-2']);
    assert.equal(arrivals[0]?.body, 'grant_type=refresh_token&refresh_token=refresh-token-0&client_id=roster');
    assert.ok(state.keptAtRequest[1]?.equals(readFileSync(sealed)));
    assert.deepEqual(readdirSync(join(dataDir, 'sign-ins')), ['staff.sealed']);
    assert.equal(statSync(sealed).mode & 0o777, 0o600);
    assert.doesNotMatch(readFileSync(sealed, 'latin1'), /refresh-token/);
  });

  test('says to set a new one when it was revoked; another one that is set counts, whatever was kept', async (t) => {
    const { read, state } = await place(t);
    await read();
    state.newest = 'another-token';
    const error = await read().catch((error: unknown) => error);
    assert.match(everythingIn(error), /staff: its refresh token has ended or was revoked\. Set a new one/);
    assert.doesNotMatch(everythingIn(error), /refresh-token-/);
    await read(new Secret('another-token'));
    assert.equal(state.uses, 2);
  });
});
