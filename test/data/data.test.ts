import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readFiles } from '../../src/data/data.ts';
import { sentences } from '../../src/core/words/say.ts';
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

  it('has a sentence for each remark and refusal that the code makes', () => {
    const files = globSync('{src/{core,intake,ledger,process,queue,report,roster,service,wiring},jobs}/**/*.ts', {
      cwd: join(root, '../..'),
    });
    const code = files.map((file) => readFileSync(join(root, '../..', file), 'utf8')).join('\n');
    const made = [...code.matchAll(/(?:\bsay|remarks\.note|sayWords|refusal|\bremark)\(\s*'(\w+)'|remark: '(\w+)'/g)];
    const names = new Set(made.map(([, called, named]) => called ?? named ?? ''));
    const own =
      /^(?:advice|answered|command|config|decided|directory|empty|field|group|ldap|listen|name|next|notice|noticed|page|redis|shared|temporary|unfit|unreadable|webhook)-/;
    const known = Object.keys(sentences()).filter((name) => !own.test(name));
    const unknown = [...names].filter(
      (name) => !/^(?:error|formula|rounded|scientific)$/.test(name) && !known.includes(name),
    );
    assert.deepEqual(unknown, []);
    const unused = known.filter(
      (name) => !names.has(name) && !new RegExp(`\\b${name.replace(/Cells$/, '')}`).test(code),
    );
    assert.deepEqual(unused, []);
  });

  it('is read anew in a checkout when a file was changed, added or removed', () => {
    const checkout = mkdtempSync(join(tmpdir(), 'roster-sync-data-'));
    after(() => rmSync(checkout, { recursive: true }));
    cpSync(root, join(checkout, 'src/data'), { recursive: true });
    mkdirSync(join(checkout, 'node_modules'));
    symlinkSync(join(root, '../../node_modules/yaml'), join(checkout, 'node_modules/yaml'), 'junction');
    const script = `import { dataOf } from ${JSON.stringify(pathToFileURL(join(checkout, 'src/data/data.ts')))};
      console.log(JSON.stringify(dataOf('tables')()))`;
    const tables = () =>
      JSON.parse(
        execFileSync(process.execPath, ['--input-type=module-typescript', '-e', script], { encoding: 'utf8' }),
      ) as Record<string, { what: string }>;
    const file = (name: string): string => join(checkout, 'src/data/tables', name);
    const before = tables();
    assert.equal(before['log']?.what, 'a log');
    assert.deepEqual(tables(), before);
    writeFileSync(file('log.yaml'), 'what: a diary\nheadings: day, mood\n');
    writeFileSync(file('menu.yaml'), 'what: a menu\nheadings: dish, price\n');
    rmSync(file('invoice.yaml'));
    assert.deepEqual(
      Object.values(tables()).map(({ what }) => what),
      ['a bank statement', 'a diary', 'a menu'],
    );
  });
});
