import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { presets } from '../../../src/roster/presets/index.ts';

/** Text as it reads, however its lines are broken. */
const flowing = (text: string): string => text.replaceAll(/\s+/g, ' ');
const page = flowing(readFileSync(join(import.meta.dirname, '../../../docs/sources.md'), 'utf8'));

for (const [name, { title, parameters, email, active, leavesOut }] of Object.entries(presets())) {
  test(`docs/sources.md describes ${name} as the preset works`, () => {
    const [, ...rest] = page.split(`### ${name} `);
    const section = rest.join('').split(' ### ')[0] ?? '';
    for (const text of [title, email, active, ...leavesOut]) assert.ok(section.includes(flowing(text)), text);
    for (const [key, { description }] of Object.entries(parameters)) {
      assert.ok(section.includes(`\`${key}\``) && section.includes(flowing(description)), key);
    }
  });
}
