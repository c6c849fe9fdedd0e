// Describes what there is to say about a schedule.

export interface ScheduleView {
  /** `(answers)` for the answers of stories. */
  source: string;
  cron: string;
  timezone: string;
  /** The next times; those on a day that is blacked out are marked. */
  next: { at: string; isBlackedOut: boolean }[];
  /** The last time that was due and was handled; absent if there is no ledger, null if there was no such time. */
  last?: { due: string; result: string; reason: string; run: string | null; status: string | null } | null;
  /** The time that is due and nobody has handled, and what will become of it. */
  missed?: { due: string; will: 'run' | 'missed' | 'blackout' };
}
