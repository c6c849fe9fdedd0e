// The shapes of sources, those of the ledger too, and of uploads that are checked before they are planned.
import { z } from 'zod';
import { described, object, strictObject } from '../../data/described.ts';
import { time, count } from './parts.ts';
import { fileName } from './requests.ts';

const name = z.string().min(1).max(200);

export const SourceInput = strictObject('SourceInput', { source: name });

export const Sources = z.object({
  sources: z.array(
    object('Sources.sources', {
      name: z.string(),
      from: z.enum(['config', 'ledger']),
      isUsed: z.boolean(),
      by: z.string().exactOptional(),
      at: time.exactOptional(),
    }),
  ),
});

export const KeptSource = object('KeptSource', {
  name: z.string(),
  settings: z.string(),
  by: z.string(),
  at: time,
});

export const KeepInput = SourceInput.extend(described('KeepInput', { settings: z.string().max(65_536) }));

export const Kept = z.object({ name: z.string(), isKept: z.boolean() });

const source = z
  .string()
  .min(1)
  .max(100)
  .describe('The source that its people belong to; not one of the config, which has rules of its own.');

export const InspectQuery = z.strictObject({ file: fileName });

const UploadParams = strictObject('UploadParams', {
  upload: z.string().regex(/^[\w-]{1,100}$/),
});

export const Upload = object('Upload', {
  upload: z.string(),
  file: z.string(),
  source: z.string(),
  rows: count,
  read: z
    .object({
      ...{ format: z.string(), encoding: z.string(), delimiter: z.string() },
      headerLine: count,
      part: z.string().exactOptional(),
    })
    .exactOptional(),
  columns: z.array(
    object('Upload.columns', {
      ...{ name: z.string(), use: z.string(), why: z.string() },
      doubt: z.string().exactOptional(),
    }),
  ),
  groups: z.array(object('Upload.groups', { name: z.string(), group: z.string(), from: z.string(), people: count })),
  filters: z.array(z.object({ words: z.string(), isOn: z.boolean() })),
  sum: z.object({ rows: count, members: count, merged: count, filtered: count, rejects: count }).exactOptional(),
  mapping: z.record(z.string(), z.unknown()),
  problems: z.array(z.string()),
  notes: z.array(z.string()),
});

export const PlanUploadInput = UploadParams.extend(
  described('PlanUploadInput', {
    source: source.exactOptional(),
    mapping: z.record(z.string(), z.unknown()).exactOptional(),
    remember: z.boolean().exactOptional(),
  }),
).describe('Whatever it would send is held until somebody approves it.');

const cell = z.string().max(1000);
const change = described('CellChange', {
  line: z.int().min(1).exactOptional(),
  file: cell.exactOptional(),
  was: cell.exactOptional(),
  column: cell.min(1).or(z.int().min(0)),
  value: cell.nullable(),
});
const CellChange = z.strictObject(change);

export const CorrectionInput = UploadParams.extend(
  described('CorrectionInput', {
    ...change,
    column: change.column.exactOptional(),
    value: change.value.exactOptional(),
    changes: z.array(CellChange).min(1).max(1000).exactOptional(),
  }),
).describe('In the body, so that no proxy logs it.');
