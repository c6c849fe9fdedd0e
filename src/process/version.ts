// Finds the package's version and folder.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const require = createRequire(import.meta.url);

/** The version of this package, read from its own package.json in a checkout as in an installed package. */
export function readVersion(): string {
  const manifest = require('roster-sync/package.json') as { version: string };
  return manifest.version;
}

/** The folder of this package: what `package.json`, `bin` and `examples` lie in. */
export function packageRoot(): string {
  return dirname(require.resolve('roster-sync/package.json'));
}
