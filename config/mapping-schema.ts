// The schema of how rows become members: fields, groups, filters.
import { z } from 'zod';
import { nameForms } from '../src/core/mapping/mapping-rules.ts';
import { choice, count, list, scalar, text } from './values.ts';

const columnName = () => text();

const fieldParts = {
  column: columnName().exactOptional().meta({ description: 'The column that gives it.', form: 'column' }),
  columns: list(columnName(), 'columns')
    .exactOptional()
    .meta({ description: 'Several columns; the first that is not empty gives it.', form: 'list of columns' }),
  template: text()
    .exactOptional()
    .meta({ description: 'A text with columns in it, such as `{Prefix} {Last Name}`.', form: 'text' }),
};

const ways = 'must be a column, or one of column:, columns: and template:';

/** Exactly one of the given keys. */
const oneOf =
  <Key extends string>(keys: readonly Key[], message: string) =>
  (value: Partial<Record<Key, unknown>>, context: z.RefinementCtx): void => {
    if (keys.filter((key) => value[key] !== undefined).length !== 1) context.addIssue({ code: 'custom', message });
  };

const field = () =>
  z.union([columnName(), z.strictObject(fieldParts).superRefine(oneOf(['column', 'columns', 'template'], ways))], {
    error: ways,
  });

const no = () => z.literal(false, { error: 'must be a column, or false' });

const country = z
  .string({ error: 'must be text; put it in quotes' })
  .regex(/^[A-Z]{2}$/, { error: 'must be two capital letters of ISO 3166, such as DK' });

const Telephone = z
  .union(
    [
      columnName(),
      no(),
      z
        .strictObject({
          ...fieldParts,
          country: country.exactOptional().meta({
            description:
              'Sends numbers as E.164 (`+4520123456`). A number without a country code belongs to this country; one ' +
              'that is not valid is left out. Without this setting numbers are sent as written.',
            form: 'country',
          }),
        })
        .superRefine((value, context) => {
          const { column, columns, template } = value;
          const given = [column, columns, template].filter((one) => one !== undefined).length;
          if (given > 1) context.addIssue({ code: 'custom', message: ways });
        }),
    ],
    { error: `${ways}, or false` },
  )
  .exactOptional()
  .meta({ description: 'The telephone; `false` leaves it out.', form: 'column, rule, or false' });

const Members = z.strictObject({
  firstname: field().exactOptional().meta({ description: 'The first name.', form: 'column or rule' }),
  lastname: field().exactOptional().meta({ description: 'The last name.', form: 'column or rule' }),
  email: field().exactOptional().meta({
    description:
      'The work address. Columns of private, home, second, recovery or managers’ addresses are used only if you name them.',
    form: 'column or rule',
  }),
  telephone: Telephone,
  fullname: z
    .strictObject({
      column: columnName().meta({ description: 'The column of whole names.', form: 'column' }),
      form: z
        .enum(nameForms, { error: `must be one of ${nameForms.join(' | ')}` })
        .exactOptional()
        .meta({
          description:
            `How names are written in it: \`${nameForms.join('`, `')}\`. With \`M\`, a middle initial is left out. Unless ` +
            'set, `Last, First` if a cell has a comma; else `Last First` if the heading says so (ФИО, Név, 氏名), else `First Last`.',
          form: 'name form',
        }),
    })
    .exactOptional()
    .meta({ description: 'First and last name in one column. Names are split only with this setting.', form: 'rule' }),
  employeeId: z
    .union([field(), no()], { error: `${ways}, or false` })
    .exactOptional()
    .meta({
      description:
        'The id at the employer. It distinguishes people with the same name, and a person from a successor with the same address.',
      form: 'column, rule, or false',
    }),
  startDate: z
    .union(
      [
        columnName(),
        z.strictObject({
          column: columnName().meta({ description: 'The column of days.', form: 'column' }),
          order: z.enum(['dmy', 'mdy'], { error: 'must be dmy or mdy' }).exactOptional().meta({
            description: 'Which of `03/04/2026` is the day; unless set, such a day rejects the row.',
            form: '`dmy` or `mdy`',
          }),
        }),
      ],
      { error: 'must be a column, or { column: Start Date, order: dmy }' },
    )
    .exactOptional()
    .meta({
      description:
        'The first day of work. Before it, nothing is sent to people who were given nothing yet: they are `later`. An empty cell means at once.',
      form: 'column or rule',
    }),
});

/** The text that a cell starts with or contains; an empty text would match every cell. */
const something = () => scalar().refine((value) => value !== '', { error: 'must not be empty; every cell has that' });

