// Recognises and reads School Data Sync 1 bundles.
import { has, type Bundle } from './bundle.ts';
import { columnOf } from './column-of.ts';
import type { JoinPeople } from './join-spec.ts';

/** How the headers call the keys: everywhere but in the United Kingdom, and there. */
const ids = ['SIS ID', 'ID'] as const;
const sectionIds = ['Section SIS ID', 'Section ID'] as const;
const schoolIds = ['School SIS ID', 'School DfE Number', 'School ID'] as const;
const ownSchoolIds = ['SIS ID', 'DfE Number', 'ID'] as const;

/** Microsoft School Data Sync, version 1: students and teachers in files of their own. */
export const sdsV1: Bundle = {
  name: 'Microsoft SDS v1',
  people: 'Student.csv',
  async plan(view) {
    const header = await view.header('Student.csv');
    const isUsual = columnOf(header, 'SIS ID') !== -1;
    const isBritish = columnOf(header, 'ID') !== -1 && (has(view, 'StudentEnrollment.csv') || has(view, 'Section.csv'));
    if (!isUsual && !isBritish) return undefined;
    // Looking at a header reads the file once: it is spared where the names are the usual ones.
    const nameIn = async (file: string, names: readonly [string, ...string[]]): Promise<string> =>
      isUsual ? names[0] : nameOf(await view.header(file), names);
    const parts = [
      { file: 'Student.csv', memberships: 'StudentEnrollment.csv', role: 'student' },
      { file: 'Teacher.csv', memberships: 'TeacherRoster.csv', role: 'teacher' },
    ];
    const people: JoinPeople[] = [];
    for (const part of parts) if (has(view, part.file)) people.push(await peopleOf(part, nameIn));
    return { name: 'Microsoft SDS v1', spec: { people }, notes: [] };
  },
};

type NameIn = (file: string, names: readonly [string, ...string[]]) => Promise<string>;

async function peopleOf(
  { file, memberships, role }: { file: string; memberships: string; role: string },
  nameIn: NameIn,
): Promise<JoinPeople> {
  const from = await nameIn(file, ids);
  const section = { file: 'Section.csv', where: await nameIn('Section.csv', ids) };
  const school = { file: 'School.csv', where: await nameIn('School.csv', ownSchoolIds), take: 'Name' };
  const enrolled = {
    file: memberships,
    where: await nameIn(memberships, ids),
    take: await nameIn(memberships, sectionIds),
  };
  return {
    file,
    columns: {
      sections: [{ from, steps: [enrolled, { ...section, take: 'Section Name' }] }],
      courses: [{ from, steps: [enrolled, { ...section, take: 'Course Name' }] }],
      schools: [{ from: await nameIn(file, schoolIds), steps: [school] }],
    },
    set: { roles: role },
    leaveOut: { Status: ['inactive', 'deleted'] },
  };
}

/** The one of some names that a header has; the first where it has none. */
function nameOf(header: readonly string[], names: readonly [string, ...string[]]): string {
  return names.find((name) => columnOf(header, name) !== -1) ?? names[0];
}
