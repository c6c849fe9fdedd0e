// The preset for Merge's unified HRIS API.
import type { Preset } from './preset.ts';

/** Merge’s unified HRIS API (docs.merge.dev): employees with their groups. */
export const merge: Preset = {
  title: 'Merge: employees',
  parameters: {
    apiKey: { description: 'A production access key.' },
    accountToken: { description: 'The token of the linked account.' },
    baseUrl: { description: 'The address; https://api-eu.merge.dev in Europe.', fallback: 'https://api.merge.dev' },
  },
  request: {
    url: '{baseUrl}/api/hris/v1/employees?page_size=100&expand=groups',
    method: 'GET',
    headers: { accept: 'application/json', 'x-account-token': '{accountToken}' },
    records: '/results',
    paging: { by: 'cursor', path: 'next', parameter: 'cursor' },
    steps: [
      {
        do: 'names',
        from: ['groups[type=DEPARTMENT].name', 'groups[type=TEAM].name', 'groups[type=GROUP].name'],
        into: 'groupNames',
      },
    ],
    auth: [{ needs: ['apiKey'], auth: { bearer: '{apiKey}' } }],
  },
  rules: {
    members: {
      firstname: 'first_name',
      lastname: 'last_name',
      email: 'work_email',
      telephone: false,
      employeeId: 'id',
    },
    groups: [{ column: 'groupNames', split: ';' }],
    except: [
      { column: 'employment_status', in: ['INACTIVE', 'PENDING'] },
      { column: 'remote_was_deleted', in: ['true'] },
    ],
  },
  email: 'work_email; personal_email is never taken.',
  active: 'Everybody who is not INACTIVE, PENDING (not begun) or deleted; leave is not told apart.',
  leavesOut: [
    'mobile_phone_number: it does not say whether it is a private one. Name it in members.telephone if it is not.',
    'Groups of the types COST_CENTER and BUSINESS_UNIT.',
    'The data is as old as Merge’s last sync of the linked account.',
  ],
};
