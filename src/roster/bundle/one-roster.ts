// Recognises and reads OneRoster CSV bundles.
import { InputError } from '../../core/errors.ts';
import type { Bundle, BundlePlan, FolderView } from './bundle.ts';
import type { JoinColumn } from './join-spec.ts';

/** Only in a delta is the status given; `inactive` is of OneRoster 1.0. */
const gone = { status: ['tobedeleted', 'inactive'] };

const enrolled = { file: 'enrollments.csv', where: 'userSourcedId', except: gone };
const classOf = { file: 'classes.csv', where: 'sourcedId', except: gone };
const nameOfOrg = { file: 'orgs.csv', where: 'sourcedId', take: 'name', except: gone };
const titleOfCourse = { file: 'courses.csv', where: 'sourcedId', take: 'title', except: gone };

const classes: JoinColumn = {
  from: 'sourcedId',
  steps: [
    { ...enrolled, take: 'classSourcedId' },
    { ...classOf, take: 'title' },
  ],
};
const courses: JoinColumn = {
  from: 'sourcedId',
  steps: [{ ...enrolled, take: 'classSourcedId' }, { ...classOf, take: 'courseSourcedId' }, titleOfCourse],
};
/** 1.1 names the organisations of a person in a list, 1.2 in `roles.csv`. */
const orgs: readonly JoinColumn[] = [
  { from: 'orgSourcedIds', split: ',', steps: [nameOfOrg] },
  {
    from: 'sourcedId',
    steps: [{ file: 'roles.csv', where: 'userSourcedId', take: 'orgSourcedId', except: gone }, nameOfOrg],
  },
];
const roles: readonly JoinColumn[] = [
  { from: 'sourcedId', steps: [{ file: 'roles.csv', where: 'userSourcedId', take: 'role', except: gone }] },
  { from: 'sourcedId', steps: [{ ...enrolled, take: 'role' }] },
];

/** OneRoster 1.1 and 1.2 as CSV (1EdTech): `manifest.csv` says about each file whether it is all, changes, or not there. */
export const oneRoster: Bundle = {
  name: 'OneRoster',
  people: 'users.csv',
  async plan(view) {
    const header = (await view.header('users.csv')).map((name) => name.trim().toLowerCase());
    const manifest = await readManifest(view);
    const isOurs = header.includes('sourcedid') && (manifest.size > 0 || header.includes('enableduser'));
    return isOurs ? planOf(manifest, view.folder.file) : undefined;
  },
};

async function readManifest(view: FolderView): Promise<Map<string, string>> {
  const rows = await view.rows('manifest.csv');
  return new Map(rows.map(([name = '', value = '']) => [name.trim().toLowerCase(), value.trim().toLowerCase()]));
}

function planOf(manifest: ReadonlyMap<string, string>, file: string): BundlePlan {
  const stateOf = (name: string): string => manifest.get(`file.${name}`) ?? 'bulk';
  const users = stateOf('users');
  if (users === 'absent') {
    throw new InputError(`${file}: its manifest says that users.csv is absent, so there is nobody in it.`);
  }
  const notes: string[] = [];
  const isPartial = users === 'delta';
  if (isPartial) notes.push('users.csv holds only changes (delta): nobody counts as departed by being absent from it.');
  const deltas = ['enrollments', 'classes', 'orgs', 'roles', 'courses'].filter((name) => stateOf(name) === 'delta');
  for (const name of deltas) {
    notes.push(`${name}.csv holds only changes (delta), from which nobody's groups can be known: it is not joined.`);
  }
  const isWhole = (ways: readonly JoinColumn[]): JoinColumn[] =>
    ways.filter(({ steps }) => steps.every((step) => !deltas.some((name) => step.file === `${name}.csv`)));
  const all = { classes: [classes], courses: [courses], orgs, roles };
  const columns = Object.fromEntries(
    Object.entries(all)
      .map(([name, ways]) => [name, isWhole(ways)] as const)
      .filter(([, ways]) => ways.length > 0),
  );
  const version = manifest.get('oneroster.version');
  return {
    name: version === undefined ? 'OneRoster' : `OneRoster ${version}`,
    spec: { people: [{ file: 'users.csv', columns, leaveOut: { ...gone, enabledUser: ['false'] } }] },
    notes,
    isPartial,
  };
}
