import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { InputError } from '../../src/core/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';

for (const { name, skip, open } of homes) {
  suite(`tokens and deeds, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('tokens');
    });
    after(async () => home.close());

    const token = { id: 'a1b2c3d4e5f6', name: 'nightly-ci', hash: 'ab', scopes: ['read' as const, 'run' as const] };

    test('a name has one token at a time; a revoked one makes room and stays listed', async () => {
      await ledger.addToken({ ...token, expiresAt: null });
      await ledger.addToken({ ...token, expiresAt: null });
      const again = { ...token, id: 'b1b2c3d4e5f6', expiresAt: new Date('2030-01-01T00:00:00Z') };
      await assert.rejects(ledger.addToken(again), InputError);
      assert.equal(await ledger.revokeToken('nightly-ci'), true);
      assert.equal(await ledger.revokeToken('nightly-ci'), false);
      await ledger.addToken(again);
      const listed = await ledger.listTokens();
      assert.deepEqual(
        listed.map(({ id, revokedAt }) => [id, revokedAt !== null]),
        [
          [again.id, false],
          [token.id, true],
        ],
      );
      const found = await ledger.findToken(again.id);
      assert.deepEqual(found?.scopes, ['read', 'run']);
      assert.deepEqual(found?.expiresAt, again.expiresAt);
      assert.equal(await ledger.findToken('000000000000'), undefined);
    });

    test('the last use of a token is recorded once a minute', async () => {
      const used = async (): Promise<Date | null | undefined> => (await ledger.findToken(token.id))?.lastUsedAt;
      assert.equal(await used(), null);
      await ledger.noteTokenUse(token.id);
      const first = await used();
      assert.ok(first instanceof Date);
      await ledger.noteTokenUse(token.id);
      assert.deepEqual(await used(), first);
      await home.pool.query(`update tokens set last_used_at = last_used_at - interval '2 minutes'`);
      await ledger.noteTokenUse(token.id);
      assert.ok(((await used()) ?? first) >= first);
    });

    test('deeds are listed newest first, also of one run, and go after 400 days', async () => {
      await ledger.noteDeed({ by: 'token old', action: 'start', origin: '' });
      await home.pool.query(`update audit set at = at - interval '401 days'`);
      await ledger.noteDeed({ by: 'token nightly-ci', action: 'start', runId: 'r1', origin: '10.0.0.5' });
      await ledger.noteDeed({ by: 'token nightly-ci\u0000', action: 'cancel', runId: 'r2', origin: '' });
      const all = await ledger.listDeeds({ limit: 10 });
      assert.deepEqual(
        all.map(({ action, runId }) => [action, runId]),
        [
          ['cancel', 'r2'],
          ['start', 'r1'],
        ],
      );
      const [deed] = await ledger.listDeeds({ runId: 'r1', limit: 10 });
      assert.equal(deed?.by, 'token nightly-ci');
      assert.equal(deed.origin, '10.0.0.5');
      assert.ok(deed.at instanceof Date);
    });
  });
}
