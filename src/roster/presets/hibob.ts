// The preset for HiBob's people search.
import type { Preset } from './preset.ts';

/** A field as Bob may write it, for people and for machines (apidocs.hibob.com, "Fields metadata"). */
function written(id: string): string[] {
  const [category = '', name = ''] = id.split('.');
  const own = category === 'root' ? name : id;
  return [own, `"/${category}/${name}".value`, ...(category === 'root' ? [id] : [])];
}

/** Bob's people search (apidocs.hibob.com, "People read API contract"): one answer, no pages. */
export const hibob: Preset = {
  title: 'HiBob: people search',
  parameters: {
    serviceUserId: { description: 'The id of a service user.' },
    token: { description: 'Its token.' },
    baseUrl: { description: 'The address, for a gateway.', fallback: 'https://api.hibob.com' },
    fields: { description: 'Further field ids to ask for, separated by commas.', fallback: '' },
  },
  request: {
    url: '{baseUrl}/v1/people/search',
    method: 'POST',
    headers: { accept: 'application/json' },
    body: {
      fields: [
        ...['root.id', 'root.firstName', 'root.surname', 'root.email'],
        ...['work.department', 'work.site', 'work.title', '{fields}'],
      ],
      showInactive: false,
      humanReadable: 'REPLACE',
    },
    records: '/employees',
    // apidocs.hibob.com, "People read API contract": filters.
    byId: { body: { filters: [{ fieldPath: 'root.id', operator: 'equals', values: ['{ids}'] }] } },
    auth: [
      { needs: ['serviceUserId', 'token'], auth: { basic: { username: '{serviceUserId}', password: '{token}' } } },
    ],
  },
  rules: {
    members: {
      firstname: { columns: written('root.firstName') },
      lastname: { columns: written('root.surname') },
      email: { columns: written('root.email') },
      telephone: false,
      employeeId: { columns: written('root.id') },
    },
    groups: written('work.department').map((column) => ({ column })),
  },
  email: 'root.email, the one of the company; home.privateEmail is never asked for.',
  active: 'Everybody in the answer: inactive people are not asked for (showInactive is false).',
  leavesOut: [
    'HiBob silently leaves out fields of categories that the service user may not see.',
    'Telephones: add a field under account.fields and name it in members.telephone.',
    'Somebody added in the last 20 seconds.',
  ],
};
