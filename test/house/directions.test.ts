import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';

interface Diagnostic {
  code: string;
  message: string;
  filename: string;
}

/** What is refused: the folder or file, and lines that must each be reported there. */
const forbidden: [string, string][] = [
  ['src/core', `import { x } from '../service/client.ts';`],
  ['src/core', `import type { x } from '../ledger/open.ts';`],
  ['src/core', `import { x } from '../process/logger.ts';`],
  ['src/core', `import { x } from '../../config/load.ts';`],
  ['src/core', `import { x } from '../../jobs/index.ts';`],
  ['src/core', `import { x } from 'pino';`],
  ['src/core', `import { readFileSync as x } from 'node:fs';`],
  ['src/core', `export const x = Date.now();`],
  ['src/core', `export const x = Math.random();`],
  ['src/service', `import { x } from '../ledger/open.ts';`],
  ['src/service', `import type { x } from '../queue/feed.ts';`],
  ['src/service', `export { x } from '../roster/read.ts';`],
  ['src/service', `export const x = () => import('../roster/read.ts');`],
  ['src/roster', `import { x } from '../ledger/open.ts';`],
  ['src/roster', `import { x } from '../service/client.ts';`],
  ['src/roster', `import { x } from '../../config/load.ts';`],
  ['src/ledger', `import { x } from '../queue/feed.ts';`],
  ['src/ledger', `import { x } from '../wiring/context.ts';`],
  ['src/ledger', `import { x } from '../../config/load.ts';`],
  ['src/queue', `import { x } from '../ledger/open.ts';`],
  ['src/queue', `import { x } from '../../jobs/index.ts';`],
  ['src/queue', `import { Pool as x } from 'pg';`],
  ['src/ledger', `import { Queue as x } from 'bullmq';`],
  ['src/sandbox', `import { x } from '../service/contract.ts';`],
  ['src/sandbox', `import type { x } from '../service/contract.ts';`],
  ['src/report', `import { x } from '../ledger/open.ts';`],
  ['src/report', `import { x } from '../cli/frame/output.ts';`],
  ['jobs', `import { x } from '../src/wiring/context.ts';`],
  ['jobs', `import { x } from '../src/service/client.ts';`],
  ['jobs', `import { x } from '../src/cli/frame/output.ts';`],
  ['config', `import { x } from '../src/service/client.ts';`],
  ['config', `export const x = process.env['HOME'];`],
  [
    'src/wiring/context.ts',
    `import { x } from '../../jobs/index.ts';\nexport { x as y } from '../cli/frame/output.ts';`,
  ],
  ['src/server', `import { x } from '../cli/frame/output.ts';`],
  ['src/ledger', `export const x = process.env['HOME'];`],
  ['src/ledger', `process.stdout.write('x');`],
  ['src/ledger', `console.log('x');`],
  ['src/roster', `process.exit(1);`],
];

/** What must stay possible. */
const allowed: [string, string][] = [
  ['src/core', `export { x } from './person/member.ts';`],
  ['src/core', `export { createHash as x } from 'node:crypto';`],
  ['src/service', `export { x } from '../core/person/member.ts';`],
  ['src/ledger', `export type { x } from '../process/logger.ts';`],
  ['src/queue', `export type { Pool as x } from 'pg';`],
  ['src/queue', `export { Queue as x } from 'bullmq';`],
  ['jobs', `export type { x } from '../src/wiring/context.ts';`],
  ['jobs', `export { x } from '../src/core/person/member.ts';`],
  ['jobs', `export { x } from '../src/roster/read.ts';`],
  ['src/roster', `export type { x } from '../../config/load.ts';`],
  ['config', `export { x } from '../src/core/person/member.ts';`],
  ['src/cli', `export const x = () => import('../wiring/context.ts');`],
  ['config/load.ts', `export const x = process.env['HOME'];`],
  ['test/core', `export { x } from '../../src/service/client.ts';`],
];

const targets = [
  'src/core/person/member.ts',
  'src/service/client.ts',
  'src/service/contract.ts',
  'src/ledger/open.ts',
  'src/queue/feed.ts',
  'src/roster/read.ts',
  'src/cli/frame/output.ts',
  'src/wiring/context.ts',
  'src/process/logger.ts',
  'jobs/index.ts',
  'config/load.ts',
];

const root = resolve(import.meta.dirname, '../..');
const house = mkdtempSync(join(tmpdir(), 'roster-sync-house-'));
const rules = /no-restricted|no-console|no-process-exit|no-nodejs-modules/;
const circle = ['src/roster/a.ts', 'src/roster/b.ts'];
let diagnostics: Diagnostic[] = [];

function write(path: string, text: string): void {
  const file = join(house, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${text}\n`);
}

/** Lints a folder with this project's own configuration. */
function lint(folder: string): Diagnostic[] {
  const oxlint = join(root, 'node_modules/.bin/oxlint');
  const run = spawnSync(process.execPath, [oxlint, '-f', 'json'], { cwd: folder, encoding: 'utf8' });
  return (JSON.parse(run.stdout) as { diagnostics: Diagnostic[] }).diagnostics;
}

/** Where a case is written: a file of its own in the folder, or the very file that the rule is about. */
const fileOf = (place: string, name: string): string => (place.endsWith('.ts') ? place : `${place}/${name}.ts`);
const about = (file: string): string[] =>
  diagnostics.filter((found) => found.filename === file).map((found) => `${found.code}: ${found.message}`);

describe('the lint rules of the house', () => {
  before(() => {
    write('oxlint.config.ts', `export { default } from '${join(root, 'oxlint.config.ts')}';`);
    for (const target of targets) write(target, 'export const x = 1;');
    write('src/roster/a.ts', `import type { B } from './b.ts';\nexport interface A {\n  b: B;\n}`);
    write('src/roster/b.ts', `import type { A } from './a.ts';\nexport interface B {\n  a: A;\n}`);
    for (const [index, [place, line]] of forbidden.entries()) write(fileOf(place, `forbidden-${index}`), line);
    for (const [index, [place, line]] of allowed.entries()) write(fileOf(place, `allowed-${index}`), line);
    diagnostics = lint(house);
  });
  after(() => rmSync(house, { recursive: true, force: true }));

  for (const [index, [place, line]] of forbidden.entries()) {
    it(`refuse in ${place}: ${line}`, () => {
      const refused = about(fileOf(place, `forbidden-${index}`)).filter((found) => rules.test(found));
      assert.equal(refused.length, line.split('\n').length);
    });
  }
  for (const [index, [place, line]] of allowed.entries()) {
    it(`let pass in ${place}: ${line}`, () => {
      assert.deepEqual(about(fileOf(place, `allowed-${index}`)), []);
    });
  }
  it('refuse two files that import each other, even as types', () => {
    for (const file of circle) assert.match(about(file).join('\n'), /Dependency cycle/);
  });
});
