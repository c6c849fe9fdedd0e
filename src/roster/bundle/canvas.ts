// Recognises and reads Canvas SIS import files.
import type { Bundle } from './bundle.ts';
import type { JoinSpec } from './join-spec.ts';

const from = 'user_id';
/** States of an enrolment that is over, and of a thing that is gone (Canvas, doc/api/sis_csv.md). */
const over = { status: ['deleted', 'completed', 'inactive', 'deleted_last_completed'] };
const gone = { status: ['deleted'] };

const enrolled = { file: 'enrollments.csv', where: 'user_id', except: over };
const section = { file: 'sections.csv', where: 'section_id', except: gone };
const nameOfCourse = { file: 'courses.csv', where: 'course_id', take: 'long_name', except: gone };

const spec: JoinSpec = {
  people: [
    {
      file: 'users.csv',
      columns: {
        sections: [
          {
            from,
            steps: [
              { ...enrolled, take: 'section_id' },
              { ...section, take: 'name' },
            ],
          },
        ],
        // An enrolment names its course, or its section, or both.
        courses: [
          { from, steps: [{ ...enrolled, take: 'course_id' }, nameOfCourse] },
          { from, steps: [{ ...enrolled, take: 'section_id' }, { ...section, take: 'course_id' }, nameOfCourse] },
        ],
        roles: [{ from, steps: [{ ...enrolled, take: 'role' }] }],
        groups: [
          {
            from,
            steps: [
              { file: 'groups_membership.csv', where: 'user_id', take: 'group_id', except: gone },
              { file: 'groups.csv', where: 'group_id', take: 'name', except: gone },
            ],
          },
        ],
      },
      leaveOut: { status: ['deleted', 'suspended'] },
    },
  ],
};

/** Canvas SIS import files. */
export const canvas: Bundle = {
  name: 'Canvas SIS',
  people: 'users.csv',
  async plan(view) {
    const header = (await view.header('users.csv')).map((name) => name.trim().toLowerCase());
    if (!header.includes('user_id') || !header.includes('login_id')) return undefined;
    return { name: 'Canvas SIS', spec, notes: [] };
  },
};
