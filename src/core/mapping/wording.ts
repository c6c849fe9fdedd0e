// How messages about columns name what to set: each face brings its own words, and these are those of the settings.
import type { Column, Field } from '../columns/columns.ts';

export type Wording = Readonly<typeof bySettings> & {
  /** Columns that hold whole names, whatever they are called. */
  names?: readonly Column[];
  /** What to say instead where no column gives an address, and it is known what its columns hold. */
  withoutAddress?: string;
};

export const bySettings = {
  asker: (field: Field | 'fullname'): string => `members.${field} names`,
  setting(field: Field | 'fullname', text?: string): string {
    const given = text ?? 'COLUMN';
    return `members: { ${field}: ${field === 'fullname' ? `{ column: ${given} }` : given} }`;
  },
  template: (field: Field, text: string): string => `members: { ${field}: { template: ${text} } }`,
  /** What keeps a text that looks like no value. */
  keeper: (_text?: string): string => 'allow.values',
  /** What gives a group that looks like a code a name. */
  naming: (code: string): string => `rename: { "${code}": NAME } gives one a name`,
  groupsBy: (_kind: 'column' | 'matrix'): string => 'groups names',
  /** What to do where nothing gives groups, or several columns can. */
  noGroups:
    'set groups of the source: [{ always: NAME }], [{ column: COLUMN }] with a column that holds them, or ' +
    '[{ matrix: COLUMNS }] with columns that are a group each',
  severalGroups: 'say which with groups: [{ column: COLUMN }] of the source.',
  records: (at: string): string => `read: { records: ${at} }`,
  members: 'members of the source',
  headerLine: 'read: { headerLine: NUMBER }',
};
