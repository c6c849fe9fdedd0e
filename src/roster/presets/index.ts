// Lists every preset by name.
import { bamboohrDatasets, bamboohrDirectory, bamboohrEmployees, bamboohrReport } from './bamboohr.ts';
import { adobeUserSync, entraBulkCreate, googleWorkspace, googleWorkspaceUpload, moodle, okta } from './files.ts';
import { entra, entraGroups } from './entra.ts';
import { finch } from './finch.ts';
import { googleDirectory, googleDirectoryGroups } from './google.ts';
import { hibob } from './hibob.ts';
import { activeDirectory, openLdapPeople } from './ldap.ts';
import { merge } from './merge.ts';
import { oktaGroups, oktaUsers } from './okta.ts';
import { oneRoster11, oneRoster12 } from './one-roster.ts';
import { personio } from './personio.ts';
import type { Preset } from './preset.ts';
import { scim, scimGroups } from './scim.ts';
import { workdayRaas, workdayRaasCsv } from './workday.ts';

/** Every preset by the name under which a config asks for it. */
export const presets: Readonly<Record<string, Preset>> = {
  'active-directory': activeDirectory,
  'adobe-user-sync': adobeUserSync,
  bamboohr: bamboohrDatasets,
  'bamboohr-directory': bamboohrDirectory,
  'bamboohr-employees': bamboohrEmployees,
  'bamboohr-report': bamboohrReport,
  entra,
  'entra-bulk-create': entraBulkCreate,
  'entra-groups': entraGroups,
  finch,
  'google-directory': googleDirectory,
  'google-directory-groups': googleDirectoryGroups,
  'google-workspace': googleWorkspace,
  'google-workspace-upload': googleWorkspaceUpload,
  hibob,
  merge,
  moodle,
  okta,
  'okta-groups': oktaGroups,
  'okta-users': oktaUsers,
  'oneroster-1.1': oneRoster11,
  'oneroster-1.2': oneRoster12,
  openldap: openLdapPeople,
  personio,
  scim,
  'scim-groups': scimGroups,
  'workday-raas': workdayRaas,
  'workday-raas-csv': workdayRaasCsv,
};
