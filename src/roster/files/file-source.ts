// Opens the files of a source by a pattern, once they are completely written.
import { refusal, InputError } from '../../core/errors.ts';
import { glob, readdir, stat } from 'node:fs/promises';
import { join, matchesGlob, resolve } from 'node:path';
import pLimit from 'p-limit';
import type { FileChoice, SourceDeps, RosterFile } from '../roster-file.ts';
import { openAll } from '../join-rosters.ts';
import { openRoster } from '../open-roster.ts';
import { hasEarlierDay, isMeant } from './passing-files.ts';
import { cannotRead, isLink, isMissing, statFailure, readFailure } from './read-failure.ts';

export interface SeenFile {
  path: string;
  /** Size, time and place on the disk; of a folder, those of all that is in it. */
  state: string;
  modifiedAt: Date;
}

/** Files asked at a time, and files that a pattern may match or a folder may hold. */
const sideBySide = 16;
const mostFiles = 10_000;
/** A file that still grows is given up after this multiple of the settling time. */
const mostFinds = 60;

/**
 * Opens the file, or the files, of a source: waits until size and time have stopped changing for `settle`, refuses
 * what is older than `maxAge`, and of several that a pattern matches takes the newest, or all as one roster. Throws
 * an `InputError` when there is no file, it goes on changing, is too old, or is no roster.
 */
export async function openFiles(file: string, deps: SourceDeps, choice: FileChoice): Promise<RosterFile> {
  if (file === '-') return openRoster('-', deps.open);
  const files = await settled((pick) => choose(file, pick), choice, deps);
  const roster = await openAll(files, ({ path }) => openRoster(path, deps.open), file, choice.pick);
  if (choice.settle === undefined) return roster;
  const after = await choose(file, choice.pick).catch(() => []);
  if (areSame(after, files)) return roster;
  await roster.close();
  throw new InputError(`${file}: it changed while it was opened. Nothing was read; run it again once it is complete.`);
}

/** Throws an `InputError` where the file of a source, or any that its pattern matches, is not there. */
export async function assertThere({ file = '-', pick }: { file?: string; pick?: FileChoice['pick'] }): Promise<void> {
  if (file !== '-') await choose(file, pick);
}

/** Whether a source would read a file of this name. `base` is the folder that relative names start from. */
export function picksUp({ file }: { file?: string }, path: string, base: string): boolean {
  if (file === undefined || file === '-') return false;
  const [pattern, wanted] = [resolve(base, file), resolve(base, path)];
  return (
    pattern === wanted || wanted.startsWith(join(pattern, '/')) || (isPattern(file) && matchesGlob(wanted, pattern))
  );
}

function isPattern(file: string): boolean {
  return /[*?[\]{}]/.test(file);
}

/** The files that are meant, the oldest first. A name that is there is that file, whatever signs are in it. */
async function choose(file: string, pick: FileChoice['pick']): Promise<[SeenFile, ...SeenFile[]]> {
  const isMany = isPattern(file) && (await stat(file).catch(() => undefined)) === undefined;
  const limit = pLimit(sideBySide);
  const looked = await limit.map(isMany ? await matching(file) : [file], (path) => stateOf(path, isMany));
  const seen = looked.filter((found) => found !== undefined);
  return picked(seen, pick, `${file}: no file matches this pattern. Was the export made, and is the folder right?`);
}

async function matching(pattern: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of glob(pattern)) {
    if (isMeant(path, pattern)) paths.push(path);
    if (paths.length > mostFiles) throw new InputError(`${pattern}: more than ${mostFiles} files match this pattern.`);
  }
  return paths;
}

