// The schema of how a source is read where detection is overridden, and of the known bundles in `src/data/bundles`.
import { z } from 'zod';
import { anyText, choice, column, count, list, separator, size, text, wordOf } from '../core/settings/values.ts';
import { rosterFormats } from '../core/rows/row.ts';

/** More than any machine has. */
const most = Number.MAX_SAFE_INTEGER;

const limit = () => count(1, most).exactOptional();

const Limits = z
  .strictObject({
    bytes: size().exactOptional(),
    unpacked: size().exactOptional(),
    record: limit(),
    columns: limit(),
    depth: limit(),
    files: limit(),
    texts: limit(),
    joined: limit(),
  })
  .exactOptional();

/** Names of columns, each with values that it may hold. */
const valuesByColumn = () =>
  z
    .record(z.string(), list(anyText(), 'values'), { error: 'must be columns with values, like { status: [active] }' })
    .refine((columns) => Object.keys(columns).length > 0, { error: 'must not be empty; leave it out instead' })
    .exactOptional();

const Current = z
  .strictObject(
    {
      start: column().exactOptional(),
      end: column().exactOptional(),
      order: wordOf(['dmy', 'mdy']).exactOptional(),
      else: wordOf(['newest']).exactOptional(),
    },
    { error: 'must be settings like { start: Start Date, end: End Date }' },
  )
  .refine(({ start, end }) => start !== undefined || end !== undefined, { error: 'must name start or end, or both' })
  .refine((current) => current.else === undefined || current.start !== undefined, {
    error: 'must name start, by which the newest is found',
  })
  .exactOptional();

const Step = z.strictObject({
  file: text(),
  where: column(),
  take: column(),
  only: valuesByColumn(),
  except: valuesByColumn(),
  current: Current,
});

const Way = z.strictObject({
  from: column(),
  split: separator().exactOptional(),
  steps: list(Step, 'steps like { file: enrollments.csv, where: userId, take: classId }'),
});

const People = z.strictObject({
  file: text(),
  columns: z.record(z.string(), list(Way, 'ways like { from: id, steps: [...] }'), {
    error: 'must be new columns, each with its ways',
  }),
  set: z.record(z.string(), anyText()).exactOptional(),
  leaveOut: valuesByColumn(),
});

const Form = z.strictObject({
  format: wordOf(rosterFormats).exactOptional(),
  encoding: text().exactOptional(),
  delimiter: separator().exactOptional(),
  headerLine: count(1, most).exactOptional(),
  sheet: text().exactOptional(),
  allSheets: choice().exactOptional(),
  records: z.string().exactOptional(),
  join: z
    .strictObject({
      people: list(People, 'files of people'),
    })
    .exactOptional(),
});
const Read = Form.extend({ limits: Limits }).exactOptional();

/** How a source is read if it is not to be detected: what `OpenOptions` of the readers says. */
export const readParts = { read: Read };
/** The same of a file that anybody brings, who may not raise the limits of `serve`. */
export const uploadReadParts = { read: Form.exactOptional() };
export type ReadSettings = NonNullable<z.output<typeof Read>>;

const files = () => list(text(), 'files');

const Known = z.strictObject({
  columns: list(column(), 'columns').describe('Columns that the first file of people must have.'),
  files: files().exactOptional().describe('Files of which one must be there.'),
  without: files().exactOptional().describe('Files that must not be there.'),
});

const BundlePeople = People.extend({
  columns: z
    .record(z.string(), list(Way.extend({ steps: z.array(Step) }), 'ways'))
    .describe(
      'New columns, each with the ways that lead to its values; without a step, those of the person’s own row.',
    ),
  addresses: z
    .strictObject({ column: column(), from: column() })
    .exactOptional()
    .describe(
      'The column of e-mail addresses, which is added where it is missing, and one that gives the address where it is empty.',
    ),
});

export const Bundle = z.strictObject({
  name: text().describe('What people call it.'),
  known: list(Known, 'signs').describe('By what it is recognised: one of these.'),
  manifest: text()
    .exactOptional()
    .describe('The file that says about the others whether they are whole, as that of OneRoster.'),
  people: list(BundlePeople, 'files of people').describe('Files of people; those behind the first may be missing.'),
});
export type Bundle = z.output<typeof Bundle>;
