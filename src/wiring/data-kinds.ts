// Every kind of data: its folder in `src/data`, its schema, and what is made of it. Packs them for the build.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ZodType } from 'zod';
import { Bundle } from '../../config/bundle-schema.ts';
import { webhookPresets } from '../core/webhooks/presets.ts';
import { WebhookPreset } from '../data/schemas/webhook-preset.ts';
import { bundles } from '../roster/bundle/recognise.ts';

/** By the folder; the schema is that of each file. */
export const dataKinds: Readonly<Record<string, { schema: ZodType; read: () => unknown }>> = {
  bundles: { schema: Bundle, read: bundles },
  webhooks: { schema: WebhookPreset, read: webhookPresets },
};

if (import.meta.main) {
  for (const [folder, { read }] of Object.entries(dataKinds))
    writeFileSync(join(import.meta.dirname, `../../dist/src/data/${folder}.json`), JSON.stringify(read()));
}
