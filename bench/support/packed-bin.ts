import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packs this checkout and installs the package into the given empty folder; returns the path of its bin. */
export function installPackage(folder: string): string {
  const name = run(
    'npm',
    ['pack', '--silent', '--pack-destination', folder],
    join(import.meta.dirname, '../..'),
  ).trim();
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  run('npm', ['install', '--silent', '--ignore-scripts', join(folder, name.split('\n').at(-1) ?? '')], folder);
  return join(folder, 'node_modules/roster-sync/bin/roster-sync.cjs');
}

/** Runs a program to its end; returns what it printed. Throws with all of it when it fails. */
export function run(command: string, args: readonly string[], cwd?: string, env?: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', ...(env && { env }) });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
  return stdout;
}
