// `doctor --rebuild`: makes a ledger from the newest whole backup, and sets the damaged, lost or older one aside.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { codeOf, InputError, StorageError } from '../../core/errors.ts';
import { count } from '../../core/text/format.ts';
import { say } from '../../core/words/say.ts';
import { databaseOver, theRow } from '../database/database.ts';
import { DamagedDatabaseError } from '../database/embedded/embedded-engine.ts';
import { openEmbedded } from '../database/embedded/embedded.ts';
import { migrate, refuseNewer, migrationsOf } from '../database/migrations.ts';
import { type BackupHeader, checkBackup, type CheckedBackup, listBackups } from './backups.ts';
import { DamagedTableError, findDamage } from './damage.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { ensureIdentity, type LedgerIdentity, ledgerIdentity } from './ledger-identity.ts';
import { describeBackup, rebuiltName } from './wrong-ledger.ts';
import { claimOwnership } from './owner.ts';
import * as restoring from './restore-backup.ts';

/**
 * Makes a new embedded ledger from the newest backup that is whole. An old one that can be read, but lacks what the backup
 * knows, keeps all it has. It is moved aside, never deleted, once the new one is whole. Returns what to tell.
 * @param command what others are told that uses the directory meanwhile
 * @throws InputError when the ledger needs no rebuild, StorageError when there is nothing to make it of
 */
export async function rebuildLedger(dataDir: string, command: string): Promise<string> {
  const directory = await openDataDirectory(dataDir, { create: false });
  const owner = await claimOwnership(directory.path, { command, startedAt: new Date() });
  try {
    return (await finishInterrupted(directory)) ?? (await rebuild(directory));
  } finally {
    await owner.release();
  }
}

/** Completes a rebuild that died after the old ledger was moved aside and before the new one took its place. */
async function finishInterrupted({ path, ledger }: DataDirectory): Promise<string | undefined> {
  const rebuilt = join(path, rebuiltName);
  if (!existsSync(rebuilt)) return undefined;
  if (!(await isMissing(ledger))) {
    await rm(rebuilt, { recursive: true, force: true });
    return undefined;
  }
  await rename(rebuilt, ledger);
  return 'The ledger that an interrupted rebuild had made is in its place now.';
}

async function isMissing(ledger: string): Promise<boolean> {
  return (await readdir(ledger).catch(() => [])).length === 0;
}

/** What the ledger that is there says it is, or why nothing can be taken from it. */
async function examineOld({ ledger }: DataDirectory): Promise<LedgerIdentity | { unusable: string }> {
  if (await isMissing(ledger)) return { unusable: 'the ledger was missing' };
  let database;
  try {
    database = await openEmbedded(ledger);
  } catch (error) {
    if (error instanceof DamagedDatabaseError) return { unusable: 'the ledger cannot be opened' };
    throw error;
  }
  try {
    const db = databaseOver(database.pool);
    refuseNewer(await migrationsOf(db));
    if ((await findDamage(db)).length > 0) return { unusable: 'a part of the ledger cannot be read' };
    await migrate(db);
    await ensureIdentity(db);
    return await ledgerIdentity(db);
  } catch (error) {
    // Its own catalogue is damaged, or reading it has ended the engine.
    const says = await database.pool.query('select 1').catch(() => undefined);
    const isDamaged = says === undefined || error instanceof DamagedTableError || codeOf(error).startsWith('XX');
    if (isDamaged) return { unusable: 'the ledger cannot be read' };
    throw error;
  } finally {
    await database.close();
  }
}

async function newestWhole(folder: string): Promise<CheckedBackup | undefined> {
  for (const { file } of await listBackups(folder)) {
    const checked = await checkBackup(file).catch((error: unknown) => {
      if (!(error instanceof StorageError)) throw error;
    });
    if (checked) return checked;
  }
  return undefined;
}

async function rebuild(directory: DataDirectory): Promise<string> {
  const old = await examineOld(directory);
  const backup = await newestWhole(directory.backup);
  if (!('unusable' in old) && (backup === undefined || knowsAll(old, backup.header))) {
    throw new InputError('The ledger can be read, so it needs no rebuild. Nothing was changed.');
  }
  if (backup === undefined) {
    const { unusable } = old as { unusable: string };
    throw new StorageError(say('nothingToRebuildFrom', 1, { path: directory.path, unusable }));
  }
  const building = `${directory.ledger}.rebuilding`;
  for (const left of [building, `${building}.new`]) await rm(left, { recursive: true, force: true });
  if (!('unusable' in old)) await cp(directory.ledger, building, { recursive: true });
  const made = await fill(building, backup);
  const aside = await putInPlace(directory, building);
  return sayRebuilt(made, backup.header, old, aside);
}

function knowsAll({ id, backups }: LedgerIdentity, { ledger, backup }: BackupHeader): boolean {
  return id === ledger && backup.number <= backups;
}

/** How many people and runs the new ledger knows, and how many runs were not over. */
type Made = Record<'people' | 'runs' | 'ended', number>;

/** Adds what a backup knows to a ledger, a new one where there is none. */
async function fill(path: string, backup: CheckedBackup): Promise<Made> {
  const database = await openEmbedded(path);
  try {
    const db = databaseOver(database.pool);
    await migrate(db);
    await ensureIdentity(db);
    await restoring.restoreBackup(db, backup);
    await sql`update ledger set rebuilt_at = clock_timestamp()`.execute(db);
    const ended = await restoring.endUnfinished(db, say('ledgerRebuilt', 1));
    await restoring.eraseForgotten(db, () => `forgotten-${randomBytes(8).toString('hex')}`);
    const known = await theRow<{ people: number; runs: number }>(db)`
      select (select count(distinct (service, person_key)) from people) as people,
        (select count(*) from runs) as runs`;
    return { ...known, ended };
  } finally {
    await database.close();
  }
}

/** Puts the new ledger in the place of the old one. Dying between any two steps leaves one that `finishInterrupted` finds. */
async function putInPlace({ path, ledger }: DataDirectory, built: string): Promise<string | undefined> {
  const rebuilt = join(path, rebuiltName);
  await rename(built, rebuilt);
  let aside: string | undefined;
  if (!(await isMissing(ledger))) {
    aside = join(path, `ledger-aside-${new Date().toISOString().replaceAll(/[:.]/g, '')}`);
    await rename(ledger, aside);
  }
  await rm(ledger, { recursive: true, force: true });
  await rename(rebuilt, ledger);
  return aside;
}

function sayRebuilt({ people, runs, ended }: Made, backup: BackupHeader, old: object, aside?: string): string {
  const known = count(people, 'person', 'people');
  const from = `the backup ${describeBackup(backup)}`;
  return [
    ...('unusable' in old
      ? [
          `The ledger was rebuilt (${String(old.unusable)}): ${known} are known, from ${from}.`,
          say('rebuiltFromBackup', 1),
          say('notInBackup', 1),
        ]
      : [
          `The ledger was rebuilt: ${known} and ${count(runs, 'run')} are known.`,
          `What was missing in the old one was taken from ${from}.`,
          say('rebuiltFromBackup', 1),
        ]),
    ...(ended > 0 ? [`Unfinished runs that were ended: ${ended}. Import their rosters again.`] : []),
    ...(aside === undefined ? [] : [`The old one is in ${aside}.`]),
  ].join('\n');
}
