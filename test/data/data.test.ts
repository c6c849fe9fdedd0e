import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readFiles } from '../../src/data/data.ts';
import { dataKinds } from '../../src/wiring/data-kinds.ts';

const root = join(import.meta.dirname, '../../src/data');

describe('what is data', () => {
  it('has a schema for each folder', () => {
    const folders = readdirSync(root, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() && entry.name !== 'schemas' ? [entry.name] : [],
    );
    assert.deepEqual(folders.toSorted(), Object.keys(dataKinds).toSorted(), 'name it in src/wiring/data-kinds.ts');
  });

  for (const [folder, { schema, read }] of Object.entries(dataKinds)) {
    it(`says in every file of ${folder} what its schema allows, and names it for editors`, () => {
      const files = readFiles(folder);
      assert.ok(Object.keys(files).length > 0);
      for (const [name, file] of Object.entries(files)) {
        const parsed = schema.safeParse(file);
        assert.ok(parsed.success, `src/data/${folder}/${name}.yaml: ${parsed.error}`);
        assert.deepEqual(parsed.data, file, `${name}: nothing is changed by being checked`);
        const text = readFileSync(join(root, folder, `${name}.yaml`), 'utf8');
        assert.ok(text.startsWith(`# yaml-language-server: $schema=../${folder}.schema.json\n`), name);
      }
    });

    it(`makes of the files of ${folder} what is read, as JSON`, () => {
      assert.ok(!existsSync(join(root, `${folder}.json`)), 'what is compiled is not committed');
      assert.deepEqual(JSON.parse(JSON.stringify(read())), read());
    });
  }
});
