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
      column: column(),
      equals: anyText().exactOptional(),
      in: list(anyText(), 'texts').exactOptional(),
      startsWith: something().exactOptional(),
      contains: something().exactOptional(),
      matches: textUpTo(1000).exactOptional(),
      is: choice().exactOptional(),
      empty: choice().exactOptional(),
      past: choice().exactOptional(),
      order: wordOf(['dmy', 'mdy']).exactOptional(),
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
  z.array(Condition, { error: 'must be a list of conditions like [{ column: Status, in: [Active] }]' });

/** Conditions that select people; an empty list would select everybody. */
export const filters = () =>
  conditions().min(1, { error: 'must not be empty, which would take everybody; leave it out instead' });

/** How people write a whole name in one cell. A middle initial (`M`) is left out where the form names it. */
const nameForms = ['Last, First', 'Last, First M', 'First Last', 'First M Last', 'Last First'] as const;

const fieldParts = () => ({
  column: column().exactOptional(),
  columns: list(text(), 'columns').exactOptional(),
  template: text().exactOptional(),
});

const ways = 'must be a column, or one of column:, columns: and template:';

const field = () =>
  z.union([text(), z.strictObject(fieldParts()).superRefine(oneOf(['column', 'columns', 'template'], ways))], {
    error: ways,
  });

const no = () => z.literal(false, { error: 'must be a column, or false' });

const country = anyText().regex(/^[A-Z]{2}$/, { error: 'must be two capital letters of ISO 3166, such as DK' });

const Telephone = z
  .union(
    [
      text(),
      no(),
      z
        .strictObject({
          ...fieldParts(),
          country: country.exactOptional(),
        })
        .superRefine((value, context) => {
          const { column, columns, template } = value;
          const given = [column, columns, template].filter((one) => one !== undefined).length;
          if (given > 1) context.addIssue({ code: 'custom', message: ways });
        }),
    ],
    { error: `${ways}, or false` },
  )
  .exactOptional();

export const Members = z.strictObject({
  firstname: field().exactOptional(),
  lastname: field().exactOptional(),
  email: field().exactOptional(),
  telephone: Telephone,
  fullname: z
    .strictObject({
      column: column(),
      form: z
        .enum(nameForms, { error: `must be one of ${nameForms.join(' | ')}` })
        .exactOptional()
        .meta({
          description:
            `How names are written in it: \`${nameForms.join('`, `')}\`. With \`M\`, a middle initial is left out. Unless ` +
            'set, `Last, First` if a cell has a comma; else `Last First` if the heading says so (ФИО, Név, 氏名), else `First Last`.',
        }),
    })
    .exactOptional(),
  employeeId: z.union([field(), no()], { error: `${ways}, or false` }).exactOptional(),
  startDate: z
    .union(
      [
        text(),
        z.strictObject({
          column: column(),
          order: wordOf(['dmy', 'mdy']).exactOptional(),
        }),
      ],
      { error: 'must be a column, or { column: Start Date, order: dmy }' },
    )
    .exactOptional(),
});
