// The preset for Finch.
import type { Preset } from './preset.ts';

/** Finch (developer.tryfinch.com): the directory, then individual and employment in batches. */
export const finch: Preset = {
  title: 'Finch: directory, individual and employment',
  parameters: {
    accessToken: { description: 'The access token of one connection, with directory, individual and employment.' },
    baseUrl: { description: 'The address, for a gateway.', fallback: 'https://api.tryfinch.com' },
  },
  request: {
    url: '{baseUrl}/employer/directory',
    method: 'GET',
    headers: { accept: 'application/json', 'finch-api-version': '2020-09-17' },
    records: '/individuals',
    paging: { by: 'offset', parameter: 'offset', first: 0, total: 'paging.count' },
    steps: ['individual', 'employment'].map((into) => ({
      ...{ do: 'batch', url: `/employer/${into}`, id: 'id', key: 'individual_id', size: 1000 },
      ...{ records: '/responses', code: 'code', value: 'body', into },
    })),
    auth: [{ needs: ['accessToken'], auth: { bearer: '{accessToken}' } }],
  },
  rules: {
    members: {
      firstname: 'first_name',
      lastname: 'last_name',
      email: 'individual.emails[type=work].data',
      telephone: 'individual.phone_numbers[type=work].data',
      employeeId: 'id',
    },
    groups: [{ column: 'department.name' }],
    except: [
      { column: 'is_active', in: ['false'] },
      {
        column: 'employment.employment_status',
        in: ['terminated', 'retired', 'deceased', 'prehire', 'onboarding'],
      },
    ],
  },
  email: 'The e-mail of type work; personal ones, and those without a type, are never taken.',
  active: 'active and leave; where the system behind Finch gives no status, is_active decides.',
  leavesOut: [
    'People whose work e-mail the system behind Finch does not know: they become rejects.',
    'The data is as old as Finch’s last sync: a day, with assisted providers a week.',
    'Everything may be empty: what a system does not have, Finch leaves null.',
  ],
};
