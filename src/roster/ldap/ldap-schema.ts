// The schema of an LDAP directory as a source.
import { z } from 'zod';
import { address, choice, count, list, secretText, text, wordOf } from '../../core/settings/values.ts';
import { bounds, caFile } from '../shared-settings.ts';

export const ldapDefaults = {
  startTls: false,
  pageSize: 500,
  timeout: 60_000,
  deadline: 3_600_000,
  attempts: 4,
} as const;

const filter = (example: string, description: string) =>
  text()
    .refine((value) => value.startsWith('(') && value.endsWith(')'), {
      error: 'must be a filter in parentheses, like (objectClass=inetOrgPerson)',
    })
    .meta({ description, form: 'filter', example });

export const Ldap = z
  .strictObject({
    url: address()
      .refine((value) => /^ldaps?:\/\/[^/?#@\s]+\/?$/i.test(value), {
        error: 'must be an address like ldaps://dc1.acme.example, without a path',
      })
      .meta({ example: 'ldaps://dc1.acme.example' })
      .describe('The address: `ldaps`, or `ldap` with `startTls`.'),
    startTls: choice()
      .prefault(ldapDefaults.startTls)
      .describe('Protects an `ldap` connection before anything is sent over it.'),
    caFile: caFile(),
    bindDn: text('CN=sync,OU=Service,DC=acme,DC=example').describe('The account that reads.'),
    password: secretText().describe('Its password.'),
    base: text('OU=People,DC=acme,DC=example').describe('Where the people are.'),
    filter: filter(
      '(objectClass=inetOrgPerson)',
      'Which entries are people. Unless set, `(&(objectCategory=person)(objectClass=user))` for Active Directory, else `(objectClass=inetOrgPerson)`.',
    ).exactOptional(),
    attributes: list(text(), 'attributes')
      .meta({ example: ['employeeType'] })
      .exactOptional()
      .describe('Attributes to read besides the usual ones and those that the rules name.'),
    groups: z
      .strictObject(
        {
          base: text('OU=Groups,DC=acme,DC=example').describe('Where the groups are.'),
          filter: filter('(cn=ACL-*)', 'Which groups count.'),
          name: text('displayName').prefault('cn').describe('The attribute that names a group.'),
          nested: wordOf(['auto', 'chain', 'walk', 'none'])
            .prefault('auto')
            .describe(
              'How groups inside groups are resolved: `chain` asks Active Directory, `walk` reads all groups under `base`, `none` leaves them out. `auto` is `chain` for Active Directory, else `walk`.',
            ),
        },
        { error: 'must be settings like { base: "OU=Groups,DC=acme,DC=example", filter: "(cn=ACL-*)" }' },
      )
      .exactOptional(),
    pageSize: count(1, 1000)
      .prefault(ldapDefaults.pageSize)
      .describe('The number of entries on a page; Active Directory gives 1,000 at most.'),
    ...bounds(ldapDefaults, 'The longest time for one page.'),
  })
  .superRefine(({ url, startTls }, context) => {
    const isPlain = url.toLowerCase().startsWith('ldap://');
    if (isPlain === startTls) return;
    const message = isPlain
      ? 'begins with ldap://, which would send the password and people unencrypted: use ldaps://, or set startTls: true'
      : 'begins with ldaps://, which is protected from the start: leave out startTls';
    context.addIssue({ code: 'custom', path: ['url'], message });
  });
export type LdapSource = z.output<typeof Ldap>;
