// The schema of where groups come from.
import { z } from 'zod';
import { Condition, filters } from './condition-schema.ts';
import { anyText, column, list, oneOf, separator, text, wordOf } from './values.ts';

const groupNames = () =>
  z
    .union([text(), list(text(), 'names of groups')], { error: 'must be the name of a group, or a list of them' })
    .meta({ form: 'text, or list of texts' });

const takes = ['leaf', 'full', 'every'] as const;

export const Group = z
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
          separator: separator().describe('The separator between two levels.'),
          take: wordOf(takes).describe(
            'Which groups `A/B/C` stands for: `leaf` is C, `full` is A/B/C, `every` is A, A/B and A/B/C.',
          ),
        })
        .exactOptional()
        .meta({ description: 'Names that are paths, such as Google’s Org Unit Path.', form: 'rule' }),
      prefix: anyText().exactOptional().describe('Put in front of each name.'),
      template: text()
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
