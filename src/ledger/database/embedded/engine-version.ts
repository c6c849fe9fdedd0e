// Reads the installed version of PGlite, which decides the form of the files.
import { readFileSync } from 'node:fs';

export function engineVersion(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
