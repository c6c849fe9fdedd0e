import type { Bundle } from './bundle.ts';
import type { JoinSpec } from './join-spec.ts';

const from = 'sourcedId';
const enrolled = { file: 'enrollments.csv', where: 'userSourcedId', take: 'classSourcedId' } as const;
const role = { file: 'roles.csv', where: 'userSourcedId' } as const;
const nameOfOrg = { file: 'orgs.csv', where: 'sourcedId', take: 'name' } as const;
const titleOfCourse = { file: 'courses.csv', where: 'sourcedId', take: 'title' } as const;

const spec: JoinSpec = {
  people: [
    {
      file: 'users.csv',
      columns: {
        classes: [{ from, steps: [enrolled, { file: 'classes.csv', where: 'sourcedId', take: 'title' }] }],
        courses: [
          {
            from,
            steps: [enrolled, { file: 'classes.csv', where: 'sourcedId', take: 'courseSourcedId' }, titleOfCourse],
          },
        ],
        orgs: [{ from, steps: [{ ...role, take: 'orgSourcedId' }, nameOfOrg] }],
        roles: [{ from, steps: [{ ...role, take: 'role' }] }],
      },
    },
  ],
};

/** Microsoft School Data Sync, version 2.1: made after OneRoster, without its states. */
export const sdsV2: Bundle = {
  name: 'Microsoft SDS v2.1',
  files: ['users.csv', 'roles.csv', 'orgs.csv', 'classes.csv', 'enrollments.csv', 'courses.csv'],
  async plan(view) {
    const header = (await view.header('users.csv')).map((name) => name.trim().toLowerCase());
    if (!header.includes('sourcedid') || !header.includes('username')) return undefined;
    return { name: 'Microsoft SDS v2.1', spec, notes: [] };
  },
};
