// Presets for export files of Google Workspace, Entra, Okta and others.
import type { Preset } from './preset.ts';

const googleMembers = { firstname: 'First Name', lastname: 'Last Name', email: 'Email Address' } as const;
const googleNotes = [
  'Recovery, home and secondary addresses and numbers are never taken.',
  'Groups of Google itself: they are not in this file.',
];

/** What the Google admin console gives under "Download users". */
export const googleWorkspace: Preset = {
  title: 'Google Workspace: downloaded users (CSV)',
  parameters: {},
  rules: {
    members: googleMembers,
    groups: [{ column: 'Org Unit Path', path: { separator: '/', take: 'leaf' } }, { column: 'Department' }],
    except: [{ column: 'Status', in: ['Suspended', 'Archived'] }],
  },
  optional: ['Org Unit Path', 'Department', 'Status'],
  email: 'Email Address, the primary one.',
  active: 'Status Active; Suspended and Archived are filtered. Without a Status column, everybody.',
  leavesOut: [...googleNotes, 'A download with few columns has no org unit: then name a group under `groups`.'],
};

/** The same console’s form for uploading users. */
export const googleWorkspaceUpload: Preset = {
  ...googleWorkspace,
  title: 'Google Workspace: users to upload (CSV)',
  rules: { ...googleWorkspace.rules, except: [{ column: 'New Status', in: ['Suspended', 'Archived'] }] },
  optional: ['Org Unit Path', 'Department', 'New Status'],
  active: 'New Status Active or empty; Suspended and Archived are filtered.',
  leavesOut: [...googleNotes, 'The file holds passwords: keep it where only you can read it. They are not read.'],
};

/** Entra’s form for creating users in bulk; what is in brackets is the same in every language. */
export const entraBulkCreate: Preset = {
  title: 'Entra: users to create in bulk (CSV)',
  parameters: {},
  rules: {
    members: {
      firstname: 'givenName',
      lastname: 'surname',
      email: 'userPrincipalName',
      telephone: 'telephoneNumber',
    },
    groups: [{ column: 'department' }],
    // The column asks whether to block the sign-in.
    except: [{ column: 'accountEnabled', is: true }],
  },
  optional: ['telephoneNumber', 'department'],
  email: 'The user name (userPrincipalName): the form has no other. It reaches people only where it is their mailbox.',
  active: 'Block sign in is No or empty: Yes means blocked.',
  leavesOut: [
    'The file holds first passwords: keep it where only you can read it. They are not read.',
    'Guests, and the e-mail where it differs from the user name.',
  ],
};

/** The file that Okta reads people from: its columns are Okta’s own names. */
export const okta: Preset = {
  title: 'Okta: a CSV directory',
  parameters: {},
  rules: {
    members: { firstname: 'firstName', lastname: 'lastName', email: 'email' },
    groups: [{ column: 'department' }],
  },
  optional: ['department'],
  email: 'email; secondEmail, which is private, is never taken.',
  active:
    'Everybody in the file: Okta itself deactivates people who are missing. Name a deactivation column under `except`.',
  leavesOut: ['Whether the file is full or incremental is not in it: set snapshot only for a full one.'],
};

/** Moodle’s "Upload users". */
export const moodle: Preset = {
  title: 'Moodle: users to upload (CSV)',
  parameters: {},
  rules: {
    members: { firstname: 'firstname', lastname: 'lastname', email: 'email', telephone: 'phone1' },
    groups: [{ column: 'cohort*' }],
    except: [
      { column: 'suspended', is: true },
      { column: 'deleted', is: true },
    ],
  },
  optional: ['phone1', 'cohort*', 'suspended', 'deleted'],
  email: 'email.',
  active: 'Neither suspended nor deleted.',
  leavesOut: [
    'Courses, and the groups and roles in them (course1, group1, role1): cohorts are the groups.',
    'Passwords are not read.',
  ],
};

/** The users file of adobe user-sync. */
export const adobeUserSync: Preset = {
  title: 'Adobe User Sync: the users file (CSV)',
  parameters: {},
  rules: {
    members: { firstname: 'firstname', lastname: 'lastname', email: 'email' },
    groups: [{ column: 'groups', split: ',' }],
  },
  email: 'email.',
  active: 'Everybody in the file; its list of people to remove is another file, which is not read.',
  leavesOut: ['Its groups are names of product profiles: rename them under `rename` where they are called otherwise.'],
};
