// Reads the installed version of PGlite.
import { readFileSync } from 'node:fs';

/** The version of PGlite that is installed; it decides the form of the files. */
export function engineVersion(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
