import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { ldapDefaults, type LdapSource } from '../../../src/roster/ldap/ldap-schema.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { recordOf } from '../../../src/roster/ldap/open-ldap.ts';
import { LdapSession } from '../../../src/roster/ldap/ldap-session.ts';
import { chainFilter } from '../../../src/roster/ldap/ldap-groups.ts';
import { slapdSkipReason, startSlapd, type TestDirectory } from '../../support/slapd.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { deps, everythingIn, refusal } from '../fetch/fetching.ts';
import { readSource, short } from '../presets/reading-presets.ts';

const people = 'ou=People,dc=acme,dc=example';
const groups = 'ou=Groups,dc=acme,dc=example';
const person = (uid: string, more = 'userAccountControl: 512'): string =>
  [
    ...[`dn: uid=${uid},${people}`, 'objectClass: inetOrgPerson', 'objectClass: extensibleObject', `uid: ${uid}`],
    ...[`cn: ${uid} Ek`, `givenName: ${uid}`, 'sn: Ek', `mail: ${uid}@example.com`, 'department: Sales', more, ''],
  ].join('\n');
const group = (cn: string, members: string[]): string =>
  [
    `dn: cn=${cn},${groups}`,
    'objectClass: groupOfNames',
    `cn: ${cn}`,
    ...members.map((dn) => `member: ${dn}`),
    '',
  ].join('\n');
const ldif = [
  `dn: ${people}\nobjectClass: organizationalUnit\nou: People\n`,
  `dn: ${groups}\nobjectClass: organizationalUnit\nou: Groups\n`,
  person('ann'),
  person('bo', 'userAccountControl: 514'),
  person('cy', 'telephoneNumber: +47 22\ntelephoneNumber: +47 23'),
  person('di', 'userAccountControl: 66048'),
  person('ed'),
  `dn: cn=printer,${people}\nobjectClass: device\ncn: printer\n`,
  `dn: ou=Elsewhere,${people}\nobjectClass: referral\nobjectClass: extensibleObject\nou: Elsewhere\nref: ldap://elsewhere.example/ou=People,dc=b\n`,
  // Sales holds Field, which holds Sales again.
  group('Sales-ACL', [`UID=ann, OU=People,dc=acme,dc=example`, `cn=Field,${groups}`]),
  group('Field', [`uid=di,${people}`, `cn=Sales-ACL,${groups}`]),
  group('Legal-ACL', [`uid=ed,${people}`])
    .replace('groupOfNames', 'groupOfUniqueNames')
    .replace('member:', 'uniqueMember:'),
  ...['Twin-1', 'Twin-2'].map((cn) =>
    group(cn, [`uid=ed,${people}`]).replace(
      '\nmember',
      `\ndescription: ${cn === 'Twin-1' ? 'Twins' : 'TWINS '}\nmember`,
    ),
  ),
].join('\n');

