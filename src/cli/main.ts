import { createRequire } from 'node:module';

/** The version of this package, read from its own package.json in a checkout as in an installed package. */
function readVersion(): string {
  const manifest = createRequire(import.meta.url)('roster-sync/package.json') as { version: string };
  return manifest.version;
}

if (process.argv.includes('--version')) process.stdout.write(`${readVersion()}\n`);