const tests = ['equals', 'in', 'startsWith', 'contains', 'matches', 'is', 'empty', 'past'] as const;

const Condition = z
  .strictObject(
    {
      column: columnName().meta({ description: 'The column to test.', form: 'column' }),
      equals: scalar().exactOptional().meta({ description: 'Is this text, ignoring case.', form: 'text' }),
      in: list(scalar(), 'texts').exactOptional().meta({ description: 'Is one of these.', form: 'list of texts' }),
      startsWith: something().exactOptional().meta({ description: 'Begins with this.', form: 'text' }),
      contains: something().exactOptional().meta({ description: 'Contains this.', form: 'text' }),
      matches: text(1000).exactOptional().meta({
        description:
          'Matches this pattern in RE2 syntax, which takes linear time. Case counts unless it begins with `(?i)`.',
        form: 'pattern',
      }),
      is: choice().exactOptional().meta({
        description:
          'Is yes or no, in any known word: `TRUE`, `1`, `Y`, `ja`. An empty cell is no; another word rejects the row.',
        form: 'true or false',
      }),
      empty: choice().exactOptional().meta({ description: 'Is empty, or not.', form: 'true or false' }),
      past: choice().exactOptional().meta({
        description:
          'Is a day before today, or not. An empty cell, `0000-00-00` and `9999-12-31` are no day, so not in the past.',
        form: 'true or false',
      }),
      order: z.enum(['dmy', 'mdy'], { error: 'must be dmy or mdy' }).exactOptional().meta({
        description: 'Which of `03/04/2026` is the day.',
        form: '`dmy` or `mdy`',
      }),
    },
    { error: 'must be a condition like { column: Status, in: [Active] }' },
  )
  .superRefine((value, context) => {
    if (tests.some((test) => value[test] !== undefined)) return;
    context.addIssue({ code: 'custom', message: `must have one of ${tests.join(', ')}` });
  });

const conditions = () =>
  z.array(Condition, { error: 'must be a list of conditions like [{ column: Status, in: [Active] }]' });

/** Conditions that select people; an empty list would select everybody. */
const filters = () =>
  conditions().min(1, { error: 'must not be empty, which would take everybody; leave it out instead' });

const groupNames = () =>
  z.union([text(), list(text(), 'names of groups')], { error: 'must be the name of a group, or a list of them' });

const takes = ['leaf', 'full', 'every'] as const;

const Group = z
  .strictObject(
    {
      column: columnName().exactOptional().meta({
        description: 'The column that names groups; `cohort*` means every column whose name begins with `cohort`.',
        form: 'column',
      }),
      matrix: z
        .union([columnName(), list(columnName(), 'columns')], {
          error: 'must be columns, such as "C:F" or [First aid, Forklift]',
        })
        .exactOptional()
        .meta({
          description:
            'Columns that are a group each, named like the column: people with a mark there (`x`, `1`, `yes`, `ja`, `✓`) are in it. ' +
            '`C:F` means columns by the letters of a spreadsheet.',
          form: 'columns',
        }),
      split: z
        .union([separator(), list(separator(), 'separators')], {
          error: 'must be the text between two groups, such as ";"',
        })
        .exactOptional()
        .meta({
          description: 'The separator between several groups in one cell. Without it a cell names one group.',
          form: 'text, or list of texts',
        }),
      path: z
        .strictObject({
          separator: separator().meta({ description: 'The separator between two levels.', form: 'text' }),
          take: z.enum(takes, { error: `must be one of ${takes.join(', ')}` }).meta({
            description: 'Which groups `A/B/C` stands for: `leaf` is C, `full` is A/B/C, `every` is A, A/B and A/B/C.',
            form: '`leaf`, `full` or `every`',
          }),
        })
        .exactOptional()
        .meta({ description: 'Names that are paths, such as Google’s Org Unit Path.', form: 'rule' }),
      prefix: z
        .string({ error: 'must be text; put it in quotes' })
        .exactOptional()
        .meta({ description: 'Put in front of each name.', form: 'text' }),
      template: text().exactOptional().meta({
        description:
          'A text with columns in it, such as `{Country} – {Department}`; a row in which one of them is empty gets no such group.',
        form: 'text',
      }),
      always: groupNames()
        .exactOptional()
        .meta({ description: 'A group for everybody, or several.', form: 'text, or list of texts' }),
      add: groupNames()
        .exactOptional()
        .meta({ description: 'A group, or several, for rows that meet `when`.', form: 'text, or list of texts' }),
      when: z
        .union([Condition, filters()], {
          error: 'must be a condition like { column: Job Title, contains: manager }',
        })
        .exactOptional()
        .meta({
          description: 'Only for rows that meet this condition, or all conditions of a list.',
          form: 'condition, or list of conditions',
        }),
    },
    { error: 'must be a rule like { column: Department }' },
  )
  .superRefine((value, context) => {
    oneOf(
      ['column', 'matrix', 'template', 'always', 'add'],
      'must have exactly one of column, matrix, template, always and add',
    )(value, context);
    if (value.add !== undefined && value.when === undefined) {
      context.addIssue({ code: 'custom', message: 'needs when: for add:; for everybody, use always:' });
    }
    const ofColumn = (['split', 'path', 'prefix'] as const).filter((key) => value[key] !== undefined);
    if (value.column === undefined && ofColumn.length > 0) {
      context.addIssue({ code: 'custom', message: `${ofColumn.join(' and ')} can be set only together with column` });
    }
  });

