// Counts everything in the sandbox, for `/_sandbox/stats`.
import type { CallTotals } from './record.ts';
import type { World } from './world.ts';

/** The sandbox's own count of everything; also what `GET /_sandbox/stats` answers. */
export interface SandboxStats extends CallTotals {
  users: number;
  groups: number;
  /** Invitations whose time has come, and those to come, on the sandbox's clock. */
  invitationsSent: number;
  invitationsPending: number;
}

export function statsOf({ record, people, outbox }: World): SandboxStats {
  const invitationsSent = outbox.sent().length;
  return {
    ...record.totals(),
    users: people.count,
    groups: people.groups().length,
    invitationsSent,
    invitationsPending: outbox.size - invitationsSent,
  };
}
