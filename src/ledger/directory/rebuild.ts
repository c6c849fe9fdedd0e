// `doctor --rebuild`: makes a new ledger from what can be read of a damaged one and its backup.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { codeOf, StorageError } from '../../core/errors.ts';
import { type BackupHeader, readBackup } from './backup.ts';
import { listBackups } from './backups.ts';
import { type Copied, copyTables } from './copy-tables.ts';
import { findDamage } from './damage.ts';
import { type Database, databaseOver } from '../database/database.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { DamagedDatabaseError } from '../database/embedded/embedded-engine.ts';
import { openEmbedded } from '../database/embedded/embedded.ts';
import { describeBackup, rebuiltName } from './lost-ledger.ts';
import { migrate, refuseNewer } from '../database/migrations.ts';
import { claimOwnership } from './owner.ts';
import * as restoring from './restore-backup.ts';
import { count } from '../../core/text/figures.ts';

const page = 1000;

/** Asks whether to rebuild a ledger although it can be read. */
export type Confirm = (question: string) => Promise<boolean>;

/**
 * Makes a new embedded ledger of all that can be read of the old one and, where something is missing there, of the newest backup
 * that is whole. The old one is moved aside, never deleted, once the new one is whole. Returns what to tell; undefined when
 * nothing was done because `confirm` said no.
 * @throws StorageError when there is nothing to make it of
 */
export async function rebuildLedger(dataDir: string, confirm: Confirm): Promise<string | undefined> {
  const directory = await openDataDirectory(dataDir, { create: false });
  const owner = await claimOwnership(directory.path, { command: 'doctor --rebuild', startedAt: new Date() });
  try {
    return (await finishInterrupted(directory)) ?? (await rebuild(directory, confirm));
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

/** The old ledger, where it can be opened. */
interface Old {
  db: Database;
  id: string;
  backups: number;
  /** The last migration it has gone through; undefined where it names none. */
  migration: string | undefined;
  /** Whether everything in it can be read. */
  isWhole: boolean;
  close(): Promise<void>;
}

async function openOld({ ledger }: DataDirectory): Promise<Old | { unusable: string }> {
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
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    const names = rows.map(({ name }) => name).toSorted();
    refuseNewer(names);
    const damage = await findDamage(db);
    const found = await sql<{
      identity: { id: string; backups?: number };
    }>`select to_jsonb(l) as identity from ledger l`
      .execute(db)
      .catch(() => undefined);
    const { id = '', backups = 0 } = found?.rows[0]?.identity ?? {};
    return { db, id, backups, migration: names.at(-1), isWhole: damage.length === 0, close: () => database.close() };
  } catch (error) {
    const says = await database.pool.query('select 1').catch(() => undefined);
    await database.close();
    // Its own catalogue is damaged, or reading it has ended the engine.
    if (says === undefined || codeOf(error).startsWith('XX')) return { unusable: 'the ledger cannot be read' };
    throw error;
  }
}

/** A backup that was read to its end: damage at the end of one shows only there. */
interface WholeBackup {
  header: BackupHeader;
  people: object[];
}

async function newestWhole(folder: string): Promise<WholeBackup | undefined> {
  for (const { file, header } of await listBackups(folder)) {
    if (header === undefined) continue;
    try {
      const people: object[] = [];
      for await (const person of (await readBackup(file)).lines) people.push(person);
      return { header, people };
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
  }
  return undefined;
}

async function rebuild(directory: DataDirectory, confirm: Confirm): Promise<string | undefined> {
  const found = await openOld(directory);
  const old = 'db' in found ? found : undefined;
  try {
    const backup = await newestWhole(directory.backup);
    if (old === undefined && backup === undefined) {
      throw new StorageError(
        `there is nothing in ${directory.path} to rebuild the ledger from: ${(found as { unusable: string }).unusable}, ` +
          'and no backup can be read. Nothing was changed.',
      );
    }
    // What the backup knows and the ledger does not.
    const isBehind = backup !== undefined && old !== undefined && !knowsAll(old, backup.header);
    const isHealthy = old?.isWhole === true && !isBehind;
    if (isHealthy && !(await confirm(healthyQuestion))) return undefined;
    const building = `${directory.ledger}.rebuilding`;
    for (const left of [building, `${building}.new`]) await rm(left, { recursive: true, force: true });
    const made = await build(building, { old, backup: isHealthy ? undefined : backup });
    await old?.close();
    const aside = await putInPlace(directory, building);
    const unusable = 'unusable' in found ? found.unusable : undefined;
    return sayRebuilt(made, { unusable, backup: isHealthy ? undefined : backup, aside });
  } finally {
    await old?.close();
  }
}

const healthyQuestion = 'The ledger can be read, so it needs no rebuild. Rebuild it anyway, from everything in it?';

function knowsAll({ id, backups }: Old, { ledger, number = 0 }: BackupHeader): boolean {
  return id === ledger && number <= backups;
}

interface Made {
  copied: Copied | undefined;
  people: number;
  runs: number;
  /** Runs that were not over. */
  ended: number;
}

async function build(
  path: string,
  { old, backup }: { old: Old | undefined; backup: WholeBackup | undefined },
): Promise<Made> {
  const database = await openEmbedded(path);
  try {
    const db = databaseOver(database.pool);
    // A migration also fills its tables from the rows, so these go into the tables of their own version first.
    if (old?.migration !== undefined) await migrate(db, old.migration);
    const copied = old && (await copyTables(old.db, db));
    await migrate(db);
    if (backup) {
      const { header, people } = backup;
      // The backup must belong to this ledger, or the next backup could not be written next to it.
      const backups = Math.max(old?.backups ?? 0, header.number ?? 0);
      await restoring.becomeLedger(db, { id: header.ledger, backups });
      for (let at = 0; at < people.length; at += page) await restoring.restorePeople(db, people.slice(at, at + page));
      if (header.forgotten) await restoring.restoreForgotten(db, header.forgotten);
    }
    const isWhole = copied !== undefined && copied.lost.length === 0 && backup === undefined;
    const ended = isWhole ? 0 : await restoring.endUnfinished(db, endedReason);
    if (!isWhole) await restoring.eraseForgotten(db, () => `forgotten-${randomBytes(8).toString('hex')}`);
    const { rows } = await sql<{ people: number; runs: number }>`
      select (select count(*) from (select distinct service, person_key from people) p) as people,
        (select count(*) from runs) as runs`.execute(db);
    return { copied, ended, people: rows[0]?.people ?? 0, runs: rows[0]?.runs ?? 0 };
  } finally {
    await database.close();
  }
}

const endedReason = 'the ledger was rebuilt, and what this run had sent may be missing in it: import its roster again';

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

function sayRebuilt(
  { copied, people, runs, ended }: Made,
  {
    unusable,
    backup,
    aside,
  }: { unusable: string | undefined; backup: WholeBackup | undefined; aside: string | undefined },
): string {
  const lost = copied?.lost ?? [];
  return [
    `The ledger was rebuilt${unusable === undefined ? '' : ` (${unusable})`}: ${count(people, 'person', 'people')} and ${count(runs, 'run')} are known.`,
    ...lost.map(
      ({ table, pages }) => `Of the table ${table}, rows on ${count(pages, 'page')} cannot be read and are lost.`,
    ),
    ...(backup ? [`What was missing in the old one was taken from the backup ${describeBackup(backup.header)}.`] : []),
    ...(ended > 0 ? [`Unfinished runs that were ended: ${ended}. Import their rosters again.`] : []),
    ...(aside === undefined ? [] : [`The old one is in ${aside}.`]),
  ].join('\n');
}
