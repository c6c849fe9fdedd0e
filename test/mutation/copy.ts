import { cpSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Copies the product with its tests to a new folder, to be changed there. */
export function copyOf(root: string): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'roster-sync-mutants-')));
  // Tests read files of every folder, and what a test cannot find makes it fail without any change.
  cpSync(root, copy, {
    recursive: true,
    filter: (from) => !/[/\\](?:node_modules|dist|\.git|\.roster-sync)$/.test(from),
  });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
