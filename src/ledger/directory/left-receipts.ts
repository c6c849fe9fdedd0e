// Writes receipts from the files of ended processes into the ledger.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Ledger } from '../ledger.ts';
import { receiptFormat, type UnwrittenReceipt } from './unwritten-receipts.ts';

/** The receipts that processes have left in a folder, each with its file; undefined for a file that cannot be read. */
function leftReceipts(folder: string): { file: string; receipt: UnwrittenReceipt | undefined }[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.json'));
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
 * @returns how many were written, and the files that are of another ledger or cannot be read, which stay
 */
export async function writeLeftReceipts(
  folder: string,
  ledger: Pick<Ledger, 'ledgerId' | 'recordLate'>,
): Promise<{ written: number; left: string[] }> {
  const found = leftReceipts(folder);
  const id = found.length > 0 ? await ledger.ledgerId() : '';
  const left: string[] = [];
  for (const { file, receipt } of found) {
    if (receipt?.ledger !== id) {
      left.push(file);
      continue;
    }
    await ledger.recordLate(receipt.worker, receipt.record);
    rmSync(file, { force: true });
  }
  return { written: found.length - left.length, left };
}
