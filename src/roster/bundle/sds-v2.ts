// Recognises and reads School Data Sync 2 and 2.1 bundles.
import { has, type Bundle } from './bundle.ts';
import type { JoinColumn, JoinSpec } from './join-spec.ts';

const from = 'sourcedId';
const enrolled = { file: 'enrollments.csv', where: 'userSourcedId', take: 'classSourcedId' } as const;
const role = { file: 'roles.csv', where: 'userSourcedId' } as const;
const nameOfOrg = { file: 'orgs.csv', where: 'sourcedId', take: 'name' } as const;
const titleOfCourse = { file: 'courses.csv', where: 'sourcedId', take: 'title' } as const;

const classes: JoinColumn[] = [{ from, steps: [enrolled, { file: 'classes.csv', where: 'sourcedId', take: 'title' }] }];
const courses: JoinColumn[] = [
  { from, steps: [enrolled, { file: 'classes.csv', where: 'sourcedId', take: 'courseSourcedId' }, titleOfCourse] },
];
/** User names are sign-in names, most of them addresses; the e-mail is optional, and version 2 has none. */
const addresses = { column: 'email', from: 'username' } as const;

const spec: JoinSpec = {
  people: [
    {
      file: 'users.csv',
      columns: {
        classes,
        courses,
        orgs: [{ from, steps: [{ ...role, take: 'orgSourcedId' }, nameOfOrg] }],
        roles: [{ from, steps: [{ ...role, take: 'role' }] }],
      },
      addresses,
    },
  ],
};

/** Version 2 has neither roles nor courses in files of their own: a person names organisations and one role. */
const specOf2: JoinSpec = {
  people: [
    {
      file: 'users.csv',
      columns: {
        classes,
        orgs: [{ from: 'orgSourcedIds', split: ',', steps: [nameOfOrg] }],
        roles: [{ from: 'role', steps: [] }],
      },
      addresses,
    },
  ],
};

/** Microsoft School Data Sync, versions 2 and 2.1: made after OneRoster, without its states. */
export const sdsV2: Bundle = {
  name: 'Microsoft SDS v2',
  people: 'users.csv',
  async plan(view) {
    const header = (await view.header('users.csv')).map((name) => name.trim().toLowerCase());
    if (!header.includes('sourcedid') || !header.includes('username')) return undefined;
    const is2 = header.includes('orgsourcedids') && !has(view, 'roles.csv');
    return is2
      ? { name: 'Microsoft SDS v2', spec: specOf2, notes: [] }
      : { name: 'Microsoft SDS v2.1', spec, notes: [] };
  },
};
