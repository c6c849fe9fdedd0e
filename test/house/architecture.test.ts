import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, it } from 'node:test';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const listed = [...page.matchAll(/^- `([^`]+)` \S/gm)].map(([, path = '']) => path);
const present = ['bin', 'config', 'jobs', 'src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll(sep, '/'),
    ),
);

describe('docs/architecture.md', () => {
  it('has a line for every file', () => {
    const missing = present.filter((path) => !listed.includes(path)).map((path) => `- \`${path}\` what it is for`);
    assert.equal(missing.join('\n'), '', 'add a line for each to docs/architecture.md, under "Every file"');
  });

  it('names no file that is gone', () => {
    assert.deepEqual(
      listed.filter((path) => !present.includes(path)),
      [],
    );
  });

  it('names each file once', () => {
    assert.deepEqual(
      listed.filter((path, at) => listed.indexOf(path) !== at),
      [],
    );
  });
});

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
