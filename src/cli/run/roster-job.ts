// The types of a roster on its way through `import`, `sync` or `plan`, with its flags.
import type { Flag } from '../../../config/load.ts';
import type { OpenedRoster } from '../../../jobs/index.ts';
import type { Rate } from '../../core/pace/pacing.ts';
import type { Trigger } from '../../core/run/run.ts';
import type { NewRun } from '../../ledger/moves/begin-run.ts';
import type { GlobalOptions, Session } from '../frame/session.ts';

export interface RunOptions extends GlobalOptions {
  forceSync?: boolean;
  invite?: boolean;
  rate?: string;
  all?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  only: string[];
  /** As it was typed; see `delivery.maxInvitations`. */
  maxInvitations?: string;
  /** The time the roster speaks of. */
  asOf?: string;
  report?: string;
  /** False with `--no-worker`. */
  worker: boolean;
  /** False with `--no-wait`. */
  wait: boolean;
  /** The people were given everything elsewhere: remember it, and send nothing. */
  baseline?: boolean;
  /** False with `--no-canary`. */
  canary?: boolean;
  /** Leave out who has left or not started, by the roster's own columns. */
  onlyActive?: boolean;
  /** Send everybody, whatever a column says about who is there. */
  everybody?: boolean;
  /** The CSV files that are written open in Excel. */
  excel?: boolean;
  /** Of a file with the people of a plan: only these kinds, only what this guard holds, the unchanged too. */
  kind: string[];
  guard?: string;
  unchanged?: boolean;
  /** Of `plan`: where to write it. */
  planOnly?: { output?: string };
}

/** The setting that `--max-invitations` is. */
export function boundOf({ maxInvitations: value }: Pick<RunOptions, 'maxInvitations'>): Flag {
  return { flag: '--max-invitations', setting: 'delivery.maxInvitations', value };
}

export interface RosterRun {
  session: Session;
  options: RunOptions;
  trigger: Trigger;
  source: string;
  /** The service's normalised address. */
  service: string;
  opened: OpenedRoster;
  /** The pace it was asked for; its source may lower it. */
  rate: Rate;
}

/** The same, and the row of its run. */
export type Job = RosterRun & { run: NewRun };
