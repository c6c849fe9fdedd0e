import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { keepEmbeddedCode } from '../support/embedded-code.ts';

/** One call as the ledger remembers it. */
export interface KeptReceipt {
  person: string;
  call: number;
  kind: string;
  hash: string | null;
}

/** What an embedded ledger holds. */
export interface KeptLedger {
  receipts: KeptReceipt[];
  /** People whose call had begun and had no receipt yet. */
  inFlight: Set<string>;
  /** People whom somebody had claimed and not called. */
  claimed: Set<string>;
  deliveries: { person: string; state: string; outcome: string | null; repeated: boolean }[];
  runs: { status: string; reason: string }[];
}

/** Reads the ledger of a data directory that no process owns, from a copy: the original stays as it was left. */
export async function readLedger(dataDir: string): Promise<KeptLedger> {
  const folder = await mkdtemp(join(tmpdir(), 'roster-sync-copy-'));
  try {
    await cp(join(dataDir, 'ledger'), join(folder, 'ledger'), { recursive: true });
    await keepEmbeddedCode();
    const { pool, close } = await openEmbedded(join(folder, 'ledger'));
    try {
      const receipts = await pool.query<KeptReceipt>(
        'select d.person_key as person, r.call, r.kind, r.hash from receipts r join deliveries d on d.id = r.delivery_id',
      );
      const deliveries = await pool.query<KeptLedger['deliveries'][number]>(
        'select person_key as person, state, outcome, repeated from deliveries',
      );
      const runs = await pool.query<KeptLedger['runs'][number]>(
        'select status, status_reason as reason from runs order by number',
      );
      const inHand = await pool.query<{ person: string; called: boolean }>(
        'select person_key as person, called_at is not null as called from in_hand',
      );
      const peopleOf = (called: boolean): Set<string> =>
        new Set(inHand.rows.filter((row) => row.called === called).map(({ person }) => person));
      return {
        receipts: receipts.rows,
        inFlight: peopleOf(true),
        claimed: peopleOf(false),
        deliveries: deliveries.rows,
        runs: runs.rows,
      };
    } finally {
      await close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
