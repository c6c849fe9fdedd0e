// The schemas of conditions on cells, and of which column gives which field of a member.
import { z } from 'zod';
import { anyText, choice, column, list, text, textUpTo, wordOf, oneOf } from '../settings/values.ts';
import { wrongPattern } from './patterns.ts';

/** The text that a cell starts with or contains; an empty text would match every cell. */
const something = () => anyText().refine((value) => value !== '', { error: 'must not be empty; every cell has that' });

const tests = ['equals', 'in', 'startsWith', 'contains', 'matches', 'is', 'empty', 'past'] as const;

export const Condition = z
  .strictObject(
    {
      column: column('Status').describe('The column to test.'),
      equals: anyText().meta({ example: 'Active' }).exactOptional().describe('Is this text, ignoring case.'),
      in: list(anyText(), 'texts')
        .meta({ example: ['Active', 'On leave'] })
        .exactOptional()
        .describe('Is one of these.'),
      startsWith: something().meta({ example: 'Act' }).exactOptional().describe('Begins with this.'),
      contains: something().meta({ example: 'leave' }).exactOptional().describe('Contains this.'),
      matches: textUpTo(1000).exactOptional().meta({
        description:
          'Matches this pattern in RE2 syntax, which takes linear time. Case counts unless it begins with `(?i)`.',
        form: 'pattern',
        example: '(?i)^act',
      }),
      is: choice()
        .exactOptional()
        .describe(
          'Is yes or no, in any known word: `TRUE`, `1`, `Y`, `ja`. An empty cell is no; another word rejects the row.',
        ),
      empty: choice().exactOptional().describe('Is empty, or not.'),
      past: choice()
        .exactOptional()
        .describe(
          'Is a day before today, or not. An empty cell, `0000-00-00`, `9999-12-31`, `NULL` and words such as `permanent` are no day, so not in the past.',
        ),
      order: wordOf(['dmy', 'mdy']).exactOptional().describe('Which of `03/04/2026` is the day.'),
    },
    { error: 'must be a condition like { column: Status, in: [Active] }' },
  )
  .superRefine((value, context) => {
    const wrong = value.matches === undefined ? undefined : wrongPattern(value.matches);
    if (wrong !== undefined) context.addIssue({ code: 'custom', message: `is wrong: ${wrong}` });
    if (tests.some((test) => value[test] !== undefined)) return;
    context.addIssue({ code: 'custom', message: `must have one of ${tests.join(', ')}` });
  });

export const conditions = () =>
  z
    .array(Condition, { error: 'must be a list of conditions like [{ column: Status, in: [Active] }]' })
    .meta({ form: 'list of conditions', example: [{ column: 'Status', in: ['Active'] }] });

/** Conditions that select people; an empty list would select everybody. */
export const filters = () =>
  conditions().min(1, { error: 'must not be empty, which would take everybody; leave it out instead' });

/** How people write a whole name in one cell. A middle initial (`M`) is left out where the form names it. */
const nameForms = ['Last, First', 'Last, First M', 'First Last', 'First M Last', 'Last First'] as const;

/** A field by its columns: `usual` is what such a column is often called, and another of them. */
const fieldParts = (usual: readonly [string, string], template: string) => ({
  column: column().exactOptional().meta({ description: 'The column that gives it.', example: usual[0] }),
  columns: list(text(), 'columns')
    .exactOptional()
    .meta({ description: 'Several columns; the first that is not empty gives it.', example: usual }),
  template: text().exactOptional().meta({ description: 'A text with columns in it.', example: template }),
});

const ways = 'must be a column, or one of column:, columns: and template:';

const field = (usual: readonly [string, string], template: string) =>
  z
    .union(
      [text(), z.strictObject(fieldParts(usual, template)).superRefine(oneOf(['column', 'columns', 'template'], ways))],
      { error: ways },
    )
    .meta({ form: 'column or rule', example: usual[0] });

const no = () => z.literal(false, { error: 'must be a column, or false' });

const country = anyText().regex(/^[A-Z]{2}$/, { error: 'must be two capital letters of ISO 3166, such as DK' });

const Telephone = z
  .union(
    [
      text(),
      no(),
      z
        .strictObject({
          ...fieldParts(['Work Phone', 'Mobile'], '+{Country Code} {Phone}'),
          country: country.exactOptional().meta({
            description:
              'Sends numbers as E.164 (`+4520123456`). A number without a country code belongs to this country; one ' +
              'that is not valid is left out. Without this setting numbers are sent as written.',
            form: 'country',
            example: 'DK',
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
  .meta({
    description: 'The telephone; `false` leaves it out.',
    form: 'column, rule, or false',
    example: 'Work Phone',
  });

export const Members = z.strictObject({
  firstname: field(['First Name', 'Given Name'], '{First Name} {Middle Name}')
    .exactOptional()
    .describe('The first name.'),
  lastname: field(['Last Name', 'Surname'], '{Prefix} {Last Name}').exactOptional().describe('The last name.'),
  email: field(['Work Email', 'Email'], '{User Name}@example.com')
    .exactOptional()
    .describe(
      'The work address. Columns of private, home, second, recovery or managers’ addresses are used only if you name them.',
    ),
  telephone: Telephone,
  fullname: z
    .strictObject({
      column: column('Employee Name').describe('The column of whole names.'),
      form: z
        .enum(nameForms, { error: `must be one of ${nameForms.join(' | ')}` })
        .exactOptional()
        .meta({
          description:
            `How names are written in it: \`${nameForms.join('`, `')}\`. With \`M\`, a middle initial is left out. Unless ` +
            'set, `Last, First` if a cell has a comma; else `Last First` if the heading says so (ФИО, Név, 氏名), else `First Last`.',
          form: 'name form',
          example: 'Last, First',
        }),
    })
    .exactOptional()
    .meta({
      description: 'First and last name in one column. Names are split only with this setting.',
      form: 'rule',
      example: { column: 'Employee Name', form: 'Last, First' },
    }),
  employeeId: z
    .union([field(['Employee ID', 'Person Number'], '{Company}-{Employee ID}'), no()], { error: `${ways}, or false` })
    .exactOptional()
    .meta({
      description:
        'The id at the employer. It distinguishes people with the same name, and a person from a successor with the same address.',
      form: 'column, rule, or false',
      example: 'Employee ID',
    }),
  startDate: z
    .union(
      [
        text(),
        z.strictObject({
          column: column('Start Date').describe('The column of days.'),
          order: wordOf(['dmy', 'mdy'])
            .exactOptional()
            .describe('Which of `03/04/2026` is the day; unless set, such a day rejects the row.'),
        }),
      ],
      { error: 'must be a column, or { column: Start Date, order: dmy }' },
    )
    .exactOptional()
    .meta({
      description:
        'The first day of work. Before it, nothing is sent to people who were given nothing yet: they are `later`. An empty cell means at once.',
      form: 'column or rule',
      example: 'Start Date',
    }),
});
