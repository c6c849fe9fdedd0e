// The schemas of how rows become members: conditions, fields, groups, filters; and of what may be sent at all.
import { z } from 'zod';
import { anyText, choice, column, list, text, textUpTo, wordOf, oneOf, count, separator } from '../settings/values.ts';
import { wrongPattern, wrongRename } from './patterns.ts';

/** The text that a cell starts with or contains; an empty text would match every cell. */
/** The most characters before each name of a group. */
const longestPrefix = 200;

const something = () => anyText().refine((value) => value !== '', { error: 'must not be empty; every cell has that' });

const tests = ['equals', 'in', 'startsWith', 'contains', 'matches', 'is', 'empty', 'past'] as const;

const Condition = z
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

const conditions = () =>
  z.array(Condition, { error: 'must be a list of conditions like [{ column: Status, in: [Active] }]' });

/** Conditions that select people; an empty list would select everybody. */
const filters = () =>
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

const Members = z.strictObject({
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

const groupNames = () =>
  z.union([text(), list(text(), 'names of groups')], { error: 'must be the name of a group, or a list of them' });

const takes = ['leaf', 'full', 'every'] as const;

const Group = z
  .strictObject(
    {
      column: column().exactOptional(),
      matrix: z
        .union([text(), list(text(), 'columns')], {
          error: 'must be columns, such as "C:F" or [First aid, Forklift]',
        })
        .exactOptional(),
      split: z
        .union([separator(), list(separator(), 'separators')], {
          error: 'must be the text between two groups, such as ";"',
        })
        .exactOptional(),
      path: z
        .strictObject({
          separator: separator(),
          take: wordOf(takes),
        })
        .exactOptional(),
      prefix: anyText().max(longestPrefix).exactOptional(),
      template: text().exactOptional(),
      always: groupNames().exactOptional(),
      add: groupNames().exactOptional(),
      when: z
        .union([Condition, filters()], {
          error: 'must be a condition like { column: Job Title, contains: manager }',
        })
        .exactOptional(),
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

const someNames = (what: string) =>
  z.array(text(), { error: `must be a list of ${what}` }).meta({ form: `list of ${what}` });

const Allow = z
  .strictObject({
    groups: z
      .strictObject({
        only: list(text(), 'groups').exactOptional(),
        except: someNames('groups').exactOptional(),
        perPerson: count(1, 10_000).exactOptional(),
        total: count(1, 10_000_000).exactOptional(),
      })
      .exactOptional(),
    emails: z
      .strictObject({
        domains: list(text(), 'domains').exactOptional(),
      })
      .exactOptional(),
    people: z
      .strictObject({
        except: someNames('addresses').exactOptional(),
      })
      .exactOptional(),
    values: list(anyText(), 'texts').exactOptional(),
  })
  .exactOptional();

const RenamePattern = z
  .strictObject(
    {
      matches: textUpTo(1000),
      to: text(),
    },
    { error: 'must be a rule like { matches: "(.+)-ACL", to: "ACL $1" }' },
  )
  .superRefine((rule, context) => {
    const message = wrongRename(rule);
    if (message !== undefined) context.addIssue({ code: 'custom', message: `is wrong: ${message}` });
  });

/** Keys of a source that say how its rows become members: what `MappingRules` says, as the config writes it. */
export const mappingParts = {
  members: Members.exactOptional(),
  only: filters().exactOptional(),
  except: conditions().exactOptional(),
  leavers: conditions().exactOptional(),
  groups: z
    .array(Group, { error: 'must be a list of rules like [{ column: Department }]' })
    .min(1, { error: 'must not be empty; leave it out instead' })
    .exactOptional(),
  rename: z.record(z.string(), text(), { error: 'must be names like { "Prod.": Production }' }).exactOptional(),
  renamePatterns: z
    .array(RenamePattern, { error: 'must be a list of rules like [{ matches: "(.+)-ACL", to: "ACL $1" }]' })
    .min(1, { error: 'must not be empty; leave it out instead' })
    .exactOptional(),
  allow: Allow,
};

/** How the people that events carry are read: as rows of the source, unless something is said here. */
export const EventPeople = z
  .strictObject(mappingParts, { error: 'must be rules like { members: { email: email } }' })
  .pick({ members: true, only: true, except: true, leavers: true, groups: true });