/** The state of a file; undefined for one that went away since its folder was listed. */
async function stateOf(path: string, wasListed: boolean): Promise<SeenFile | undefined> {
  const found = await stat(path).catch(async (error: unknown) => {
    if (wasListed && isMissing(error) && !(await isLink(path))) return undefined;
    throw await statFailure(path, error);
  });
  if (!found) return undefined;
  const state = `${path} ${found.ino} ${found.size} ${found.mtimeMs}`;
  if (!found.isDirectory()) return { path, state, modifiedAt: found.mtime };
  const names = (await readdir(path).catch(cannotRead(path))).toSorted();
  if (names.length > mostFiles) throw new InputError(`${path}: it has more than ${mostFiles} files.`);
  const limit = pLimit(sideBySide);
  const inside = await limit.map(names, (name) => stateInside(path, name));
  return {
    path,
    state: [state, ...inside.map(({ state }) => state)].join('\n'),
    modifiedAt: new Date(Math.max(found.mtimeMs, ...inside.map(({ mtimeMs }) => mtimeMs))),
  };
}

/** A file that has vanished, or a link to nothing, is reported only when it is read: editors leave such links. */
async function stateInside(folder: string, name: string): Promise<{ state: string; mtimeMs: number }> {
  const path = join(folder, name);
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return { state: `${name} ${ino} ${size} ${mtimeMs}`, mtimeMs };
  } catch (error) {
    if (!isMissing(error)) throw readFailure(path, error);
    return { state: `${name} leads to nothing`, mtimeMs: 0 };
  }
}

/**
 * What is found, once it has stopped changing for `settle`. A file that says it has been left alone for long is checked
 * twice too: a copy can keep the time of what it copies. Throws an `InputError` for one that goes on changing or is too old.
 */
export async function settled<Found extends readonly [SeenFile, ...SeenFile[]]>(
  find: (pick: FileChoice['pick']) => Promise<Found>,
  { pick, settle, maxAge }: FileChoice,
  { name, now, wait, onWait, signal }: SourceDeps,
): Promise<Found> {
  let found = await find(pick);
  for (let finds = 0, isStill = false; settle !== undefined && !isStill; finds++) {
    const paths = found.map(({ path }) => path);
    if (finds >= mostFinds)
      throw refusal('unsettledFile', { name, path: paths[0], seconds: (mostFinds * settle) / 1000 });
    onWait?.(`waiting for ${paths.join(', ')} to settle`, settle);
    await wait(settle, signal);
    const again = await find(pick);
    isStill = areSame(again, found);
    found = again;
  }
  assertFresh(found, maxAge, now());
  return found;
}

function areSame(found: readonly SeenFile[], before: readonly SeenFile[]): boolean {
  return found.length === before.length && found.every(({ state }, at) => state === before[at]?.state);
}

type Dated = Pick<SeenFile, 'path' | 'modifiedAt'>;

/** Throws an `InputError` for the first that is older than it may be, ms. */
export function assertFresh(found: readonly Dated[], maxAge: number = Infinity, now: Date): void {
  for (const { path, modifiedAt } of found) {
    const age = now.getTime() - modifiedAt.getTime();
    if (age <= maxAge) continue;
    throw refusal('tooOld', { path, age: sayTime(age), maxAge: sayTime(maxAge) });
  }
}

/**
 * The newest of several, or all, the oldest first. Throws an `InputError` with these words where there is none, and where
 * the newest has an earlier day in its name than another: somebody has opened and saved an old one.
 */
export function picked<File extends Dated>(
  found: readonly File[],
  pick: FileChoice['pick'],
  none: string,
): [File, ...File[]] {
  const ordered = found.toSorted(
    (a, b) => a.modifiedAt.getTime() - b.modifiedAt.getTime() || (a.path < b.path ? -1 : 1),
  );
  const [first, ...others] = pick === 'all' ? ordered : ordered.slice(-1);
  if (!first) throw new InputError(none);
  const later = pick === 'all' ? undefined : ordered.find(({ path }) => hasEarlierDay(first.path, path));
  if (later) throw refusal('changedAfter', { path: first.path, later: later.path });
  return [first, ...others];
}

/** A length of time as a person says it: `26 hours`, `3 days`. */
function sayTime(ms: number): string {
  const units: [string, number][] = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ];
  const [unit, length] = units.find(([, length]) => ms >= 2 * length) ?? ['second', 1000];
  const count = Math.floor(ms / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
