// Presets for SCIM 2.0, with groups from users or from /Groups.
import { defined } from '../../core/defined.ts';
import type { Preset, RequestTemplate } from './preset.ts';

const parameters = {
  url: { description: 'The address of the SCIM service, before /Users.', pattern: /^https?:\/\/[^?#\s]*[^/?#\s]$/ },
  token: { description: 'A bearer token.' },
  pageSize: { description: 'People per page.', fallback: '100', pattern: /^[1-9]\d{0,3}$/ },
};
const request: RequestTemplate = {
  url: '{url}/Users?count={pageSize}',
  method: 'GET',
  headers: { accept: 'application/scim+json, application/json' },
  records: '/Resources',
  // RFC 7644, section 3.4.2.4: the index of the first is 1.
  paging: { by: 'offset', parameter: 'startIndex', first: 1, total: 'totalResults' },
  auth: [{ needs: ['token'], auth: { bearer: '{token}' } }],
};
const rules: Preset['rules'] = {
  members: {
    firstname: 'name.givenName',
    lastname: 'name.familyName',
    email: 'emails[type=work].value',
    telephone: 'phoneNumbers[type=work].value',
    // It stays when the address changes (RFC 7643, section 3.1); externalId may be made of the name.
    employeeId: 'id',
  },
  groups: [{ column: 'groupNames', split: ';' }],
  // RFC 7643 does not require it; who has no status is taken for active. Some write "False".
  except: [{ column: 'active', in: ['false', '0', 'no'] }],
};
const shared: Pick<Preset, 'parameters' | 'rules' | 'email' | 'active'> = {
  parameters,
  rules,
  email: 'The e-mail of type work, never another: set members.email to userName where logins are work addresses.',
  active: 'Everybody of whom it is not said that active is false.',
};
const department =
  'For departments: groups: [{ column: \'"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User".department\' }].';

/** SCIM 2.0 (RFC 7643, RFC 7644): people, with the groups that their own records name. */
export const scim: Preset = {
  ...shared,
  title: 'SCIM 2.0: /Users',
  request: { ...request, steps: [{ do: 'names', from: ['groups.display'], into: 'groupNames' }] },
  leavesOut: [
    'Groups, where the server does not put them into the user: then use the preset scim-groups.',
    department,
    'Pages are counted, not held: when a person is added or removed meanwhile, all are read again.',
  ],
};

/** The same, with the groups from /Groups. */
export const scimGroups: Preset = {
  ...shared,
  title: 'SCIM 2.0: /Users and /Groups',
  request: {
    ...request,
    steps: [
      {
        do: 'members',
        url: '{url}/Groups?count={pageSize}',
        records: '/Resources',
        paging: { by: 'offset', parameter: 'startIndex', first: 1, total: 'totalResults' },
        id: 'id',
        members: 'members.value',
        name: 'displayName',
        into: 'groupNames',
      },
    ],
  },
  leavesOut: [
    'Groups inside groups: only those that name the user directly count.',
    department,
    'Pages are counted, not held: when a person is added or removed meanwhile, all are read again.',
  ],
};

/** How people become members who are pushed to our own SCIM service: who is not active has left. */
export const pushedRules: Preset['rules'] = {
  ...defined({ members: rules.members, groups: rules.groups, leavers: rules.except }),
};
