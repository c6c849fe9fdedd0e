import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, it } from 'node:test';

const root = join(import.meta.dirname, '../..');
const folders = ['config', 'jobs', 'src'];
const files = folders.flatMap((folder) =>
  globSync(`${folder}/**/*.ts`, { cwd: root }).map((name) => name.replaceAll(sep, '/')),
);

describe('the layout', () => {
  it('says in the first line of each file what the file is for', () => {
    const silent = files.filter((path) => !/^\/\/ [A-Z`].+/.test(readFileSync(join(root, path), 'utf8')));
    assert.deepEqual(silent, [], 'begin each with one line: // What the file is for.');
  });

  it('has every folder of the code in docs/architecture.md', () => {
    const [, page = ''] = readFileSync(join(root, 'docs/architecture.md'), 'utf8').split('## Rooms');
    const rooms = [...page.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) => namesIn(cell));
    const present = new Set(files.map((path) => roomOf(path)).filter((room) => room !== 'src' && room !== 'jobs'));
    assert.deepEqual(
      [...present].filter((room) => !rooms.includes(room)),
      [],
      'add a row for each under "Rooms"',
    );
    assert.deepEqual(
      rooms.filter((room) => !existsSync(join(root, room))),
      [],
      'these are gone',
    );
  });
});

/** The folders in a cell of the table: what stands alone after the first one is its neighbour. */
function namesIn(cell: string): string[] {
  const [first = '', ...others] = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  return [first, ...others.map((name) => (/^(?:src|jobs|config)/.test(name) ? name : join(first, '..', name)))];
}

/** Two folders down in `src/core` and `src/ledger`, one in the rest of `src` and in `jobs`. */
function roomOf(path: string): string {
  const folders = path.split('/').slice(0, -1);
  return folders.slice(0, /^src\/(core|ledger)\//.test(path) ? 3 : 2).join('/');
}

describe('the documents', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
  ];

  it('link only to files that are there', () => {
    const broken = pages
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        [...readFileSync(join(root, path), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].flatMap(
          ([, to = '']) => {
            try {
              readFileSync(join(root, path, '..', to));
              return [];
            } catch {
              return [`${path}: ${to}`];
            }
          },
        ),
      );
    assert.deepEqual(broken, []);
  });
});