function separator() {
  return z.string({ error: 'must be text; put it in quotes' }).min(1, { error: 'must not be empty' });
}

const names = (what: string) => list(text(), what);
const someNames = (what: string) => z.array(text(), { error: `must be a list of ${what}` });

const Allow = z
  .strictObject({
    groups: z
      .strictObject({
        only: names('groups').exactOptional().meta({
          description: 'The only groups that anybody may be put into; `*` stands for anything.',
          form: 'list of texts',
        }),
        except: someNames('groups').exactOptional().meta({
          description: 'Groups that nobody may be put into, whatever a cell says. Case does not count.',
          form: 'list of texts',
        }),
        perPerson: count(1, 10_000).exactOptional().meta({
          description: 'The most groups of one person; a row with more is rejected. Unless set, 100.',
          form: 'whole number',
        }),
        total: count(1, 10_000_000).exactOptional().meta({
          description: 'The most different groups of a roster; one with more is refused. Unless set, 100000.',
          form: 'whole number',
        }),
      })
      .exactOptional(),
    emails: z
      .strictObject({
        domains: names('domains')
          .exactOptional()
          .meta({
            description:
              'The only domains of addresses (`example.com`; `*.example.com` for those below it). A row with another ' +
              'address is rejected, which stops private addresses and shifted columns.',
            form: 'list of texts',
          }),
      })
      .exactOptional(),
    people: z
      .strictObject({
        except: someNames('addresses').exactOptional().meta({
          description: 'People who opted out, by address or employee id; their rows are left out.',
          form: 'list of texts',
        }),
      })
      .exactOptional(),
    values: list(scalar(), 'texts')
      .exactOptional()
      .meta({
        description:
          'Texts to accept although they look like no value or no name: a group called `0`, a person called `None`. Case does not ' +
          'count. All others, such as `n/a`, `-`, `(blank)` and `#REF!`, make no group and no telephone, and as a name they ' +
          'reject the row.',
        form: 'list of texts',
      }),
  })
  .exactOptional();

/** Keys of a source that say how its rows become members: what `MappingRules` says, as the config writes it. */
export const mappingParts = {
  members: Members.exactOptional(),
  only: filters().exactOptional().meta({
    description:
      'Only rows that meet all of these conditions count; the others are left out, and counted as filtered. People on leave have not left: name both statuses.',
    form: 'list of conditions',
  }),
  except: conditions().exactOptional().meta({
    description: 'Rows to leave out: those that meet any of these conditions.',
    form: 'list of conditions',
  }),
  leavers: conditions().exactOptional().meta({
    description:
      'Rows of people who left: those that meet any of these conditions, such as `{ column: End Date, past: true }`. They enrol nobody; see `departed`.',
    form: 'list of conditions',
  }),
  groups: z
    .array(Group, { error: 'must be a list of rules like [{ column: Department }]' })
    .min(1, { error: 'must not be empty; leave it out instead' })
    .exactOptional()
    .meta({
      description:
        'Where groups come from, in the order in which they are sent. Unless set, a column called groups, group or memberOf.',
      form: 'list of rules',
    }),
  rename: z.record(z.string(), text(), { error: 'must be names like { "Prod.": Production }' }).exactOptional().meta({
    description: 'The names of groups at the service, by their names in the roster, ignoring case.',
    form: 'names',
  }),
  allow: Allow,
};

/** How the people that events carry are read: as rows of the source, unless something is said here. */
export const EventPeople = z.strictObject(
  {
    members: mappingParts.members,
    only: mappingParts.only,
    except: mappingParts.except,
    leavers: mappingParts.leavers,
    groups: mappingParts.groups,
  },
  { error: 'must be rules like { members: { email: email } }' },
);
