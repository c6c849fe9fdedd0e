import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { describe, it } from 'node:test';

const root = join(import.meta.dirname, '../..');
const folders = ['config', 'jobs', 'src'];
const files = folders.flatMap((folder) =>
  globSync(`${folder}/**/*.ts`, { cwd: root }).map((name) => name.replaceAll(sep, '/')),
);

/** The folders with code by their part; `src` itself has only the package's entry. */
const byPart = Map.groupBy(
  [...new Set(files.map((path) => dirname(path)))].filter((folder) => folder !== 'src'),
  (folder) => partOf(folder),
);

const widest = 118;

describe('the layout', () => {
  it('says in the first line of each file what the file is for', () => {
    const silent = files.filter((path) => !/^\/\/ [A-Z`].+/.test(firstLine(path)));
    assert.deepEqual(silent, [], 'begin each with one line: // What the file is for.');
  });

  it('keeps the first line of each file short', () => {
    const long = files.filter((path) => firstLine(path).length > widest);
    assert.deepEqual(long, [], `at most ${widest} characters`);
  });

  it('has no folders of core that import each other, directly or in a circle', () => {
    const imports = new Map(
      [
        ...Map.groupBy(
          files.filter((path) => /^src\/core\/\w+\//.test(path)),
          coreFolder,
        ),
      ].map(([folder, paths]) => [
        folder,
        new Set(paths.flatMap((path) => importsOf(path).map(coreFolder)).filter((other) => other !== folder)),
      ]),
    );
    assert.ok(imports.get('mapping')?.has('cells'), 'the imports are read');
    assert.deepEqual(inCircles(imports), []);
  });

  it('has no file that imports itself in a circle, as a type or lazily', () => {
    const imports = new Map(files.map((path) => [path, new Set(importsOf(path))]));
    assert.ok(imports.get('src/cli/frame/session.ts')?.has('src/cli/frame/through-owner.ts'), 'import() counts');
    assert.deepEqual(inCircles(imports), []);
  });

  it('has a row for every part in docs/development/architecture.md', () => {
    const [, page = ''] = readFileSync(join(root, 'docs/development/architecture.md'), 'utf8').split('## Rooms');
    assert.deepEqual(rowsOf(page).toSorted(), [...byPart.keys()].toSorted());
  });

  it('has a row for every folder in the README.md of its part', () => {
    for (const [part, inPart] of byPart) {
      const named = inPart.filter((folder) => folder !== part).map((folder) => folder.slice(part.length + 1));
      const page = join(root, part, 'README.md');
      const rows = existsSync(page) ? rowsOf(readFileSync(page, 'utf8')) : [];
      assert.deepEqual(rows.toSorted(), named.toSorted(), `the folders of ${part} and the rows of its README.md`);
    }
  });
});

/** Those that import themselves, or import such ones: who imports nothing goes first, then who imports only these. */
function inCircles(imports: Map<string, ReadonlySet<string>>): string[] {
  for (let before = -1; before !== imports.size;) {
    before = imports.size;
    for (const [one, others] of imports) if (![...others].some((other) => imports.has(other))) imports.delete(one);
  }
  return [...imports.keys()];
}

const firstLine = (path: string): string => readFileSync(join(root, path), 'utf8').split('\n', 1)[0] ?? '';

/** The names in the first column of a page's table, with or without a link. */
function rowsOf(page: string): string[] {
  return [...page.matchAll(/^\| \[?`([^`]+)`/gm)].map(([, name = '']) => name);
}

/** The folder of `src/core` that a file is in: `mapping`; empty for files beside the folders and of other parts. */
function coreFolder(path: string): string {
  return /^src\/core\/(\w+)\//.exec(path)?.[1] ?? '';
}

/** The files of ours that a file imports, by their paths. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, to = '']) =>
    join(dirname(path), to).replaceAll(sep, '/'),
  );
}

/** The part of a folder: `config`, `jobs`, or a folder of `src`. */
function partOf(folder: string): string {
  return folder
    .split('/')
    .slice(0, folder.startsWith('src/') ? 2 : 1)
    .join('/');
}

describe('the documents', () => {
  const pages = ['*.md', 'docs/**/*.md', '{jobs,src/*,examples/*,test/*}/README.md']
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map((path) => path.replaceAll(sep, '/'));

  it('link only to files and headings that are there', () => {
    const broken = pages.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g)]
        .filter(([, to = '', anchor]) => !isThere(join(root, to === '' ? path : join(dirname(path), to)), anchor))
        .map(([link]) => `${path}: ${link}`),
    );
    assert.deepEqual(broken, []);
  });
});

/** A file, and a heading in it by the anchor that GitHub gives it. */
function isThere(file: string, anchor: string | undefined): boolean {
  if (!existsSync(file)) return false;
  if (anchor === undefined) return true;
  const text = readFileSync(file, 'utf8').replaceAll(/^```.*?^```/gms, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].some(
    ([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-') === anchor,
  );
}