suite('an LDAP directory', { skip: slapdSkipReason }, () => {
  let directory: TestDirectory;
  before(async () => (directory = await startSlapd(ldif)));
  after(() => directory.stop());
  const read = (ldap: LdapSource, given = deps()) =>
    readSource({ preset: 'active-directory', ldap }, { today: new Date('2026-11-20T12:00:00Z') }, given);
  const source = (more: Partial<LdapSource> = {}): LdapSource => ({
    ...{ ...ldapDefaults, url: `ldaps://localhost:${directory.ports.secure}`, caFile: directory.caFile, base: people },
    ...{ bindDn: 'cn=sync,dc=acme,dc=example', password: new Secret(directory.password), pageSize: 2, ...more },
  });

  test('gives people page by page; disabled accounts are filtered, referrals are not followed', async () => {
    const found = await read(source());
    assert.deepEqual(short(found.members), [
      'ann Ek <ann@example.com>: Sales',
      'cy Ek <cy@example.com> +47 22: Sales',
      'di Ek <di@example.com>: Sales',
      'ed Ek <ed@example.com>: Sales',
    ]);
    assert.equal(found.filtered.length, 1);
    assert.ok(
      found.notes.includes('1 referrals to other servers were not followed: people may be there.'),
      found.notes.join(),
    );
  });

  test('gives groups with the people of groups inside them, though two contain each other', async () => {
    const wanted = { base: groups, filter: '(cn=*-ACL)', name: 'cn', nested: 'auto' } as const;
    const rules = { groups: [{ column: 'groupNames', split: ';' }] };
    const found = await readSource({ preset: 'openldap', ldap: source({ groups: wanted }) }, { rules });
    assert.deepEqual(short(found.members), [
      'ann Ek <ann@example.com>: Sales-ACL',
      'di Ek <di@example.com>: Sales-ACL',
      'ed Ek <ed@example.com>: Legal-ACL',
    ]);
    assert.match(found.ids[0] ?? '', /^[0-9a-f-]{36}$/);
    assert.ok(found.notes.includes('2 groups are read: those that groups.filter finds.'));
    const direct = await readSource(
      { preset: 'openldap', ldap: source({ groups: { ...wanted, nested: 'none' } }) },
      { rules },
    );
    assert.deepEqual(
      direct.members.map(({ email }) => email),
      ['ann@example.com', 'ed@example.com'],
    );
    const twins = source({ groups: { ...wanted, filter: '(cn=Twin-*)', name: 'description' } });
    await assert.rejects(read(twins), /several groups are called "Twins": cn=Twin-1,.* and cn=Twin-2,/);
    const none = source({ groups: { ...wanted, filter: '(cn=gone)' } });
    assert.match(
      await refusal(readSource({ preset: 'openldap', ldap: none })),
      /no group is found by groups\.filter "\(cn=gone\)"/,
    );
  });

  test('is protected by StartTLS before the password is sent', async () => {
    const plain = { url: `ldap://localhost:${directory.ports.plain}`, startTls: true };
    const found = await read(source(plain));
    assert.equal(found.members.length, 4);
    const unprotected = source({ ...plain, startTls: false });
    assert.match(await refusal(read(unprotected)), /is not protected: use ldaps:\/\//);
  });

  test('is refused where its certificate is not trusted, or its sign-in is refused, and no secret is shown', async () => {
    const { caFile: _, ...untrusted } = source();
    assert.match(
      await refusal(read(untrusted)),
      /the certificate of localhost:\d+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. If it is right, name its authority with caFile/,
    );
    const wrong = source({ password: new Secret('another pass of mine') });
    const error = await read(wrong).catch((error: unknown) => error);
    assert.match(everythingIn(error), /answered 49, saying .*Check bindDn and password/);
    assert.doesNotMatch(everythingIn(error), /another pass of mine/);
  });

  test('is not used when the server cuts it off', async () => {
    const small = source({ bindDn: 'cn=small,dc=acme,dc=example' });
    const message = await refusal(read(small));
    assert.match(message, /answered 4, saying .*gives no more than a part.* Nothing from it was used\./);
  });

  test('is read again from the start, signed in, when the connection is lost between two pages', async (t) => {
    const proxy = await startTcpProxy(directory.ports.secure);
    t.after(() => proxy.close());
    const given = deps();
    const ldap = source({ url: `ldaps://localhost:${proxy.port}`, timeout: 2000 });
    const opened = read(ldap, given);
    await proxy.nextConnection();
    proxy.cut();
    assert.equal((await opened).members.length, 4);
    assert.equal(proxy.connections, 2);
    assert.equal(given.waits.length, 1);
  });
});

suite('an LDAP directory that crashes while it is read', { skip: slapdSkipReason }, () => {
  const count = 200;
  let directory: TestDirectory;
  before(async () => {
    const crowd = Array.from({ length: count }, (_, at) => person(`p${at}`));
    directory = await startSlapd([`dn: ${people}\nobjectClass: organizationalUnit\nou: People\n`, ...crowd].join('\n'));
  });
  after(() => directory.stop());
  const source = (port: number, more: Partial<LdapSource> = {}): LdapSource => ({
    ...{ ...ldapDefaults, url: `ldaps://localhost:${port}`, caFile: directory.caFile, base: people },
    ...{ bindDn: 'cn=sync,dc=acme,dc=example', password: new Secret(directory.password), pageSize: 2, ...more },
  });

  test('is never connected to again by the library, unprotected and not signed in', async () => {
    const ca = readFileSync(directory.caFile, 'utf8');
    const { signal } = new AbortController();
    const session = new LdapSession({ ...source(directory.ports.secure), ca }, { name: 'staff' }, signal);
    await session.begin();
    const search = () => session.search(people, { filter: '(objectClass=inetOrgPerson)', attributes: ['uid'] });
    const entries = search();
    await entries.next();
    await directory.kill();
    await directory.start();
    const lost = { name: 'PassingTrouble', message: `the connection to localhost:${directory.ports.secure} was lost` };
    const rest = async (): Promise<void> => {
      for await (const _ of entries);
    };
    await assert.rejects(rest, lost);
    await assert.rejects(search().next(), lost);
    await session[Symbol.asyncDispose]();
  });

  test('is read again from the start, or refused as a whole', async (t) => {
    // Each page is at least one piece: the fiftieth is in the middle.
    const crashing = async (attempts: number, beforeRetry: () => Promise<void>) => {
      let killed: Promise<void> | undefined;
      const proxy = await startTcpProxy(directory.ports.secure, (pieces) => {
        if (pieces === 50) killed = directory.kill();
      });
      t.after(() => proxy.close());
      const wait = async (): Promise<void> => {
        assert.ok(killed, 'the first try is cut off by the crash');
        await killed;
        await beforeRetry();
      };
      const ldap = source(proxy.port, { attempts });
      return readSource({ preset: 'active-directory', ldap }, { today: new Date('2026-11-20') }, deps({ wait }));
    };
    const found = await crashing(2, () => directory.start());
    assert.equal(found.members.length, count);
    assert.equal(new Set(found.members.map(({ email }) => email)).size, count);
    assert.match(
      await refusal(crashing(1, async () => {})),
      /^staff: the connection to localhost:\d+ was lost \(tried once\)\. Nothing from it was used\.$/,
    );
    await directory.start();
    assert.match(
      await refusal(crashing(3, async () => {})),
      /^staff: localhost:\d+ could not be reached.* \(tried 3 times\)\. Nothing from it was used\.$/,
    );
  });
});

test('an entry of Active Directory becomes a record: its GUID, its state, its last day', () => {
  const record = recordOf({
    ...{ dn: 'CN=Ann Ek,DC=acme,DC=example', objectGUID: Buffer.from('00112233445566778899aabbccddeeff', 'hex') },
    ...{ userAccountControl: '514', accountExpires: '133485408000000000', memberOf: ['a', 'b'], title: [] },
  });
  assert.deepEqual(record, {
    ...{ dn: 'CN=Ann Ek,DC=acme,DC=example', objectGUID: '33221100-5544-7766-8899-aabbccddeeff' },
    ...{ userAccountControl: '514', accountDisabled: 'TRUE', accountExpires: '2023-12-31T23:59:59.999Z' },
    memberOf: ['a', 'b'],
  });
  for (const never of ['0', '9223372036854775807']) {
    assert.equal(recordOf({ dn: '', accountExpires: never })['accountExpires'], '');
  }
});

test('a filter that is none is refused before anything is asked, and not tried again', async () => {
  const ldap = {
    ...{ ...ldapDefaults, url: 'ldaps://ldap.example', base: people },
    ...{ bindDn: 'cn=sync', password: new Secret('open-sesame') },
  };
  const wanted = { base: groups, name: 'cn', nested: 'none' } as const;
  const wait = () => Promise.reject(new Error('no second attempt'));
  for (const [wrong, why] of [
    ['(a=b)(c=d)', 'unbalanced parens'],
    [String.raw`(a=\zz)`, 'invalid escaped hex character'],
    ['()', 'invalid attribute name'],
  ] as const) {
    for (const [setting, source] of [
      ['filter', { filter: wrong }],
      ['groups.filter', { groups: { ...wanted, filter: wrong } }],
    ] as const) {
      assert.equal(
        await refusal(readSource({ preset: 'openldap', ldap: { ...ldap, ...source } }, {}, deps({ wait }))),
        `staff: ldap.${setting} is "${wrong}", which is not an LDAP filter (${why}). Correct it, such as (&(objectClass=person)(mail=*)).`,
      );
    }
  }
});

test('the people of a nested group of Active Directory are asked for with its name escaped', () => {
  assert.equal(
    chainFilter('(objectClass=user)', String.raw`CN=A\, B (x)*,DC=acme`),
    String.raw`(&(objectClass=user)(memberOf:1.2.840.113556.1.4.1941:=CN=A\5c, B \28x\29\2a,DC=acme))`,
  );
});
