// Writes the JSON Schema and docs/configuration.md: `npm run schema`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchema, referencePage } from './reference.ts';

/** What is generated, from the schema: file, relative to the project, and content. */
export function generated(): [string, string][] {
  return [
    ['config/roster-sync.schema.json', `${JSON.stringify(jsonSchema(), null, 2)}\n`],
    ['docs/configuration.md', referencePage()],
  ];
}

if (import.meta.main) {
  for (const [file, content] of generated()) writeFileSync(join(import.meta.dirname, '..', file), content);
}
