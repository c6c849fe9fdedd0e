// The schemas of the JSON about rosters and sources: inspect, init, resolve, sources, schedules, left-behind.
import { z } from 'zod';
import { each, object } from '../../data/described.ts';
import { Census } from '../../core/inspect/census.ts';
import { rosterFormats } from '../../core/rows/row.ts';
import { count, text, texts, time, timeOrNull } from './parts.ts';

export const InspectDocument = object('InspectDocument', {
  source: text,
  form: object('InspectDocument.form', {
    file: text,
    format: z.enum(rosterFormats),
    encoding: text,
    readAs: texts.optional(),
    bom: z.boolean().optional(),
    delimiter: text,
    header: texts,
    newline: z.enum(['\n', '\r\n', '\r']),
    headerLine: z.int(),
    part: text.optional(),
    isUnended: z.boolean().optional(),
    isPartial: z.boolean().optional(),
    notes: texts,
  }),
  sizeBytes: count,
  rows: count,
  columns: z.array(
    object('InspectDocument.columns', {
      name: text,
      filled: count,
      examples: texts,
      uses: texts,
    }),
  ),
  fields: z.array(z.object({ field: text, column: text, why: text })),
  census: Census.optional(),
  problem: text.optional(),
  remarks: texts,
  preset: z.looseObject({ name: text, title: text }).optional(),
  block: texts,
});

export const InitDocument = object('InitDocument', { file: text, source: text.optional() });

const Pair = z.object({ old: text, new: text });

export const ResolveDocument = object('ResolveDocument', {
  decision: z.enum(['renamed-there', 'new-account']),
  service: text,
  sources: texts,
  moves: z.int(),
  sample: z.array(Pair),
  unfit: z.array(
    Pair.extend({ why: z.enum(['unknown', 'erased', 'taken', 'two-ids', 'twice', 'chain', 'no-address']) }),
  ),
  hash: text,
  isDone: z.boolean(),
});

export const SourcesDocument = object('SourcesDocument', {
  sources: z.array(object('SourcesDocument.sources', each(text, 'name', 'from', 'by', 'at'))),
});

export const SourcesKeptDocument = object('SourcesKeptDocument', { kept: texts });

export const SourceRemovedDocument = object('SourceRemovedDocument', { name: text, removed: z.literal(true) });

export const SchedulesDocument = object('SchedulesDocument', {
  schedules: z.array(
    object('SchedulesDocument.schedules', {
      source: text,
      cron: text,
      timezone: text,
      next: z.array(z.object({ at: time, isBlackedOut: z.boolean() })),
      last: z
        .object({ due: time, result: text, reason: text, run: text.nullable(), status: text.nullable() })
        .nullable()
        .optional(),
      missed: z.object({ due: time, will: z.enum(['run', 'missed', 'blackout']) }).optional(),
    }),
  ),
});

export type ScheduleView = z.output<typeof SchedulesDocument>['schedules'][number];

export const LeftBehindDocument = object('LeftBehindDocument', {
  people: count,
  groups: count,
  leftBehind: z.array(
    object('LeftBehindDocument.leftBehind', {
      ...each(text, 'service', 'source', 'email', 'firstname', 'lastname', 'group'),
      since: timeOrNull,
      run: text.nullable(),
      cause: z.enum(['changed', 'departed']),
      given: z.object({ at: timeOrNull, run: text.nullable() }),
    }),
  ),
});
