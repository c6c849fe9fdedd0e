// Presets for Workday reports (RaaS), as JSON and as CSV.
import type { Preset, RequestTemplate } from './preset.ts';

const parameters = {
  url: {
    description: 'The address of the report, without a query: …/ccx/service/customreport2/tenant/owner/Report.',
    pattern: /^https?:\/\/[^?#\s]+$/,
  },
  username: { description: 'The integration system user.', fallback: '' },
  password: { description: 'Its password.', fallback: '' },
  accessToken: { description: 'An OAuth access token, instead of user name and password.', fallback: '' },
};
const auth: RequestTemplate['auth'] = [
  { needs: ['username', 'password'], auth: { basic: { username: '{username}', password: '{password}' } } },
  { needs: ['accessToken'], auth: { bearer: '{accessToken}' } },
];
const email = 'The column whose name says work e-mail; name it in members.email where the report has several.';
const active = 'Whatever the report holds: let it hold active workers, or name its status column under `only`.';
const leavesOut = [
  'Only an Advanced report that is enabled as a web service can be read; its prompts are asked for with their defaults.',
  'Column names are made up by each tenant unless set: name the columns in `members` and `groups`; there is no default.',
  'Names of organisations hold their manager ("X (Jane Doe)"): such a group changes its name with the manager.',
  'There are no pages: all people are in one answer, of at most 2 GB.',
];

/** A report as a service, as JSON: `Report_Entry`, wherever it is wrapped. */
export const workdayRaas: Preset = {
  title: 'Workday: a report as a service, JSON',
  parameters,
  request: { url: '{url}?format=json', method: 'GET', headers: { accept: 'application/json' }, auth },
  rules: {},
  email,
  active,
  leavesOut,
};

/** The same, as CSV. */
export const workdayRaasCsv: Preset = {
  title: 'Workday: a report as a service, CSV',
  parameters,
  request: { url: '{url}?format=csv', method: 'GET', headers: { accept: 'text/csv' }, auth },
  rules: {},
  email,
  active,
  leavesOut: [...leavesOut, 'The header has column headings, not the aliases that JSON has.'],
};
