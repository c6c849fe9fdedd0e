// Presets for OneRoster 1.1 and 1.2 over REST.
import type { Paging } from '../source-location.ts';
import type { Preset } from './preset.ts';

const page = 'limit={pageSize}&filter=status%3D%27active%27';
/** A server may give fewer than it is asked for, and need not say how many there are (OneRoster 1.1, section 3.4.1). */
const paging: Paging = {
  ...{ by: 'offset', parameter: 'offset', first: 0 },
  ...{ totalHeader: 'x-total-count', links: true, key: 'sourcedId' },
};

/** What both versions have in common; `scope` is what a token is asked for. Only 1.1 knows signed requests. */
function oneRoster(version: '1.1' | '1.2', path: string, scope: string): Preset {
  const isSigned = version === '1.1';
  return {
    title: `OneRoster ${version}: /users with orgs and classes`,
    parameters: {
      url: {
        description: `The address of the service, with its path: https://sis.example${path}.`,
        pattern: /^https?:\/\/[^?#\s]*[^/?#\s]$/,
      },
      tokenUrl: isSigned
        ? {
            description:
              'Where a token is asked for (OAuth 2.0, client credentials). Without it, each request is signed (OAuth 1.0a).',
            fallback: '',
          }
        : { description: 'Where a token is asked for (OAuth 2.0, client credentials).' },
      clientId: { description: `The client id${isSigned ? ', or the consumer key of OAuth 1.0a' : ''}.` },
      clientSecret: { description: `The client secret${isSigned ? ', or the consumer secret of OAuth 1.0a' : ''}.` },
      scope: { description: 'The scope to ask for.', fallback: scope },
      filter: {
        description: "Which users to ask for: status='active' AND role='teacher' gives teachers only.",
        fallback: "status='active'",
      },
      pageSize: { description: 'People per page.', fallback: '100', pattern: /^[1-9]\d{0,3}$/ },
    },
    request: {
      url: '{url}/users?limit={pageSize}&filter={filter}',
      method: 'GET',
      headers: { accept: 'application/json' },
      records: '/users',
      paging,
      steps: [
        {
          ...{ do: 'table', url: `{url}/orgs?${page}`, records: '/orgs', paging },
          ...{ key: ['sourcedId'], name: 'name', from: ['orgs', 'primaryOrg', 'roles.org'], into: 'orgNames' },
        },
        {
          ...{ do: 'links', url: `{url}/enrollments?${page}`, records: '/enrollments', paging },
          ...{ id: 'sourcedId', member: 'user.sourcedId', group: 'class.sourcedId', into: 'classNames' },
          groups: { url: `{url}/classes?${page}`, records: '/classes', paging, key: 'sourcedId', name: 'title' },
        },
        { do: 'names', from: ['role', 'roles.role'], into: 'roleNames' },
      ],
      auth: [
        {
          needs: ['tokenUrl', 'clientId', 'clientSecret'],
          auth: {
            oauth2: {
              ...{ tokenUrl: '{tokenUrl}', clientId: '{clientId}', clientSecret: '{clientSecret}' },
              ...{ scope: '{scope}', credentials: 'header' },
            },
          },
        },
        ...(isSigned
          ? [
              {
                needs: ['clientId', 'clientSecret'],
                auth: { oauth1: { consumerKey: '{clientId}', consumerSecret: '{clientSecret}' } },
              },
            ]
          : []),
      ],
    },
    rules: {
      members: {
        ...{ firstname: 'givenName', lastname: 'familyName', email: 'email' },
        ...{ telephone: false, employeeId: 'sourcedId' },
      },
      groups: [
        { column: 'classNames', split: ';' },
        { column: 'orgNames', split: ';' },
      ],
      except: [
        { column: 'status', in: ['tobedeleted', 'inactive'] },
        { column: 'enabledUser', in: ['false'] },
        { column: 'roleNames', in: ['guardian', 'parent', 'relative'] },
      ],
    },
    optional: ['status', 'enabledUser'],
    email: 'email, which OneRoster does not require: people without one become rejects.',
    active: 'status active and enabledUser not false. People who are only guardian, parent or relative are filtered.',
    leavesOut: [
      'Telephones: phone and sms may be private. Name one in members.telephone if it is not.',
      'Start and end dates of enrolments and roles; classes and orgs that are not active.',
    ],
  };
}

const scopes = 'https://purl.imsglobal.org/spec/or';

/** OneRoster 1.1 over REST (1EdTech), by OAuth 2.0 or 1.0a. */
export const oneRoster11 = oneRoster('1.1', '/ims/oneroster/v1p1', `${scopes}/v1p1/scope/roster-core.readonly`);

/** OneRoster 1.2 over REST (1EdTech): the rostering service. */
export const oneRoster12 = oneRoster(
  '1.2',
  '/ims/oneroster/rostering/v1p2',
  `${scopes}/v1p2/scope/roster-core.readonly`,
);
