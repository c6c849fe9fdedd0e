// Finds the config file: as named, in this folder, in the folders above, or in the user's own.
import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { InputError } from '../src/core/errors.ts';
import { fileVariable } from './given.ts';
import type { Environment } from './yaml-file.ts';

/** A config file, and where the data directory is unless one is set. */
export interface FoundFile {
  path: string;
  /** Its name in messages: as it was given, or as seen from where the command was started. */
  shown: string;
  /** `named` by a flag or variable, `here`, `above` this folder, or the user's `own` for all folders. */
  at: 'named' | 'here' | 'above' | 'own';
}

const names = ['roster-sync.yaml', 'roster-sync.yml'];
const dataName = '.roster-sync';
/** The bit of a mode that lets everybody write. */
const othersWrite = 0o002;

/**
 * Finds the config file: the one that is named; else the nearest in this folder and those above it, up to the home folder,
 * the first folder that belongs to another user, or the root; else `roster-sync/roster-sync.yaml` in `$XDG_CONFIG_HOME` or
 * `~/.config`. The search ends in this folder if it has a data directory without a config. Undefined if there is no file.
 * @throws InputError when the nearest one belongs to another user and may have been put there for us to find
 */
export function findConfigFile(
  named: string | undefined,
  environment: Environment,
  cwd: string,
): FoundFile | undefined {
  const shown = named ?? (environment[fileVariable] || undefined);
  if (shown !== undefined) return { path: resolve(cwd, shown), shown, at: 'named' };
  const found = nearestFile(cwd, homeOf(environment));
  if (found !== undefined) return found;
  const own = environment['XDG_CONFIG_HOME'] || inHome(environment, '.config');
  const path = own === undefined || existsSync(join(cwd, dataName)) ? undefined : inFolder(join(own, 'roster-sync'));
  return path === undefined ? undefined : { path, shown: path, at: 'own' };
}

/**
 * Next to the config file; without one, `.roster-sync` here, or `$XDG_DATA_HOME/roster-sync` where set and this
 * folder has none. For the user's own config: `$XDG_DATA_HOME` or `~/.local/share`.
 */
export function defaultDataDirectory(file: FoundFile | undefined, environment: Environment, cwd: string): string {
  const share = environment['XDG_DATA_HOME'] || undefined;
  if (file?.at === 'own') {
    return resolve(cwd, share ?? inHome(environment, '.local/share') ?? dirname(dirname(file.path)), 'roster-sync');
  }
  if (file) return join(dirname(file.path), dataName);
  const here = join(cwd, dataName);
  return share === undefined || existsSync(here) ? here : resolve(cwd, share, 'roster-sync');
}

function nearestFile(cwd: string, home: string | undefined): FoundFile | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const isHere = folder === resolve(cwd);
    if (!isHere && isAnothers(statSync(folder).uid)) return undefined;
    const path = inFolder(folder);
    if (path !== undefined) {
      const shown = isHere ? relative(folder, path) : relative(cwd, path);
      refuseAnothers(path, shown, { folder, isHere });
      return { path, shown, at: isHere ? 'here' : 'above' };
    }
    if (isHere && existsSync(join(folder, dataName))) return undefined;
    if (folder === home || dirname(folder) === folder) return undefined;
  }
}

function inFolder(folder: string): string | undefined {
  return names.map((name) => join(folder, name)).find((path) => existsSync(path));
}

/** In this folder a file of somebody else is fine, unless everybody may put one there. */
function refuseAnothers(path: string, shown: string, { folder, isHere }: { folder: string; isHere: boolean }): void {
  const owners = [lstatSync(path).uid, statSync(path).uid];
  if (!owners.some(isAnothers)) return;
  if (isHere && (statSync(folder).mode & othersWrite) === 0) return;
  throw new InputError(
    `${shown} belongs to another user, so it is not used. If you trust it, name it as the config file.`,
    { next: [{ setting: 'config', value: shown }] },
  );
}

/** Whether an owner is neither this user nor root. Windows has no such numbers. */
function isAnothers(owner: number): boolean {
  const own = process.getuid?.();
  return own !== undefined && owner !== own && owner !== 0;
}

function homeOf(environment: Environment): string | undefined {
  const home = environment['HOME'] || environment['USERPROFILE'];
  return home === undefined || home === '' ? undefined : resolve(home);
}

function inHome(environment: Environment, folder: string): string | undefined {
  const home = homeOf(environment);
  return home === undefined ? undefined : join(home, folder);
}
