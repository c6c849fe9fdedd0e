// The schemas of what the API says about sources and their schedules.
import { z } from 'zod';
import { time } from '../../report/documents/parts.ts';

const name = z.string().min(1).max(200);

/** The source that a path names. */
export const SourceParams = z.strictObject({ source: name.describe('Its name.') });

/** The sources that there are. */
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

/** A source that is kept in the ledger. */
export const KeptSource = z.object({
  name: z.string(),
  settings: z.string().describe('YAML, as below the name of a source in the config.'),
  by: z.string(),
  at: time,
});

/** What is to be kept. */
export const KeepBody = z.strictObject({
  settings: z.string().max(65_536).describe('YAML, as below the name of a source in the config, without a place.'),
});

/** What the ledger has now. */
export const Kept = z.object({ name: z.string(), isKept: z.boolean() });
