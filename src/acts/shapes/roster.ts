// The schemas of the JSON about rosters and sources: inspect, init, resolve, sources, schedules, left-behind.
import { z } from 'zod';
import { rosterFormats } from '../../core/rows/row.ts';
import { count, each, time, timeOrNull } from './parts.ts';

const text = z.string();
const texts = z.array(z.string());
const Tally = z.object({ what: text, count, file: text, line: z.int() });

export const InspectDocument = z
  .object({
    source: text,
    form: z.object({
      file: text,
      format: z.enum(rosterFormats),
      encoding: text,
      readAs: texts.optional(),
      bom: z.boolean().optional().describe('Whether the file begins with a byte order mark.'),
      delimiter: text,
      header: texts,
      newline: z.enum(['\n', '\r\n', '\r']),
      headerLine: z.int(),
      part: text.optional().describe('What of the file was read, such as the sheet of a workbook.'),
      isUnended: z.boolean().optional().describe('Whether the last line has no line end.'),
      isPartial: z.boolean().optional().describe('Whether the file says that it holds only changes.'),
      notes: texts,
    }),
    sizeBytes: count,
    rows: count,
    columns: z.array(
      z.object({
        name: text,
        filled: count.describe('Rows in which it is not empty.'),
        examples: texts.describe('Masked if they may tell who somebody is.'),
        uses: texts.describe('What it becomes, such as firstname or groups.'),
      }),
    ),
    fields: z.array(z.object({ field: text, column: text, why: text })),
    census: z
      .object({
        ...each(count, 'rows', 'members', 'merged'),
        filtered: z.array(Tally),
        rejects: z.array(Tally),
        groups: z.array(z.object({ group: text, people: count })),
        isMergedCounted: z.boolean(),
      })
      .optional()
      .describe('What would become of the rows; absent if columns are not settled yet.'),
    problem: text.optional().describe('What keeps the columns from being settled.'),
    remarks: texts,
    preset: z.looseObject({ name: text, title: text }).optional(),
    block: texts.describe('Lines to paste below the name of the source in a config.'),
  })
  .describe('How a roster is read.');

export const InitDocument = z
  .object({
    file: text,
    source: text.optional().describe('The source that was written into it; absent without a roster.'),
  })
  .describe('The config that was written.');

const Pair = z.object({ old: text, new: text });

export const ResolveDocument = z
  .object({
    decision: z.enum(['renamed-there', 'new-account']),
    service: text,
    sources: texts.describe('Those that knew the old addresses: their next runs send it.'),
    moves: z.int().describe('How many addresses move.'),
    sample: z.array(Pair).describe('The first five of them.'),
    unfit: z
      .array(Pair.extend({ why: z.enum(['unknown', 'erased', 'twice', 'chain', 'no-address']) }))
      .describe('Moves that are not made, and why; nothing is changed for them.'),
    hash: text.describe('Identifies the decision and exactly these moves.'),
    isDone: z.boolean().describe('False for a preview: nothing was changed.'),
  })
  .describe('What was decided about addresses that changed.');

export const SourcesDocument = z
  .object({
    sources: z.array(
      z.object({
        name: text,
        from: text,
        by: text.describe('Who kept it; empty for one of the config.'),
        at: text.describe('When, ISO 8601; empty for one of the config.'),
      }),
    ),
  })
  .describe('All sources.');

export const SourcesKeptDocument = z.object({ kept: texts }).describe('The names of the sources that were kept.');

export const SourceRemovedDocument = z.object({ name: text, removed: z.literal(true) }).describe('What was removed.');

export const SchedulesDocument = z
  .object({
    schedules: z.array(
      z.object({
        source: text.describe('(answers) for the answers of stories.'),
        cron: text,
        timezone: text,
        next: z.array(z.object({ at: time, isBlackedOut: z.boolean() })),
        last: z
          .object({ due: time, result: text, reason: text, run: text.nullable(), status: text.nullable() })
          .nullable()
          .optional()
          .describe('The last time that was handled; null if there was none, absent if there is no ledger.'),
        missed: z
          .object({ due: time, will: z.enum(['run', 'missed', 'blackout']) })
          .optional()
          .describe('A time that is due and that nobody has handled, and what happens to it.'),
      }),
    ),
  })
  .describe('When each source is read.');

export const LeftBehindDocument = z
  .object({
    people: count,
    groups: count,
    leftBehind: z.array(
      z.object({
        ...each(text, 'service', 'source', 'email', 'firstname', 'lastname', 'group'),
        since: timeOrNull,
        run: text.nullable(),
        cause: z.enum(['changed', 'departed']),
        given: z.object({ at: timeOrNull, run: text.nullable() }).describe('When it was last given, and by which run.'),
      }),
    ),
  })
  .describe('Who must be removed from which group by hand.');
