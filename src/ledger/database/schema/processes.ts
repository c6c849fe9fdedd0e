// The types of the tables of the ledger itself and the processes that work with it.
import type { ColumnType, Generated } from 'kysely';

/** One row: this ledger's identity. */
interface LedgerTable {
  id: string;
  /** The key of the hashes in `forgotten`; never shown. */
  forget_key: ColumnType<string, never, string>;
  created_at: Generated<Date>;
  backups: Generated<number>;
  /** When it was exported; null while it is in use. */
  moved_at: Date | null;
}

/** A process that plans or delivers, and when it last gave a sign of life. */
interface WorkerTable {
  id: string;
  seen_at: Generated<Date>;
  /** Since when it has given signs of life without a gap. */
  alive_since: Generated<Date>;
}

/** The process that feeds the queue of a service, and until when unless it says so again. */
interface FeederTable {
  service: string;
  worker: string;
  until: Date;
}

/** The share of the configured rate that a service bore when it was last called. */
interface PaceTable {
  service: string;
  share: number;
  throttled_until: Date | null;
  throttled_ms: number | null;
  throttle_reason: string | null;
}

export interface ProcessesTables {
  ledger: LedgerTable;
  workers: WorkerTable;
  feeders: FeederTable;
  paces: PaceTable;
}
