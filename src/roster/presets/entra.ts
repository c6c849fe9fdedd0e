// Presets for Microsoft Entra ID, through Microsoft Graph.
import type { Preset, RequestTemplate } from './preset.ts';

const people =
  'id,userPrincipalName,mail,givenName,surname,displayName,businessPhones,department,companyName,officeLocation,jobTitle,' +
  'employeeId,employeeType,accountEnabled,userType';

const parameters: Preset['parameters'] = {
  tenant: { description: 'The tenant: its id, or a domain of it.', pattern: /^[\w.-]+$/ },
  clientId: { description: 'The id of the app registration, with the application permission User.Read.All.' },
  clientSecret: { description: 'A secret of the app, unless it signs with a certificate.', fallback: '' },
  privateKey: {
    description: 'The private key of a certificate of the app, in PEM form, instead of a secret.',
    fallback: '',
  },
  certificate: { description: 'This certificate, in PEM form.', fallback: '' },
  algorithm: { description: 'How the key signs: PS256 or RS256.', fallback: 'PS256', pattern: /^(?:PS|RS)256$/ },
  fields: {
    description:
      'Further properties to ask for, separated by commas; employeeLeaveDateTime needs the permission User-LifeCycleInfo.Read.All.',
    fallback: 'employeeHireDate',
    pattern: /^[\w,]+$/,
  },
  pageSize: { description: 'People per page, at most 999.', fallback: '999', pattern: /^[1-9]\d{0,2}$/ },
  baseUrl: {
    description: 'The address of Graph; national clouds have others.',
    fallback: 'https://graph.microsoft.com',
  },
  loginUrl: {
    description: 'The address that gives tokens; national clouds have others.',
    fallback: 'https://login.microsoftonline.com',
  },
  scope: { description: 'The scope to ask for.', fallback: '{baseUrl}/.default' },
};
const tokenUrl = '{loginUrl}/{tenant}/oauth2/v2.0/token';
const request: RequestTemplate = {
  url: `{baseUrl}/v1.0/users?$select=${people},{fields}&$top={pageSize}`,
  method: 'GET',
  headers: { accept: 'application/json', 'x-ms-throttle-priority': 'low' },
  records: '/value',
  paging: { by: 'next', path: '"@odata.nextLink"', total: '"@odata.count"' },
  shiftedWhen: [
    { status: 400, says: 'Directory_ExpiredPageToken' },
    ...[400, 404].flatMap((status) => ['syncStateNotFound', 'resyncRequired'].map((says) => ({ status, says }))),
    { status: 410, says: '' },
  ],
  auth: [
    {
      needs: ['privateKey', 'certificate'],
      auth: {
        signed: {
          ...{ by: 'client', tokenUrl, key: '{privateKey}', algorithm: '{algorithm}' },
          ...{ issuer: '{clientId}', certificate: '{certificate}', scope: '{scope}' },
        },
      },
    },
    {
      needs: ['clientSecret'],
      auth: {
        oauth2: {
          ...{
            tokenUrl,
            clientId: '{clientId}',
            clientSecret: '{clientSecret}',
            scope: '{scope}',
            credentials: 'body',
          },
        },
      },
    },
  ],
};
const rules: Preset['rules'] = {
  members: {
    ...{ firstname: 'givenName', lastname: 'surname', email: 'mail', telephone: 'businessPhones[0]' },
    ...{ employeeId: 'id', startDate: 'employeeHireDate' },
  },
  except: [
    { column: 'accountEnabled', is: false },
    { column: 'userType', in: ['Guest'] },
    { column: 'userPrincipalName', contains: '#EXT#' },
  ],
};
const shared = {
  parameters,
  email: 'mail; the user name (userPrincipalName) is a sign-in name, and never taken.',
  active: 'accountEnabled is true, and no guest. Before employeeHireDate nobody is invited.',
};
const leavesOut = [
  'Guests, and accounts that are disabled, such as shared mailboxes and rooms: they are filtered.',
  'People whom the app may not read: they have an id only, and become rejects.',
  'mobilePhone: it may be private. The first business phone is taken.',
];

/** Microsoft Entra ID: people, with their departments as groups. */
export const entra: Preset = {
  ...shared,
  title: 'Microsoft Entra ID: users, by department',
  request,
  rules: { ...rules, groups: [{ column: 'department' }] },
  leavesOut: [...leavesOut, 'Groups of Entra: use entra-groups.'],
};

/** Microsoft Entra ID: people, with groups of Entra. */
export const entraGroups: Preset = {
  ...shared,
  title: 'Microsoft Entra ID: users, by the groups they are in',
  parameters: {
    ...parameters,
    groups: {
      description:
        'Which groups to read: names or ids separated by ;, in which * stands for any text. Needs the permission GroupMember.Read.All.',
    },
  },
  request: {
    ...request,
    steps: [
      {
        ...{ do: 'memberships', url: '{baseUrl}/v1.0/groups?$select=id,displayName&$top=999', records: '/value' },
        paging: { by: 'next', path: '"@odata.nextLink"' },
        ...{ key: 'id', name: 'displayName', wanted: '{groups}', id: 'id', into: 'groupNames' },
        each: {
          // The cast to users is an advanced query, which needs the count and this header.
          url: '{baseUrl}/v1.0/groups/{id}/transitiveMembers/microsoft.graph.user?$count=true&$select=id&$top=999',
          headers: { consistencylevel: 'eventual' },
          records: '/value',
          paging: { by: 'next', path: '"@odata.nextLink"', total: '"@odata.count"' },
          member: 'id',
        },
      },
    ],
  },
  rules: { ...rules, groups: [{ column: 'groupNames', split: ';' }] },
  leavesOut: [
    ...leavesOut,
    'Groups that account.groups does not name. People in a group inside a group count as its members.',
    'Hidden memberships, without the permission Member.Read.Hidden.',
  ],
};
