// Every kind of data: its folder in `src/data`, its schema, what is made of it. Packs them for the build.
import { cpSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ZodType } from 'zod';
import { Bundle } from '../roster/read-schema.ts';
import { Preset } from '../roster/presets/preset-schema.ts';
import { webhookPresets } from '../core/webhooks/scheme.ts';
import { pageLanguages, sentences } from '../core/words/say.ts';
import { words } from '../core/words/words.ts';
import { dataOf } from '../data/data.ts';
import {
  Commands,
  Encodings,
  LetterPairs,
  Sentences,
  List,
  PageLanguage,
  Table,
  Language,
  ScimSchema,
  WebhookPreset,
} from '../data/schemas.ts';
import { Reference } from '../data/described.ts';
import { bundles } from '../roster/bundle/recognise.ts';
import { presets } from '../roster/presets/presets.ts';

/** By the folder; the schema is that of each file. */
export const dataKinds: Readonly<Record<string, { schema: ZodType; read: () => unknown }>> = {
  bundles: { schema: Bundle, read: bundles },
  commands: { schema: Commands, read: dataOf('commands') },
  encodings: { schema: Encodings, read: dataOf('encodings') },
  languages: { schema: Language, read: words },
  'letter-pairs': { schema: LetterPairs, read: dataOf('letter-pairs') },
  lists: { schema: List, read: dataOf('lists') },
  tables: { schema: Table, read: dataOf('tables') },
  'page-languages': { schema: PageLanguage, read: pageLanguages },
  presets: { schema: Preset, read: presets },
  reference: { schema: Reference, read: dataOf('reference') },
  scim: { schema: ScimSchema, read: dataOf('scim') },
  sentences: { schema: Sentences, read: sentences },
  webhooks: { schema: WebhookPreset, read: webhookPresets },
};

if (import.meta.main) {
  for (const [folder, { read }] of Object.entries(dataKinds))
    writeFileSync(join(import.meta.dirname, `../../dist/src/data/${folder}.json`), JSON.stringify(read()));
  const root = join(import.meta.dirname, '../..');
  for (const file of globSync('src/**/*.{bash,css,fish,js,lua,sql,zsh}', { cwd: root }))
    cpSync(join(root, file), join(root, 'dist', file));
}
