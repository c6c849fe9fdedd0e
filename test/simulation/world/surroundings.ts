import type { Pool } from 'pg';
import type { Config } from '../../../config/load.ts';
import type { Tempo } from '../../../src/core/pace/waiting-times.ts';
import type { Redact } from '../../../src/core/secrets/secret.ts';
import type { Webhook } from '../../../src/core/webhooks/webhook.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { NewRun } from '../../../src/ledger/moves/begin-run.ts';
import type { Logger } from '../../../src/process/logger.ts';
import type { PaceStore } from '../../../src/queue/pace-store.ts';
import type { Chance } from './chance.ts';
import type { Being, Clock } from './clock.ts';
import type { SimulatedQueue } from './queue.ts';
import type { SimulatedService } from './service.ts';

/** What all processes of a world share. */
export interface Surroundings {
  clock: Clock;
  chance: Chance;
  pool: Pool;
  queue: SimulatedQueue;
  service: SimulatedService;
  /** A ledger that nobody's death interrupts, for the pace that all processes share. */
  ledger: Ledger;
  /** The pace, where it is kept for all processes. */
  paces: Map<string, PaceStore>;
  config: Config;
  tempo: Tempo;
  webhooks: ReadonlyMap<string, Webhook>;
  log: Logger;
  redact: Redact;
  /** Whether somebody is notified; what they are told. */
  hears: boolean;
  onNotice(notice: object): void;
  /** A process asks to begin a call, or begins a run. */
  onBegin(being: Being, id: number): void;
  onCreate(run: NewRun): void;
  /** A process delivers on its own; else there may be several. */
  isAlone: boolean;
  /** A process has failed by itself. */
  onFailure(being: Being, error: unknown): void;
  /** A process has claimed a delivery, or written a receipt. */
  onClaim(being: Being, claimed: { id: number; runId: string; email: string }): void;
  onRecord(being: Being, id: number, call: number): void;
  /** A run was released. */
  onRelease(runId: string): void;
}
