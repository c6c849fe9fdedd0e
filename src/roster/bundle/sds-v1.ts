import { has, type Bundle } from './bundle.ts';
import type { JoinPeople } from './join-spec.ts';

const section = { file: 'Section.csv', where: 'SIS ID' } as const;
const school = { from: 'School SIS ID', steps: [{ file: 'School.csv', where: 'SIS ID', take: 'Name' }] } as const;

function people(file: string, memberships: string, role: string): JoinPeople {
  const enrolled = { file: memberships, where: 'SIS ID', take: 'Section SIS ID' } as const;
  return {
    file,
    columns: {
      sections: [{ from: 'SIS ID', steps: [enrolled, { ...section, take: 'Section Name' }] }],
      courses: [{ from: 'SIS ID', steps: [enrolled, { ...section, take: 'Course Name' }] }],
      schools: [school],
    },
    set: { roles: role },
    leaveOut: { Status: ['inactive', 'deleted'] },
  };
}

const students = people('Student.csv', 'StudentEnrollment.csv', 'student');
const teachers = people('Teacher.csv', 'TeacherRoster.csv', 'teacher');

/** Microsoft School Data Sync, version 1: students and teachers in files of their own. */
export const sdsV1: Bundle = {
  name: 'Microsoft SDS v1',
  files: ['Student.csv', 'StudentEnrollment.csv', 'Section.csv', 'School.csv', 'Teacher.csv', 'TeacherRoster.csv'],
  async plan(view) {
    const header = await view.header('Student.csv');
    if (!header.some((name) => name.trim().toLowerCase() === 'sis id')) return undefined;
    const parts = [students, teachers].filter(({ file }) => has(view, file));
    return { name: 'Microsoft SDS v1', spec: { people: parts }, notes: [] };
  },
};
