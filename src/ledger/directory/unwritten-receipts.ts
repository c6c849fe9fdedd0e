// Keeps receipts in files while the ledger cannot be written, and writes those of ended processes into it.
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallRecord } from '../moves/record.ts';

/** What a file of a receipt says that it is. */
const receiptFormat = 'roster-sync-receipt';

/** A receipt that the ledger could not take yet, as it lies in a file. */
export interface UnwrittenReceipt {
  ledger: string;
  /** The process that made the call, by its name in the ledger. */
  worker: string;
  record: CallRecord;
}

/** The folder for them in a data directory. */
export function receiptsFolder(dataDirectory: string): string {
  return join(dataDirectory, 'receipts');
}

/**
 * What was answered and is not in the ledger yet. While the ledger cannot be written, each such receipt lies in a file of
 * its own (mode 0600), so that a process that has to end meanwhile loses none: the next one reads them back.
 * @param onError called for a file that cannot be written; its receipt is then in this process alone
 */
export function keepUnwritten(folder: string, of: Omit<UnwrittenReceipt, 'record'>, onError: (error: unknown) => void) {
  const inHand = new Set<CallRecord>();
  const files = new Map<CallRecord, string>();
  let isAway = false;

  function keep(record: CallRecord): void {
    if (files.has(record)) return;
    const file = join(folder, `${of.ledger.slice(0, 8)}-${record.run}-${record.id}-${record.call}.json`);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const kept = { format: receiptFormat, ...of, record };
      // A process that ends in the middle leaves a half under this name alone.
      writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: 0o600 });
      renameSync(`${file}.new`, file);
      files.set(record, file);
    } catch (error) {
      onError(error);
    }
  }

  return {
    /** The ledger cannot be written: receipts in hand, and new ones until it can, go to files. */
    ledgerIsAway(): void {
      isAway = true;
      for (const record of inHand) keep(record);
    },
    /** Writes a receipt down with `write`; until that has succeeded it is in hand. */
    async writing(record: CallRecord, write: (record: CallRecord) => Promise<void>): Promise<void> {
      inHand.add(record);
      if (isAway) keep(record);
      try {
        await write(record);
      } catch (error) {
        keep(record);
        throw error;
      } finally {
        inHand.delete(record);
      }
      isAway = false;
      const file = files.get(record);
      if (file !== undefined) rmSync(file, { force: true });
      files.delete(record);
    },
  };
}

export type UnwrittenReceipts = ReturnType<typeof keepUnwritten>;

/** The receipts that processes have left in a folder, each with its file; undefined for a file that cannot be read. */
function leftReceipts(folder: string): { file: string; receipt: UnwrittenReceipt | undefined }[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => /\.json(\.new)?$/.test(name));
  } catch {
    return [];
  }
  return names.toSorted().map((name) => {
    const file = join(folder, name);
    try {
      const { format: found, ...receipt } = JSON.parse(readFileSync(file, 'utf8')) as UnwrittenReceipt & {
        format: string;
      };
      return { file, receipt: found === receiptFormat ? receipt : undefined };
    } catch {
      return { file, receipt: undefined };
    }
  });
}

/**
 * Writes the receipts that processes have left in a folder into their ledger, and removes their files.
 * @returns how many were written, and the files that are of another ledger, of what was lost of this one, or cannot be read: these stay
 */
export async function writeLeftReceipts(
  folder: string,
  ledger: { ledgerId(): Promise<string>; recordLate(worker: string, record: CallRecord): Promise<boolean> },
): Promise<{ written: number; left: string[] }> {
  const found = leftReceipts(folder);
  const id = found.length > 0 ? await ledger.ledgerId() : '';
  const left: string[] = [];
  let written = 0;
  for (const { file, receipt } of found) {
    const isHalf = receipt === undefined && file.endsWith('.new');
    if (isHalf || (receipt?.ledger === id && (await ledger.recordLate(receipt.worker, receipt.record)))) {
      rmSync(file, { force: true });
      if (!isHalf) written += 1;
    } else left.push(file);
  }
  return { written, left };
}
