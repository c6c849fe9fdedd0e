// Exports the whole ledger into an archive, and marks it as moved.
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Pool } from 'pg';
import { BusyError, InputError } from '../core/errors.ts';
import { onRun } from '../core/next-step.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { archiveText } from '../ledger/archive/write-archive.ts';
import { refuseMoved } from '../ledger/directory/ledger-identity.ts';
import { databaseOver } from '../ledger/database/database.ts';
import { holdDeliveryLock } from '../ledger/database/postgres.ts';
import { writeGzip } from '../ledger/directory/gzip-lines.ts';
import { readVersion } from '../process/version.ts';

export interface Exported {
  file: string;
  ledger: string;
  /** ISO 8601. */
  at: string;
  bytes: number;
  rows: Record<string, number>;
}

/** What is needed of a context to export its ledger. */
export interface Exportable {
  ledger: Ledger;
  pool: Pool;
  /** Whether other processes may have the ledger open too. */
  isShared: boolean;
}

/**
 * Exports a ledger into a file, while nobody delivers. The ledger is marked as moved before the first row is read, so
 * that there is no moment at which it and a ledger made from the archive may both send; the mark is taken back if the
 * archive cannot be written.
 * @throws BusyError while another process delivers, or a run is planned or delivered; InputError when the file is there, or
 *   the ledger was exported before
 */
export async function exportLedger({ ledger, pool, isShared }: Exportable, to: string): Promise<Exported> {
  const file = resolve(to);
  if (existsSync(file)) throw new InputError(`${file} is already there. Name a new file.`);
  const lock = isShared ? await holdDeliveryLock(pool, 'alone').catch(sayWhoDelivers) : undefined;
  try {
    refuseMoved(await ledger.movedAt());
    await refuseInFlight(ledger);
    const at = new Date();
    let rows: Record<string, number> = {};
    await ledger.markMoved();
    try {
      const text = archiveText(databaseOver(pool), {
        at,
        program: readVersion(),
        onEnd: (counted) => {
          rows = counted;
        },
      });
      await writeGzip(file, text, { what: 'the archive' });
    } catch (error) {
      await ledger.unmarkMoved();
      throw error;
    }
    return { file, ledger: await ledger.ledgerId(), at: at.toISOString(), bytes: (await stat(file)).size, rows };
  } finally {
    await lock?.release();
  }
}

function sayWhoDelivers(error: unknown): never {
  if (!(error instanceof BusyError)) throw error;
  throw new BusyError(
    'another process delivers with this database. Stop every server, worker and import first, then export again.',
    { cause: error },
  );
}

/** What is being planned or sent would be finished by nobody, or by two. */
async function refuseInFlight(ledger: Ledger): Promise<void> {
  const busy = (await ledger.unfinishedRuns()).filter(({ status }) => ['planning', 'delivering'].includes(status));
  if (busy.length === 0) return;
  const runs = busy.map(({ id, status }) => `${id} (${status})`).join(', ');
  throw new BusyError(`not finished: ${runs}. Let it finish, or stop it, then export again. Nothing was exported.`, {
    next: busy.flatMap(({ id }) => onRun(id, 'resume')),
  });
}
