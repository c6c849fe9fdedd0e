// The schema of conditions: what cells must be for a row to count.
import { z } from 'zod';
import { anyText, choice, column, list, text, wordOf } from '../settings/values.ts';
import { wrongPattern } from './patterns.ts';

/** The text that a cell starts with or contains; an empty text would match every cell. */
const something = () => anyText().refine((value) => value !== '', { error: 'must not be empty; every cell has that' });

const tests = ['equals', 'in', 'startsWith', 'contains', 'matches', 'is', 'empty', 'past'] as const;

export const Condition = z
  .strictObject(
    {
      column: column().meta({ example: 'Status' }).describe('The column to test.'),
      equals: anyText().meta({ example: 'Active' }).exactOptional().describe('Is this text, ignoring case.'),
      in: list(anyText(), 'texts')
        .meta({ example: ['Active', 'On leave'] })
        .exactOptional()
        .describe('Is one of these.'),
      startsWith: something().meta({ example: 'Act' }).exactOptional().describe('Begins with this.'),
      contains: something().meta({ example: 'leave' }).exactOptional().describe('Contains this.'),
      matches: text(1000).exactOptional().meta({
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
          'Is a day before today, or not. An empty cell, `0000-00-00` and `9999-12-31` are no day, so not in the past.',
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
