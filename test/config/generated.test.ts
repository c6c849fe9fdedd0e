import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { loadConfig } from '../../config/load.ts';
import { generated, jsonSchema, entryNames, everySetting } from '../../config/generate.ts';
import { generatedFromCommands, leafCommands } from '../../docs/generate.ts';
import { allSettings } from '../../config/schema.ts';
import { settingsBelow } from '../../config/tree.ts';
import { without } from '../support/server-process.ts';

const root = join(import.meta.dirname, '../..');

const isBelow =
  (above: string) =>
  ({ name }: { name: string }): boolean =>
    name.startsWith(`${above}.`);

describe('what is generated', () => {
  for (const [file, content] of [...generated(), ...generatedFromCommands()]) {
    it(`is current in ${file}; else run npm run schema`, () => {
      assert.equal(readFileSync(join(root, file), 'utf8'), content);
    });
  }

  it('links each entry of the table of contents to a heading', () => {
    const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
    const anchors = [...page.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(/[^a-z0-9_-]/g, ''),
    );
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
    assert.ok(links.length > 50);
    assert.deepEqual(
      links.filter((anchor) => !anchors.includes(anchor)),
      [],
    );
  });

  it('documents every setting', () => {
    for (const setting of everySetting) {
      assert.match(setting.description, /[.…]$/, setting.name);
      assert.notEqual(setting.form, '', setting.name);
    }
  });

  it('describes every setting that is a value, and not an item of a list', () => {
    const all = allSettings.flatMap((one) => (one.tree ? settingsBelow(one.schema, one.path) : [one]));
    const described = new Set(everySetting.map(({ name }) => name));
    const values = all.filter(({ name }) => !/(?:\[\]|<name>)$/.test(name) && !all.some(isBelow(name)));
    assert.deepEqual(
      values.map(({ name }) => name).filter((name) => !described.has(name)),
      [],
    );
  });

  it('describes no setting that there is not', () => {
    const names = everySetting.map(({ name }) => name);
    assert.deepEqual(
      entryNames.filter((entry) => !names.some((name) => name === entry || name.startsWith(`${entry}.`))),
      [],
    );
  });

  it('gives for every setting an example that the setting takes, and that is not its default', () => {
    const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
    for (const { name, schema, fallback } of everySetting) {
      const [, entry = ''] = page.split(`### \`${name}\`\n`);
      const [, written = ''] = /[;.] For example `(.+)`$/im.exec(entry.split('\n#')[0] ?? '') ?? [];
      const [example] = Object.values(parse(written) as Record<string, unknown>);
      assert.equal(schema.safeParse(example).error, undefined, `${name}: ${written}`);
      assert.notDeepEqual(example, fallback, name);
    }
  });

  it('lets an editor accept variables in place of numbers, and refuse unknown keys', () => {
    const text = JSON.stringify(jsonSchema());
    assert.match(text, /"attempts":\{[^}]*"type":\["string","number"\]/);
    assert.equal(
      text.match(/"additionalProperties":false/g)?.length,
      text.match(/"properties":/g)?.length,
      'every object refuses unknown keys',
    );
    assert.match(text, /"token":\{[^}]*"writeOnly":true/);
  });
});

describe('the man page', () => {
  const page = readFileSync(join(root, 'man/roster-sync.1'), 'utf8');

  it('has every command with its flags and examples, and no hidden one', () => {
    for (const [words, command] of leafCommands()) {
      const heading = `.SS ${words.replaceAll('-', String.raw`\-`)}\n`;
      assert.equal(page.includes(heading), words !== '__complete' && words !== 'completion', words);
      for (const { long = '' } of command.options) assert.ok(page.includes(long.replaceAll('-', String.raw`\-`)), long);
    }
    assert.match(page, /\.SH EXIT STATUS\n[^]*held, waits for an approval/);
  });

  it('has no fault that mandoc finds', { skip: without('mandoc') }, () => {
    const { stdout, stderr } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', 'man/roster-sync.1'], { cwd: root });
    // It has none, so that it changes only when the help does.
    const found = `${stdout.toString()}${stderr.toString()}`
      .split('\n')
      .filter((line) => !/^$|missing date/.test(line));
    assert.deepEqual(found, []);
  });
});

describe('the shipped example', () => {
  const text = readFileSync(join(root, 'config/roster-sync.yaml'), 'utf8');

  it('shows every setting, if only in a comment, with its default', () => {
    const example: unknown = parse(text);
    for (const { path, name, fallback } of allSettings) {
      assert.match(text, new RegExp(`^ *(# )?${path.at(-1)}:`, 'm'), name);
      const value = path.reduce<unknown>((from, key) => (from as Record<string, unknown> | undefined)?.[key], example);
      if (value !== undefined && fallback !== undefined) assert.deepEqual(value, fallback, name);
    }
  });

  it('has a source that the schema allows once its comment signs are removed', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'roster-sync-example-'));
    t.after(() => rm(folder, { recursive: true }));
    const configFile = join(folder, 'roster-sync.yaml');
    const [before, source = ''] = text.split('sources: {}\n');
    await writeFile(configFile, `${before}sources:\n${source.replaceAll(/^# ?/gm, '')}`);
    const { sources } = loadConfig({ configFile, environment: { ROSTER_SYNC_TOKEN: 'dG9rZW4=' }, cwd: folder });
    assert.deepEqual(Object.keys(sources), ['staff']);
  });
});
