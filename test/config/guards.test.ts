import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { everySetting } from '../../config/generate.ts';
import { defaultGuards } from '../../src/core/guards/guard-settings.ts';
import { failure, load } from './folder.ts';

const guards = (yaml: string): string => `sources:\n  staff:\n    file: ./staff.csv\n    guards: ${yaml}\n`;

describe('the guards of a source', () => {
  it('have defaults for every guard and key that is not set', (t) => {
    const { sources } = load(t, guards('{ shrink: { percent: 35 }, fill: off, departed: { count: 3 } }'));
    assert.deepEqual(sources['staff']?.guards, {
      ...defaultGuards,
      shrink: { percent: 35, count: 10 },
      fill: 'off',
      departed: { percent: 10, count: 3 },
    });
  });

  it('are switched off only by `off`', (t) => {
    for (const value of ['false', 'no', '{ percent: never }', '100']) {
      assert.match(failure(t, guards(`{ shrink: ${value} }`)), /sources\.staff\.guards\.shrink/, value);
    }
    assert.match(failure(t, guards('{ shrink: false }')), /must be settings like \{ percent: 20, count: 10 \}, or off/);
  });

  it('refuse an unknown name with the nearest one', (t) => {
    assert.match(failure(t, guards('{ shrinks: off }')), /guards\.shrinks is not a setting; did you mean shrink\?/);
    assert.match(failure(t, guards('{ removals: { most: 5 } }')), /guards\.removals\.most is not a setting/);
  });

  it('are those of the registry, each with its limits, in schema and reference', (t) => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');
    for (const [name, limits] of Object.entries(defaultGuards)) {
      assert.deepEqual(load(t, guards(`{ ${name}: {} }`)).sources['staff']?.guards, defaultGuards, name);
      const described = everySetting.find((setting) => setting.name === `sources.<name>.guards.${name}`);
      assert.ok(page.includes(`### \`sources.<name>.guards.${name}\`\n\n${described?.description}`), name);
      for (const [key, limit] of Object.entries(limits)) {
        const [, below = ''] = page.split(`### \`sources.<name>.guards.${name}.${key}\``);
        assert.match(below.slice(0, 200), new RegExp(`default \`${limit}\``), `${name}.${key}`);
      }
    }
  });
});
