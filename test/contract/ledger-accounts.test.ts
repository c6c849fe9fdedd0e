import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { InputError } from '../../src/core/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';

for (const { name, skip, open } of homes) {
  suite(`accounts, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('accounts');
    });
    after(async () => home.close());

    const mette = { key: 'mette', name: 'Mette', role: 'viewer' as const, password: 'scrypt$1' };
    const hour = 60 * 60_000;

    async function session(id: string, account?: string): Promise<void> {
      const of = account === undefined ? {} : { account };
      await ledger.addSession({ id, hash: 'ab', name: 'Mette', scopes: ['read'], isLink: false, ...of }, hour);
    }

    test('an account is there once; asked again after a lost answer it is no error', async () => {
      await ledger.addAccount(mette);
      await ledger.addAccount(mette);
      await assert.rejects(ledger.addAccount({ ...mette, password: 'scrypt$2' }), InputError);
      await ledger.noteSignIn('mette');
      const [listed, ...others] = await ledger.listAccounts();
      assert.equal(others.length, 0);
      assert.ok(listed?.lastSignInAt);
      assert.ok(!('password' in listed));
    });

    test('a session may do what its account may now, and ends with it', async () => {
      await session('own', 'mette');
      await session('link');
      assert.equal(await ledger.changeRole('mette', 'approver'), true);
      assert.deepEqual((await ledger.findSession('own'))?.scopes, ['read', 'run', 'approve']);
      assert.deepEqual((await ledger.findSession('link'))?.scopes, ['read']);
      assert.deepEqual(await ledger.approvers(), ['Mette']);
      assert.equal(await ledger.changePassword('mette', 'scrypt$3'), true);
      assert.equal(await ledger.findSession('own'), undefined);
      await session('again', 'mette');
      assert.equal(await ledger.removeAccount('mette'), true);
      assert.equal(await ledger.findSession('again'), undefined);
      // A session that began while the account was removed.
      await session('late', 'mette');
      assert.equal(await ledger.findSession('late'), undefined);
      assert.equal(await ledger.endSessionsOf({ account: 'mette', name: 'Mette' }), 2);
      assert.equal(await ledger.findSession('link'), undefined);
      for (const changed of [ledger.changeRole('mette', 'viewer'), ledger.changePassword('mette', 'x')]) {
        assert.equal(await changed, false);
      }
    });

    test('a sign-in under way is taken once, and not after its time', async () => {
      const signIn = { id: 'one', state: 's', nonce: 'n', verifier: 'v', back: { path: '/runs', fields: { a: 'b' } } };
      await ledger.keepSignIn(signIn, hour);
      const taken = await Promise.all([ledger.takeSignIn('one'), ledger.takeSignIn('one')]);
      assert.deepEqual(
        taken.filter((each) => each !== undefined),
        [signIn],
      );
      await ledger.keepSignIn({ ...signIn, id: 'two' }, -1);
      assert.equal(await ledger.takeSignIn('two'), undefined);
    });
  });
}
