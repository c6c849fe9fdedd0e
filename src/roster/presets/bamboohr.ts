// Presets for BambooHR: datasets, custom report, directory, employees.
import type { Preset, RequestTemplate } from './preset.ts';

const parameters = {
  company: {
    description: 'The company in https://company.bamboohr.com.',
    pattern: /^[A-Za-z0-9][A-Za-z0-9-]*$/,
  },
  apiKey: { description: 'An API key of a user who may see everybody.', fallback: '' },
  accessToken: { description: 'An OAuth access token, instead of `apiKey`.', fallback: '' },
  baseUrl: { description: 'The address, for a gateway.', fallback: 'https://{company}.bamboohr.com' },
};
/** documentation.bamboohr.com, "Authentication": the key is the user name, the password may be any text. */
const auth: RequestTemplate['auth'] = [
  { needs: ['apiKey'], auth: { basic: { username: '{apiKey}', password: 'x' } } },
  { needs: ['accessToken'], auth: { bearer: '{accessToken}' } },
];
const fields = { description: 'Further fields to ask for, separated by commas.', fallback: '' };
const members = { firstname: 'firstName', lastname: 'lastName', email: 'workEmail', telephone: 'workPhone' };
const emailNote = 'workEmail; homeEmail and bestEmail (which falls back to the private one) are never asked for.';

/** Datasets, version 2: the way BambooHR recommends; it refuses fields that the key may not see. */
export const bamboohrDatasets: Preset = {
  title: 'BambooHR: the employee dataset (v2)',
  parameters: { ...parameters, fields },
  request: {
    url: '{baseUrl}/api/v2/datasets/employee/data',
    method: 'POST',
    headers: { accept: 'application/json' },
    body: {
      fields: [
        ...['employeeNumber', 'firstName', 'lastName', 'email', 'status', 'employmentStatus'],
        ...['jobInformationDepartment', 'jobInformationDivision', 'jobInformationLocation', 'jobInformationJobTitle'],
        '{fields}',
      ],
      // Without an order, rows may move between pages. What is ordered by must be among the fields.
      orderBy: 'employeeNumber asc',
    },
    records: '/data',
    paging: {
      by: 'page',
      parameter: 'page',
      first: 1,
      size: { parameter: 'pageSize', count: 1000 },
      in: 'body',
      pages: 'meta.totalPages',
      total: 'meta.totalItems',
    },
    auth,
  },
  rules: {
    members: {
      firstname: 'fields.firstName',
      lastname: 'fields.lastName',
      email: 'fields.email',
      telephone: false,
      employeeId: 'fields.employeeNumber',
    },
    groups: [{ column: 'fields.jobInformationDepartment' }],
    only: [{ column: 'fields.status', in: ['Active'] }],
  },
  email: 'email of the dataset, which is the work one; homeEmail is never asked for.',
  active:
    'status Active, of which there are only Active and Inactive; a future termination stays Active until its day.',
  leavesOut: [
    'Telephones: add a field under account.fields and name it in members.telephone.',
    'People that the key may not see.',
  ],
};

/** The custom report: the old way, deprecated; it silently leaves out fields that the key may not see. */
export const bamboohrReport: Preset = {
  title: 'BambooHR: a custom report (deprecated there)',
  parameters: { ...parameters, fields },
  request: {
    url: '{baseUrl}/api/v1/reports/custom?format=JSON',
    method: 'POST',
    headers: { accept: 'application/json' },
    body: {
      title: 'Roster sync',
      fields: [
        ...['employeeNumber', 'firstName', 'lastName', 'workEmail', 'workPhone', 'department', 'division', 'location'],
        ...['jobTitle', 'status', 'employmentHistoryStatus', 'terminationDate', '{fields}'],
      ],
    },
    records: '/employees',
    byId: { body: { filters: { employeeIds: ['{ids}'] } } },
    auth,
  },
  rules: {
    members: { ...members, employeeId: 'employeeNumber' },
    groups: [{ column: 'department' }],
    only: [{ column: 'status', in: ['Active'] }],
  },
  email: emailNote,
  active: 'status Active; the report has everybody, Inactive too. terminationDate is 0000-00-00 for who has none.',
  leavesOut: [
    'BambooHR silently leaves out fields that the key may not see: then every row lacks its e-mail or its group.',
    'More than 400 fields cannot be asked for.',
  ],
};

/** The company directory: what every employee sees. */
export const bamboohrDirectory: Preset = {
  title: 'BambooHR: the company directory',
  parameters,
  request: {
    url: '{baseUrl}/api/v1/employees/directory',
    method: 'GET',
    headers: { accept: 'application/json' },
    records: '/employees',
    auth,
  },
  rules: {
    members,
    groups: [{ column: 'department' }],
  },
  email: emailNote,
  active: 'Everybody in it: the directory holds active people only, and no status.',
  leavesOut: [
    'Inactive people, future hires, and people the company keeps out of its directory.',
    'Fields that the company does not show in its directory; which those are is its own choice.',
    'An empty directory answers 404, one that is not shared 403.',
  ],
};

/** The list of employees: the new endpoint, with cursors. */
export const bamboohrEmployees: Preset = {
  title: 'BambooHR: the list of employees',
  parameters: { ...parameters, accessToken: { description: 'An OAuth access token.', fallback: '' } },
  request: {
    url:
      '{baseUrl}/api/v1/employees?fields=employeeNumber,firstName,lastName,workEmail,workPhone,departmentName,' +
      'divisionName,locationName,jobTitleName,status&page%5Blimit%5D=2500',
    method: 'GET',
    headers: { accept: 'application/json' },
    records: '/data',
    byId: { parameter: 'filter[ids][]' },
    paging: { by: 'cursor', path: 'meta.page.nextCursor', parameter: 'page[after]', total: 'meta.total' },
    // The person at the boundary of a page has changed since.
    shiftedWhen: [{ status: 400, says: 'BadPage' }],
    steps: [
      {
        do: 'hidden',
        in: '_restrictedFields',
        fields: ['firstName', 'lastName', 'workEmail', 'departmentName', 'status'],
        blank: 'workEmail',
      },
    ],
    auth: [
      { needs: ['accessToken'], auth: { bearer: '{accessToken}' } },
      { needs: ['apiKey'], auth: { basic: { username: '{apiKey}', password: 'x' } } },
    ],
  },
  rules: {
    members: { ...members, employeeId: 'employeeNumber' },
    groups: [{ column: 'departmentName' }],
    only: [{ column: 'status', in: ['Active'] }],
  },
  email: emailNote,
  active: 'status Active; Inactive people are in the list and are filtered.',
  leavesOut: [
    'People whose name, e-mail, department or status is hidden from the token: they become rejects.',
    'Its documentation names OAuth only; an API key is tried where no token is given.',
  ],
};
