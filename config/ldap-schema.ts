// The schema of an LDAP directory as a source.
import { z } from 'zod';
import { ldapDefaults } from '../src/core/rows/source.ts';
import { choice, count, duration, list, secretText, text } from './values.ts';

const filter = (description: string) =>
  text()
    .refine((value) => value.startsWith('(') && value.endsWith(')'), {
      error: 'must be a filter in parentheses, like (objectClass=inetOrgPerson)',
    })
    .meta({ description, form: 'filter' });
const nested = ['auto', 'chain', 'walk', 'none'] as const;

/** A source that is a directory. */
export const Ldap = z
  .strictObject({
    url: text()
      .refine((value) => /^ldaps?:\/\/[^/?#@\s]+\/?$/i.test(value), {
        error: 'must be an address like ldaps://dc1.acme.example, without a path',
      })
      .meta({ description: 'The address: `ldaps`, or `ldap` with `startTls`.', form: 'address' }),
    startTls: choice().prefault(ldapDefaults.startTls).meta({
      description: 'Protects an `ldap` connection before anything is sent over it.',
      form: 'true or false',
    }),
    caFile: text().exactOptional().meta({
      description: 'A PEM file with the authorities that signed the certificate of the server, if it is your own.',
      form: 'path',
      isPath: true,
    }),
    bindDn: text().meta({
      description: 'The account that reads, such as `CN=sync,OU=Service,DC=acme,DC=example`.',
      form: 'text',
    }),
    password: secretText().meta({ description: 'Its password.', form: 'text', secret: 'all' }),
    base: text().meta({ description: 'Where the people are: `OU=People,DC=acme,DC=example`.', form: 'text' }),
    filter: filter(
      'Which entries are people. Unless set, `(&(objectCategory=person)(objectClass=user))` for Active Directory, else `(objectClass=inetOrgPerson)`.',
    ).exactOptional(),
    attributes: list(text(), 'names of attributes').exactOptional().meta({
      description: 'Attributes to read besides the usual ones and those that the rules name.',
      form: 'list of texts',
    }),
    groups: z
      .strictObject(
        {
          base: text().meta({ description: 'Where the groups are.', form: 'text' }),
          filter: filter('Which groups count: `(cn=ACL-*)`.'),
          name: text().prefault('cn').meta({ description: 'The attribute that names a group.', form: 'text' }),
          nested: z
            .enum(nested, { error: `must be one of ${nested.join(', ')}` })
            .prefault('auto')
            .meta({
              description:
                'How groups inside groups are resolved: `chain` asks Active Directory, `walk` reads all groups under `base`, `none` leaves them out. `auto` is `chain` for Active Directory, else `walk`.',
              form: '`auto`, `chain`, `walk` or `none`',
            }),
        },
        { error: 'must be settings like { base: "OU=Groups,DC=acme,DC=example", filter: "(cn=ACL-*)" }' },
      )
      .exactOptional(),
    pageSize: count(1, 1000).prefault(ldapDefaults.pageSize).meta({
      description: 'The number of entries on a page; Active Directory gives 1,000 at most.',
      form: 'whole number',
    }),
    timeout: duration()
      .prefault(ldapDefaults.timeout)
      .meta({ description: 'The longest time for one page.', form: 'time' }),
    deadline: duration()
      .prefault(ldapDefaults.deadline)
      .meta({ description: 'The longest time for all of it.', form: 'time' }),
    attempts: count(1, 100).prefault(ldapDefaults.attempts).meta({
      description: 'The most attempts, for temporary errors.',
      form: 'whole number',
    }),
  })
  .superRefine(({ url, startTls }, context) => {
    const isPlain = url.toLowerCase().startsWith('ldap://');
    if (isPlain === startTls) return;
    const message = isPlain
      ? 'begins with ldap://, which would send the password and people unprotected: use ldaps://, or set startTls: true'
      : 'begins with ldaps://, which is protected from the start: leave out startTls';
    context.addIssue({ code: 'custom', path: ['url'], message });
  });
