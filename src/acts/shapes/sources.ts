// The shapes of sources, those of the ledger too, and of uploads that are checked before they are planned.
import { z } from 'zod';
import { time, count } from './parts.ts';
import { fileName } from './requests.ts';

const name = z.string().min(1).max(200);

export const NoInput = z.strictObject({});

export const SourceInput = z.strictObject({ source: name.describe('Its name.') });

export const Sources = z.object({
  sources: z.array(
    z.object({
      name: z.string(),
      from: z.enum(['config', 'ledger']),
      isUsed: z.boolean().describe('False for one of the ledger while the config has one of the same name.'),
      by: z.string().exactOptional().describe('Who kept it in the ledger.'),
      at: time.exactOptional().describe('When that was.'),
    }),
  ),
});

export const KeptSource = z.object({
  name: z.string(),
  settings: z.string().describe('YAML, as below the name of a source in the config.'),
  by: z.string(),
  at: time,
});

export const KeepInput = SourceInput.extend({
  settings: z.string().max(65_536).describe('YAML, as below the name of a source in the config, without a place.'),
});

export const Kept = z.object({ name: z.string(), isKept: z.boolean() });

const source = z
  .string()
  .min(1)
  .max(100)
  .describe('The source that its people belong to; not one of the config, which has rules of its own.');

export const InspectQuery = z.strictObject({ file: fileName });

const UploadParams = z.strictObject({
  upload: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .describe('Its id, or `latest` for your newest one.'),
});

export const Upload = z
  .object({
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
      .exactOptional()
      .describe('How it was read; absent if it cannot be.'),
    columns: z.array(
      z.object({
        ...{ name: z.string(), use: z.string(), why: z.string() },
        doubt: z.string().exactOptional().describe('What somebody should look at.'),
      }),
    ),
    groups: z.array(z.object({ group: z.string(), from: z.string().describe('Its columns.'), people: count })),
    filters: z.array(z.object({ words: z.string(), isOn: z.boolean() })),
    sum: z
      .object({ rows: count, members: count, merged: count, filtered: count, rejects: count })
      .exactOptional()
      .describe('rows = members + merged + filtered + rejects; absent while something is missing.'),
    mapping: z.record(z.string(), z.unknown()).describe('What is proposed, or was given: a source without its place.'),
    problems: z.array(z.string()).describe('What keeps it from being planned.'),
    notes: z.array(z.string()),
  })
  .describe('What was read, and what its mapping makes of it. Nothing is planned or sent.');

export const PlanUploadInput = UploadParams.extend({
  source: source.exactOptional(),
  mapping: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe(
      'How it is read, mapped and sent: `read`, `members`, `groups`, `only`, `except`, `leavers`, `rename`, `allow` and ' +
        '`deliver`, as a source of the config has them. Unless given, what was proposed or given before.',
    ),
  remember: z
    .boolean()
    .exactOptional()
    .describe('Keep all that as a source in the ledger, for the next file, as PUT /api/v1/sources/{source} does.'),
}).describe('Whatever it would send is held until somebody approves it.');

export const CorrectionInput = UploadParams.extend({
  line: z.int().min(1).describe('The line of the row, as its reject has it.'),
  column: z.string().min(1).max(1000).describe('The heading of the cell.'),
  value: z.string().max(1000).describe('What the cell holds instead; the file itself is not changed.'),
  file: z.string().max(1000).exactOptional().describe('Of an archive, the file in it, as the reject has it.'),
}).describe('In the body, so that no proxy logs it.');
