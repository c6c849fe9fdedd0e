// The shapes of sources: those that there are, and what is kept of one in the ledger.
import { z } from 'zod';
import { time } from './parts.ts';

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
