import { emptyLedger } from '../../src/empty-ledger.ts';
import { openDataDirectory } from '../../src/ledger/directory.ts';
import { unpack, writeFolder } from '../../src/ledger/template/archive.ts';
import { createLogger } from '../../src/logger.ts';

/** Makes a data directory in which nobody is known, with a ledger and a queue that are ready: of the template, as the product does. */
export async function copyEmptyDataDirectory(to: string): Promise<void> {
  const archive = await emptyLedger(createLogger({ quiet: true }));
  if (!archive) throw new Error('no template of an empty ledger can be made on this machine');
  const umask = process.umask(0o077);
  const { ledger } = await openDataDirectory(to, { create: true });
  process.umask(umask);
  await writeFolder(unpack(archive), ledger);
}
