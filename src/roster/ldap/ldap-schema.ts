// The schema of an LDAP directory as a source.
import { z } from 'zod';
import { address, choice, count, filePath, list, secretText, text, wordOf } from '../../core/settings/values.ts';
import { bounds } from '../shared-settings.ts';

export const ldapDefaults = {
  startTls: false,
  pageSize: 500,
  timeout: 60_000,
  deadline: 3_600_000,
  attempts: 4,
} as const;

const filter = () =>
  text().refine((value) => value.startsWith('(') && value.endsWith(')'), {
    error: 'must be a filter in parentheses, like (objectClass=inetOrgPerson)',
  });

export const Ldap = z
  .strictObject({
    url: address().refine((value) => /^ldaps?:\/\/[^/?#@\s]+\/?$/i.test(value), {
      error: 'must be an address like ldaps://dc1.acme.example, without a path',
    }),
    startTls: choice().prefault(ldapDefaults.startTls),
    caFile: filePath().exactOptional(),
    bindDn: text(),
    password: secretText(),
    base: text(),
    filter: filter().exactOptional(),
    attributes: list(text(), 'attributes').exactOptional(),
    groups: z
      .strictObject(
        {
          base: text(),
          filter: filter(),
          name: text().prefault('cn'),
          nested: wordOf(['auto', 'chain', 'walk', 'none']).prefault('auto'),
        },
        { error: 'must be settings like { base: "OU=Groups,DC=acme,DC=example", filter: "(cn=ACL-*)" }' },
      )
      .exactOptional(),
    pageSize: count(1, 1000).prefault(ldapDefaults.pageSize),
    ...bounds(ldapDefaults),
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
