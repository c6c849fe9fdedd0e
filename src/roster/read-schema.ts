// The schema of how a source is read where detection is overridden, and of the known bundles in `src/data/bundles`.
import { z } from 'zod';
import { anyText, choice, column, count, list, separator, size, text, wordOf } from '../core/settings/values.ts';
import { rosterFormats } from '../core/rows/row.ts';

/** More than any machine has. */
const most = Number.MAX_SAFE_INTEGER;

const limit = (example: number, description: string) => count(1, most).exactOptional().meta({ description, example });

const Limits = z
  .strictObject({
    bytes: size().exactOptional().describe('The largest size of a file or an answer. Unless set, 8 GiB.'),
    unpacked: size()
      .exactOptional()
      .describe('The largest unpacked size of an archive or a workbook. Unless set, 4 GiB.'),
    record: limit(4_000_000, 'The most characters of one row or record. Unless set, 1 Mi.'),
    columns: limit(50_000, 'The most columns. Unless set, 16384.'),
    depth: limit(100, 'The deepest nesting of JSON. Unless set, 64.'),
    files: limit(5000, 'The most files of an archive or a folder. Unless set, 1000.'),
    texts: limit(
      500_000_000,
      'The most characters of the texts that a workbook keeps apart from its cells, in memory. Unless set, 128 Mi.',
    ),
    joined: limit(
      20_000_000,
      'The most values of the files that are joined to the people, in memory. Unless set, 5 million.',
    ),
  })
  .exactOptional();

/** Names of columns, each with values that it may hold. */
const valuesByColumn = (description: string) =>
  z
    .record(z.string(), list(anyText(), 'values'), { error: 'must be columns with values, like { status: [active] }' })
    .meta({ example: { status: ['active'] } })
    .refine((columns) => Object.keys(columns).length > 0, { error: 'must not be empty; leave it out instead' })
    .exactOptional()
    .meta({ description, form: 'lists of texts by column' });

const Current = z
  .strictObject(
    {
      start: column('Start Date')
        .exactOptional()
        .describe('Its column of the first day. Without it, or if it is empty, the row is valid from any day on.'),
      end: column('End Date')
        .exactOptional()
        .describe('Its column of the last day, included. Without it, or if it is empty, the row has no end.'),
      order: wordOf(['dmy', 'mdy']).exactOptional().describe('How a day such as `03/04/2026` is meant.'),
      else: wordOf(['newest'])
        .exactOptional()
        .describe(
          'If no row of a person is valid today, the one with the newest start counts. Unless set, none counts.',
        ),
    },
    { error: 'must be settings like { start: Start Date, end: End Date }' },
  )
  .refine(({ start, end }) => start !== undefined || end !== undefined, { error: 'must name start or end, or both' })
  .refine((current) => current.else === undefined || current.start !== undefined, {
    error: 'must name start, by which the newest is found',
  })
  .exactOptional()
  .meta({
    description: 'Only rows that are valid today count, such as the current contract.',
    form: 'columns of days',
    example: { start: 'Start Date', end: 'End Date' },
  });

const exampleStep = { file: 'enrollments.csv', where: 'userId', take: 'classId' };
const exampleWay = { from: 'id', steps: [exampleStep] };
const examplePeople = { file: 'users.csv', columns: { groups: [exampleWay] } };

const Step = z.strictObject({
  file: text('enrollments.csv').describe('A file of the folder or archive.'),
  where: column('userId').describe('Its column that is compared.'),
  take: column('classId').describe('Its column whose value is taken.'),
  only: valuesByColumn('Only rows in which these columns hold one of these values count.'),
  except: valuesByColumn('Rows in which these columns hold one of these values do not count.'),
  current: Current,
});

const Way = z.strictObject({
  from: column('id').describe('The column of the person’s row to begin with.'),
  split: separator().exactOptional().describe('The separator between several values in it.'),
  steps: list(Step, 'steps like { file: enrollments.csv, where: userId, take: classId }').meta({
    description: 'The files to follow, one after the other.',
    form: 'list of steps',
    example: [exampleStep],
  }),
});

const People = z.strictObject({
  file: text('users.csv').describe('The file with a row for each person.'),
  columns: z
    .record(z.string(), list(Way, 'ways like { from: id, steps: [...] }'), {
      error: 'must be new columns, each with its ways',
    })
    .meta({
      description: 'New columns, each with the ways that lead to its values, which are joined by `;`.',
      form: 'ways by column',
      example: { groups: [exampleWay] },
    }),
  set: z
    .record(z.string(), anyText())
    .exactOptional()
    .meta({
      description: 'Columns that hold the same for everybody in the file.',
      form: 'texts by column',
      example: { role: 'student' },
    }),
  leaveOut: valuesByColumn('Rows that the file itself marks as not to be enrolled.'),
});

const Read = z
  .strictObject({
    format: wordOf(rosterFormats).exactOptional().describe('The format. Unless set, it is detected from the content.'),
    encoding: text('windows-1250')
      .exactOptional()
      .describe(
        'How text is encoded: utf-8, utf-16le, utf-16be, or another encoding (windows-1250, iso-8859-2, koi8-r, macintosh, cp850, shift_jis, gb18030 …). Unless set, it is detected, but for those with several bytes for a character.',
      ),
    delimiter: separator()
      .exactOptional()
      .describe(
        'The separator between two columns: one character, or comma, semicolon, tab, pipe. Unless set, it is detected.',
      ),
    headerLine: count(1, most, 3)
      .exactOptional()
      .describe('The line with the names of the columns; in a workbook, the row. Unless set, it is detected.'),
    sheet: text('Staff')
      .exactOptional()
      .describe('The sheet of a workbook. Unless set, the one whose header names a person.'),
    allSheets: choice()
      .exactOptional()
      .describe('Reads all sheets of a workbook that have the same columns, with the column `_sheet`.'),
    records: z.string().exactOptional().meta({
      description:
        'The JSON pointer of the list of people, `/data/people`; empty for the document itself. Unless set, it is detected.',
      form: 'JSON pointer',
      example: '/data/people',
    }),
    join: z
      .strictObject({
        people: list(People, 'files of people').meta({
          description: 'Files of people.',
          form: 'list of files',
          example: [examplePeople],
        }),
      })
      .exactOptional()
      .meta({
        description: 'How the files of a folder or archive belong together, unless it is a known bundle.',
        form: 'joins',
        example: { people: [examplePeople] },
      }),
    limits: Limits,
  })
  .exactOptional();

/** How a source is read if it is not to be detected: what `OpenOptions` of the readers says. */
export const readParts = { read: Read };
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
