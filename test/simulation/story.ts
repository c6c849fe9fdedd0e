import type { Change } from './company.ts';
import type { Mood } from './world/service.ts';

export type SourceName = 'staff' | 'contractors';

/** What a process asks the ledger or the service, and dies or stands still at. */
export const verbs = [
  'claim',
  'begin',
  'insertGroups',
  'record',
  'handBack',
  'findDue',
  'reclaimFromDeadWorkers',
  'planRun',
  'releaseRun',
  'approveHeld',
  'continueRun',
  'moveRun',
  'closeRun',
  'erasePerson',
  'takeEvents',
  'eventsHandled',
] as const;

/** A moment in the life of a process: the next time that it asks this. */
export interface Moment {
  verb: (typeof verbs)[number];
  /** Before it asks, while it is asked, or when that has happened and it does not know yet. */
  when: 'before' | 'during' | 'after';
}

/** What happens in a story. */
export type Deed =
  | { do: 'hr'; change: Change }
  | {
      do: 'night';
      source: SourceName;
      by: number;
      /** Which file comes: today's, half of it, an earlier one again, or today's in another order, or that of the other source. */
      file: 'whole' | 'half' | 'old' | 'shuffled' | 'other';
      /** Somebody looks at the plan and says yes or no; else it is a schedule. */
      says?: 'yes' | 'no';
      /** Its people were given everything elsewhere: that is recorded, and nothing is sent. */
      baseline?: boolean;
      all?: boolean;
      /** Somebody hands in the file, and has yet to look at the plan. */
      isBrought?: boolean;
    }
  | { do: 'event'; id: number; copies: number; carries?: 'nobody' }
  | { do: 'approve'; by: number; which: number; part?: 'new' | 'changed'; hash?: 'right' | 'wrong' }
  | { do: 'pause' | 'cancel' | 'resume' | 'retry'; by: number; which: number }
  | { do: 'forget'; by: number; id: number }
  | { do: 'resolve'; by: number; id: number; as: 'renamed-there' | 'new-account' }
  | { do: 'stop' | 'start'; process: number }
  | { do: 'kill'; process: number; at?: Moment }
  | { do: 'stall'; process: number; ms: number; at?: Moment }
  | { do: 'service'; mood: Mood; forMs: number }
  | { do: 'queue'; how: 'lose' | 'double' }
  | { do: 'clock'; byMs: number }
  | { do: 'day' };

/** A deed, and when it happens: after the one before has begun, or once everything is quiet. */
export type Step = Deed & { after: number | 'quiet' };

/** Everything that a simulated story is made of. The same one always goes the same way. */
export interface Story {
  /** What is left to chance besides the steps: how long everything takes, and who comes first. */
  seed: number;
  /** One process with everything in it, or several. */
  processes: number;
  /** People of the beginning. */
  people: number;
  /** Contractors are sent with `forceSync`. */
  forceSync: boolean;
  /** Large runs are released with care. */
  canary: boolean;
  /** The end is short: one more night, and whether a further one would send anything is not tried. */
  endsSoon?: boolean;
  /** The most people that one run may invite, where somebody has said so. */
  maxInvitations?: number;
  /** Rosters have a column that says who is still there. */
  tellsStatus?: boolean;
  /** How long a call may take, s; 4 unless given. */
  timeout?: number;
  /** Nothing goes wrong, and every plan and hold can be foretold. */
  isCalm?: boolean;
  steps: Step[];
}
