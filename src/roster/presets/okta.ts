// Presets for Okta: users and groups over its API.
import type { Preset, RequestTemplate } from './preset.ts';

const parameters: Preset['parameters'] = {
  url: { description: 'The address of the org: https://acme.okta.com.', pattern: /^https?:\/\/[^/?#\s]+$/ },
  token: { description: 'An API token (SSWS), unless a service app signs.', fallback: '' },
  clientId: {
    description: 'The client id of a service app with the scopes okta.users.read and okta.groups.read.',
    fallback: '',
  },
  privateKey: { description: 'The private key of the service app, in PEM form.', fallback: '' },
  keyId: { description: 'The id of this key (kid), where the app has several.', fallback: '' },
  scope: { description: 'The scopes to ask for.', fallback: 'okta.users.read okta.groups.read' },
  pageSize: { description: 'People per page, at most 200.', fallback: '200', pattern: /^[1-9]\d{0,2}$/ },
};
const request: RequestTemplate = {
  url: '{url}/api/v1/users?limit={pageSize}',
  method: 'GET',
  headers: { accept: 'application/json' },
  records: '',
  paging: { by: 'link' },
  isRateKept: true,
  auth: [
    { needs: ['token'], auth: {}, headers: { authorization: 'SSWS {token}' } },
    {
      needs: ['clientId', 'privateKey'],
      auth: {
        signed: {
          ...{ by: 'client', tokenUrl: '{url}/oauth2/v1/token', key: '{privateKey}', algorithm: 'RS256' },
          ...{ issuer: '{clientId}', keyId: '{keyId}', scope: '{scope}' },
        },
      },
    },
  ],
};
const rules: Preset['rules'] = {
  members: {
    ...{ firstname: 'profile.firstName', lastname: 'profile.lastName', email: 'profile.email' },
    ...{ telephone: 'profile.primaryPhone', employeeId: 'id' },
  },
  only: [{ column: 'status', in: ['ACTIVE', 'PASSWORD_EXPIRED', 'LOCKED_OUT', 'RECOVERY'] }],
};
const shared = {
  parameters,
  email: 'profile.email; the login can be another name, and secondEmail is private: neither is taken.',
  active: 'The statuses ACTIVE, PASSWORD_EXPIRED, LOCKED_OUT and RECOVERY.',
};
const leavesOut = [
  'Users that are STAGED or PROVISIONED (not yet in) or SUSPENDED: they are filtered. DEPROVISIONED ones are not in the answer.',
  'mobilePhone, which may be private.',
  'Service apps of which Okta demands DPoP: switch it off for this app.',
];

/** Okta: people, with their departments as groups. */
export const oktaUsers: Preset = {
  ...shared,
  title: 'Okta: users, by department',
  request,
  rules: { ...rules, groups: [{ column: 'profile.department' }] },
  leavesOut: [...leavesOut, 'Groups of Okta: use okta-groups.'],
};

/** Okta: people, with groups of Okta. */
export const oktaGroups: Preset = {
  ...shared,
  title: 'Okta: users, by the groups they are in',
  parameters: {
    ...parameters,
    groups: { description: 'Which groups to read: names or ids separated by ;, in which * stands for any text.' },
  },
  request: {
    ...request,
    steps: [
      {
        ...{ do: 'memberships', url: '{url}/api/v1/groups?limit=200', records: '', paging: { by: 'link' } },
        ...{ key: 'id', name: 'profile.name', wanted: '{groups}', id: 'id', into: 'groupNames' },
        each: { url: '{url}/api/v1/groups/{id}/users?limit=200', records: '', paging: { by: 'link' }, member: 'id' },
      },
    ],
  },
  rules: { ...rules, groups: [{ column: 'groupNames', split: ';' }] },
  leavesOut: [...leavesOut, 'Groups that account.groups does not name.'],
};
