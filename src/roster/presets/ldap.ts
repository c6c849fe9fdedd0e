// Presets for directories that speak LDAP: which attribute is what.
import type { Preset } from './preset.ts';

const members = { firstname: 'givenName', lastname: 'sn', email: 'mail', telephone: 'telephoneNumber' };

/** Active Directory: what its attributes mean. Goes with `ldap`. */
export const activeDirectory: Preset = {
  title: 'Active Directory: users (with ldap)',
  parameters: {},
  rules: {
    members: { ...members, employeeId: 'objectGUID' },
    groups: [{ column: 'department' }],
    except: [{ column: 'accountDisabled', is: true }],
    leavers: [{ column: 'accountExpires', past: true }],
  },
  email: 'mail; userPrincipalName is a sign-in name, and proxyAddresses holds old ones: neither is taken.',
  active: 'Not disabled by userAccountControl, and accountExpires is not past.',
  leavesOut: [
    'Computers and contacts: the filter does not ask for them. Disabled accounts are filtered.',
    'The mobile attribute: the number may be private.',
    'Groups: set ldap.groups, and groups: [{ column: groupNames, split: ";" }]. Primary groups (Domain Users) have no members there.',
    'Other domains of the forest: referrals are not followed, and counted.',
  ],
};

/** OpenLDAP and other directories with inetOrgPerson (RFC 2798). Goes with `ldap`. */
export const openLdapPeople: Preset = {
  title: 'OpenLDAP and others: inetOrgPerson (with ldap)',
  parameters: {},
  rules: {
    members: { ...members, employeeId: 'entryUUID' },
    groups: [{ column: 'departmentNumber' }],
  },
  email: 'mail. A person with several addresses is a reject.',
  active: 'Everybody whom the filter finds: RFC 2798 has no status. Name yours in ldap.filter or except.',
  leavesOut: [
    'The mobile and homePhone attributes: the numbers may be private.',
    'Groups: set ldap.groups, and groups: [{ column: groupNames, split: ";" }].',
    'Other servers: referrals are not followed, and counted.',
  ],
};
