import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import type { SourceLocation } from '../../../src/roster/source-location.ts';
import type { SignInAuth } from '../../../config/fetch-schema.ts';
import { httpDefaults } from '../../../src/core/rows/source.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { openSource } from '../../../src/roster/open-source.ts';
import { connectByDevice, type Invitation } from '../../../src/roster/sign-in/device-flow.ts';
import { signInFile } from '../../../src/roster/sign-in/sign-in-file.ts';
import type { SourceDeps } from '../../../src/roster/source-deps.ts';
import { startDeviceService, type DeviceService } from '../../support/device-service.ts';
import { listenHttp, sendJson } from '../../service/local-server.ts';
import { all, deps, everythingIn, refusal } from '../fetch/fetching.ts';

const key = (byte: number): Secret => new Secret(Buffer.alloc(32, byte).toString('base64'));

/** A service to sign in at, a source that takes its tokens, and a data directory. */
async function place(t: TestContext) {
  const service: DeviceService = await startDeviceService();
  t.after(() => service.close());
  const dataDir = mkdtempSync(join(tmpdir(), 'rs-sign-in-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const tokens: string[] = [];
  const sealedAtRequest: Buffer[] = [];
  const onRequest = (): void => void sealedAtRequest.push(readFileSync(join(dataDir, 'sign-ins', 'staff.sealed')));
  const { base } = await listenHttp(t, (response, { headers }) => {
    tokens.push(headers.authorization ?? '');
    onRequest();
    sendJson(response, [{ firstname: 'Ann', lastname: 'Ek', email: 'ann@acme.example' }]);
  });
  const auth: SignInAuth = {
    ...{ tokenUrl: `${service.issuer}/token`, deviceUrl: `${service.issuer}/device/auth` },
    ...{ clientId: 'roster', clientSecret: new Secret('secret-of-roster'), credentials: 'header' },
    ...{ scope: 'openid offline_access', key: key(1) },
  };
  const given = (change: Partial<SourceDeps> = {}) => deps({ dataDir, ...change });
  const source = (change: Partial<SignInAuth> = {}): SourceLocation => ({
    http: { ...httpDefaults, url: base, auth: { signIn: { ...auth, ...change } } },
  });
  const read = async (change: Partial<SignInAuth> = {}): Promise<number> => {
    const roster = await openSource(source(change), given());
    const rows = (await all(roster.batches())).flat();
    await roster.close();
    return rows.length;
  };
  const file = signInFile(dataDir, 'staff', auth);
  const kept = async (): Promise<string | undefined> => (await file.read())?.reveal();
  /** Signs in as a person would, who answers as told when the code is shown. */
  const connect = async (answer: (invitation: Invitation) => Promise<void>): Promise<void> => {
    let shown: Promise<void> | undefined;
    const wait = async (): Promise<void> => shown;
    await connectByDevice(auth, file, given({ wait }), (invitation) => void (shown = answer(invitation)));
  };
  return { service, dataDir, auth, read, file, kept, connect, tokens, sealedAtRequest };
}

suite('a source that a person has signed in for', { timeout: 60_000 }, () => {
  test('is read with tokens of that sign-in; each refresh token is kept before its access token is used', async (t) => {
    const { service, dataDir, read, kept, connect, tokens, sealedAtRequest } = await place(t);
    assert.match(await refusal(read()), /staff: nobody has signed in\. Run `roster-sync connect staff`/);
    await connect(({ url, code }) => {
      assert.ok(url.startsWith(`${service.issuer}/device`) && code.length > 5);
      return service.approve(url);
    });
    const first = await kept();
    assert.ok(first);
    assert.equal(await read(), 1);
    const second = await kept();
    assert.notEqual(second, first);
    assert.equal(await read(), 1);
    assert.equal(new Set(tokens).size, 2);
    // What was kept when the last request came is what is kept now.
    assert.ok(sealedAtRequest[1]?.equals(readFileSync(join(dataDir, 'sign-ins', 'staff.sealed'))));
    const [name = ''] = readdirSync(join(dataDir, 'sign-ins'));
    const path = join(dataDir, 'sign-ins', name);
    assert.deepEqual(readdirSync(join(dataDir, 'sign-ins')), ['staff.sealed']);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.doesNotMatch(readFileSync(path, 'latin1'), new RegExp(String(await kept())));
  });

  test('says to sign in again when the sign-in was revoked, without any token', async (t) => {
    const { service, read, file, kept, connect } = await place(t);
    await connect(({ url }) => service.approve(url));
    const used = await kept();
    assert.ok(used);
    assert.equal(await read(), 1);
    // A refresh token that was used before ends all of the sign-in.
    await file.write(new Secret(used));
    const error = await read().catch((error: unknown) => error);
    assert.match(everythingIn(error), /staff: the sign-in has ended or was revoked\. Run `roster-sync connect staff`/);
    assert.doesNotMatch(everythingIn(error), new RegExp(`${used}|secret-of-roster`));
  });

  test('is refused with another key, another client, and a file that was changed', async (t) => {
    const { service, dataDir, auth, read, connect } = await place(t);
    await connect(({ url }) => service.approve(url));
    for (const change of [{ key: key(2) }, { clientId: 'another' }, { tokenUrl: `${service.issuer}/other` }]) {
      assert.match(await refusal(read(change)), /staff: its sign-in was made with another key, or for another server/);
    }
    assert.equal(await signInFile(dataDir, 'other', auth).read(), undefined);
  });

  test('keeps nothing when the person refuses', async (t) => {
    const { service, connect, kept } = await place(t);
    assert.match(await refusal(connect(({ url }) => service.refuse(url))), /staff: the sign-in was refused/);
    assert.equal(await kept(), undefined);
  });
});
