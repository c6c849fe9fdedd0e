// The preset for Personio.
import type { Preset } from './preset.ts';

const next = { by: 'next', path: '_meta.links.next.href' } as const;

/** Personio's version 2 (developer.personio.de): persons, the latest employment of each, and names of org units. */
export const personio: Preset = {
  title: 'Personio: persons and employments (v2)',
  parameters: {
    clientId: { description: 'The id of API credentials that may read persons, employments and org units.' },
    clientSecret: { description: 'Their secret.' },
    baseUrl: { description: 'The address, for a gateway.', fallback: 'https://api.personio.de' },
  },
  request: {
    url: '{baseUrl}/v2/persons?limit=50',
    method: 'GET',
    headers: { accept: 'application/json' },
    records: '/_data',
    paging: next,
    steps: [
      // The most recent employment comes first.
      { do: 'each', url: '/v2/persons/{id}/employments?limit=1', records: '/_data', take: 'first', into: 'employment' },
      {
        do: 'table',
        url: '/v2/org-units?limit=50',
        records: '/_data',
        paging: next,
        key: ['type', 'id'],
        name: 'name',
        from: 'employment.org_units',
        into: 'orgUnits',
      },
    ],
    auth: [
      {
        needs: ['clientId', 'clientSecret'],
        auth: {
          oauth2: {
            tokenUrl: '{baseUrl}/v2/auth/token',
            clientId: '{clientId}',
            clientSecret: '{clientSecret}',
            credentials: 'body',
          },
        },
      },
    ],
  },
  rules: {
    members: {
      firstname: 'first_name',
      lastname: 'last_name',
      email: 'email',
      telephone: false,
      employeeId: 'id',
    },
    groups: [{ column: 'orgUnits', split: ';' }],
    only: [{ column: 'employment.status', in: ['ACTIVE', 'LEAVE'] }],
  },
  email: 'email, the one with which the person is known to Personio.',
  active:
    'The latest employment is ACTIVE or LEAVE. ONBOARDING people have not begun: add them under `only` to invite them early.',
  leavesOut: [
    'One request per person for the employment: some 10 minutes for 5,000 people.',
    'Without the right to read employments and org units nobody has a department, and so nobody has a group.',
    'Departments and teams are both groups; custom attributes are not read.',
  ],
};
