// Presets for Google Workspace, through the Admin SDK Directory API.
import type { Preset, RequestTemplate } from './preset.ts';

const scopes = ['user', 'group', 'group.member']
  .map((name) => `https://www.googleapis.com/auth/admin.directory.${name}.readonly`)
  .join(' ');

const parameters: Preset['parameters'] = {
  key: {
    description: 'The JSON of the key of a service account that has domain-wide delegation.',
    pattern: /^\s*\{[\s\S]*"private_key"/,
  },
  admin: { description: 'The address of an administrator, on whose behalf it reads.', pattern: /^[^\s@]+@[^\s@]+$/ },
  customer: { description: 'The customer id.', fallback: 'my_customer', pattern: /^\w+$/ },
  projection: {
    description: 'Which fields to ask for: basic, or full with those that the company added.',
    fallback: 'basic',
    pattern: /^(?:basic|full)$/,
  },
  scope: { description: 'The scopes to ask for, as they are delegated.', fallback: scopes },
  pageSize: { description: 'People per page, at most 500.', fallback: '500', pattern: /^[1-9]\d{0,2}$/ },
  baseUrl: { description: 'The address, for a gateway.', fallback: 'https://admin.googleapis.com' },
  tokenUrl: { description: 'Where a token is asked for.', fallback: 'https://oauth2.googleapis.com/token' },
};
const directory = '{baseUrl}/admin/directory/v1';
const paging = { by: 'cursor', path: 'nextPageToken', parameter: 'pageToken' } as const;
const request: RequestTemplate = {
  url: `${directory}/users?customer={customer}&maxResults={pageSize}&projection={projection}&orderBy=email`,
  method: 'GET',
  headers: { accept: 'application/json' },
  records: '/users',
  absentWhen: { path: 'kind', is: 'admin#directory#users' },
  paging,
  busyWhen: {
    ...{ status: 403, path: 'error.errors.reason' },
    is: ['userRateLimitExceeded', 'rateLimitExceeded', 'quotaExceeded'],
  },
  auth: [
    {
      needs: ['key', 'admin'],
      auth: {
        signed: {
          ...{ by: 'grant', tokenUrl: '{tokenUrl}', key: '{key}', algorithm: 'RS256' },
          ...{ subject: '{admin}', scope: '{scope}' },
        },
      },
    },
  ],
};
const rules: Preset['rules'] = {
  members: {
    ...{ firstname: 'name.givenName', lastname: 'name.familyName', email: 'primaryEmail' },
    ...{ telephone: 'phones[type=work].value', employeeId: 'id' },
  },
  except: [
    { column: 'suspended', is: true },
    { column: 'archived', is: true },
    { column: 'isGuestUser', is: true },
  ],
};
const shared = {
  parameters,
  email: 'primaryEmail, which every user has; aliases, recovery and other addresses are never taken.',
  active: 'Neither suspended nor archived, and no guest.',
};
const leavesOut = [
  'Suspended and archived users, and guests: they are filtered. Deleted ones are not in the answer.',
  'Telephones other than those of type work.',
  'First days of work: Google has no field for them.',
];

/** Google Workspace: people, with the last part of their org unit as group. */
export const googleDirectory: Preset = {
  ...shared,
  title: 'Google Workspace: users, by org unit',
  request,
  rules: { ...rules, groups: [{ column: 'orgUnitPath', path: { separator: '/', take: 'leaf' } }] },
  leavesOut: [
    ...leavesOut,
    "For departments: groups: [{ column: 'organizations[primary=true].department' }].",
    'Groups of Google: use google-directory-groups.',
  ],
};

/** Google Workspace: people, with groups of Google. */
export const googleDirectoryGroups: Preset = {
  ...shared,
  title: 'Google Workspace: users, by the groups they are in',
  parameters: {
    ...parameters,
    groups: { description: 'Which groups to read: names or addresses separated by ;, in which * stands for any text.' },
  },
  request: {
    ...request,
    steps: [
      {
        ...{
          do: 'memberships',
          url: `${directory}/groups?customer={customer}&maxResults=200`,
          records: '/groups',
          paging,
        },
        absentWhen: { path: 'kind', is: 'admin#directory#groups' },
        ...{ key: 'email', name: 'name', wanted: '{groups}', id: 'id', into: 'groupNames' },
        each: {
          url: `${directory}/groups/{id}/members?includeDerivedMembership=true&maxResults=200`,
          ...{ records: '/members', paging, member: 'id', only: { path: 'type', is: 'USER' } },
          absentWhen: { path: 'kind', is: 'admin#directory#members' },
        },
      },
    ],
  },
  rules: { ...rules, groups: [{ column: 'groupNames', split: ';' }] },
  leavesOut: [
    ...leavesOut,
    'Groups that account.groups does not name. People in a group inside a group count as its members; a group that holds the whole company names nobody.',
  ],
};
