import { openDataDirectory } from '../../src/ledger/directory.ts';
import { openEmbedded } from '../../src/ledger/embedded/embedded.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { openQueue } from '../../src/queue/queue.ts';

/** Makes a data directory in which nobody is known and everything is migrated, to be copied: making one takes seconds. */
export async function makeDataDirectory(path: string): Promise<void> {
  const { ledger } = await openDataDirectory(path, { create: true });
  const { pool, close } = await openEmbedded(ledger);
  await openLedger(pool, { worker: 'none', patience: { forMs: 0, onLoss: () => {} } });
  const queue = await openQueue({ service: 'none', pool }, () => {});
  await queue.close();
  await close();
}
