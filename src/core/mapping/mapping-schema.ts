// The schema of how rows become members: fields, groups, filters; and of what may be sent at all.
import { z } from 'zod';
import { Condition, conditions, filters, Members } from './member-schema.ts';
import { wrongRename } from './patterns.ts';
import { anyText, column, count, list, oneOf, separator, text, textUpTo, wordOf } from '../settings/values.ts';

const groupNames = () =>
  z
    .union([text(), list(text(), 'names of groups')], { error: 'must be the name of a group, or a list of them' })
    .meta({ form: 'text, or list of texts', example: 'All staff' });

const takes = ['leaf', 'full', 'every'] as const;

const Group = z
  .strictObject(
    {
      column: column()
        .exactOptional()
        .describe('The column that names groups; `cohort*` means every column whose name begins with `cohort`.'),
      matrix: z
        .union([text(), list(text(), 'columns')], {
          error: 'must be columns, such as "C:F" or [First aid, Forklift]',
        })
        .exactOptional()
        .meta({
          description:
            'Columns that are a group each, named like the column: people with a mark there (`x`, `1`, `yes`, `ja`, `✓`) are in it. ' +
            '`C:F` means columns by the letters of a spreadsheet.',
          form: 'columns',
          example: 'C:F',
        }),
      split: z
        .union([separator(), list(separator(), 'separators')], {
          error: 'must be the text between two groups, such as ";"',
        })
        .exactOptional()
        .meta({
          description: 'The separator between several groups in one cell. Without it a cell names one group.',
          form: 'text, or list of texts',
          example: ';',
        }),
      path: z
        .strictObject({
          separator: separator('/').describe('The separator between two levels.'),
          take: wordOf(takes).describe(
            'Which groups `A/B/C` stands for: `leaf` is C, `full` is A/B/C, `every` is A, A/B and A/B/C.',
          ),
        })
        .exactOptional()
        .meta({
          description: 'Names that are paths, such as Google’s Org Unit Path.',
          form: 'rule',
          example: { separator: '/', take: 'leaf' },
        }),
      prefix: anyText().meta({ example: 'Site ' }).exactOptional().describe('Put in front of each name.'),
      template: text()
        .meta({ example: '{Country} – {Department}' })
        .exactOptional()
        .describe(
          'A text with columns in it, such as `{Country} – {Department}`; a row in which one of them is empty gets no such group.',
        ),
      always: groupNames().exactOptional().describe('A group for everybody, or several.'),
      add: groupNames().exactOptional().describe('A group, or several, for rows that meet `when`.'),
      when: z
        .union([Condition, filters()], {
          error: 'must be a condition like { column: Job Title, contains: manager }',
        })
        .exactOptional()
        .meta({
          description: 'Only for rows that meet this condition, or all conditions of a list.',
          form: 'condition, or list of conditions',
          example: { column: 'Job Title', contains: 'manager' },
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

const someNames = (what: string, example: string[]) =>
  z.array(text(), { error: `must be a list of ${what}` }).meta({ form: `list of ${what}`, example });

const Allow = z
  .strictObject({
    groups: z
      .strictObject({
        only: list(text(), 'groups')
          .meta({ example: ['Sales*', 'All staff'] })
          .exactOptional()
          .describe('The only groups that anybody may be put into; `*` stands for anything.'),
        except: someNames('groups', ['Administrators'])
          .exactOptional()
          .describe('Groups that nobody may be put into, whatever a cell says. Case does not count.'),
        perPerson: count(1, 10_000)
          .meta({ example: 20 })
          .exactOptional()
          .describe('The most groups of one person; a row with more is rejected. Unless set, 100.'),
        total: count(1, 10_000_000)
          .meta({ example: 500 })
          .exactOptional()
          .describe('The most different groups of a roster; one with more is refused. Unless set, 100000.'),
      })
      .exactOptional(),
    emails: z
      .strictObject({
        domains: list(text(), 'domains')
          .meta({ example: ['example.com', '*.example.com'] })
          .exactOptional()
          .describe(
            'The only domains of addresses (`example.com`; `*.example.com` for those below it). A row with another ' +
              'address is rejected, which stops private addresses and shifted columns.',
          ),
      })
      .exactOptional(),
    people: z
      .strictObject({
        except: someNames('addresses', ['ann@example.com', '4711'])
          .exactOptional()
          .describe('People who opted out, by address or employee id; their rows are left out.'),
      })
      .exactOptional(),
    values: list(anyText(), 'texts')
      .meta({ example: ['None'] })
      .exactOptional()
      .describe(
        'Texts to accept although they look like no value or no name: a group called `0`, a person called `None`. Case does not ' +
          'count. All others, such as `n/a`, `-`, `(blank)` and `#REF!`, make no group and no telephone, and as a name they ' +
          'reject the row.',
      ),
  })
  .exactOptional();

const RenamePattern = z
  .strictObject(
    {
      matches: textUpTo(1000).meta({
        description:
          'The pattern that the whole name must match, in RE2 syntax, which takes linear time. Case counts unless it begins with `(?i)`.',
        form: 'pattern',
        example: '(.+)-ACL',
      }),
      to: text()
        .meta({ example: 'ACL $1' })
        .describe(
          'The new name: `$1` is what the first parentheses of the pattern match, `$0` the whole name, `$$` a dollar sign.',
        ),
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
  only: filters()
    .exactOptional()
    .describe(
      'Only rows that meet all of these conditions count; the others are left out, and counted as filtered. People on leave have not left: name both statuses.',
    ),
  except: conditions()
    .exactOptional()
    .meta({
      description: 'Rows to leave out: those that meet any of these conditions.',
      example: [{ column: 'Type', equals: 'Contractor' }],
    }),
  leavers: conditions()
    .exactOptional()
    .meta({
      description:
        'Rows of people who left: those that meet any of these conditions. They enrol nobody; see `departed`.',
      example: [{ column: 'End Date', past: true }],
    }),
  groups: z
    .array(Group, { error: 'must be a list of rules like [{ column: Department }]' })
    .min(1, { error: 'must not be empty; leave it out instead' })
    .exactOptional()
    .meta({
      description:
        'Where groups come from, in the order in which they are sent. Unless set, a column called groups, group or memberOf.',
      form: 'list of rules',
      example: [{ column: 'Department' }],
    }),
  rename: z
    .record(z.string(), text(), { error: 'must be names like { "Prod.": Production }' })
    .exactOptional()
    .meta({
      description: 'The names of groups at the service, by their names in the roster, ignoring case.',
      form: 'names',
      example: { 'Prod.': 'Production' },
    }),
  renamePatterns: z
    .array(RenamePattern, { error: 'must be a list of rules like [{ matches: "(.+)-ACL", to: "ACL $1" }]' })
    .min(1, { error: 'must not be empty; leave it out instead' })
    .exactOptional()
    .meta({
      description:
        'New names of groups by patterns, for names that `rename` does not have. The first that matches counts.',
      form: 'list of rules',
      example: [{ matches: '(.+)-ACL', to: 'ACL $1' }],
    }),
  allow: Allow,
};

/** How the people that events carry are read: as rows of the source, unless something is said here. */
export const EventPeople = z
  .strictObject(mappingParts, { error: 'must be rules like { members: { email: email } }' })
  .pick({ members: true, only: true, except: true, leavers: true, groups: true });
