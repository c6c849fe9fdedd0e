// The public API of the package.

/**
 * roster-sync in a program of your own: read rosters, plan, deliver, look at receipts. docs/library.md explains it, and
 * examples/library holds a program that runs.
 *
 * Only what this module exports is promised: it changes incompatibly with a new major version only (before 1.0, a new
 * minor one), and the changelog says so. Files below `dist` are not for you.
 *
 * @example
 * await using rosterSync = await openRosterSync({ settings: { 'service.baseUrl': 'https://api.example.com' } });
 * const result = await rosterSync.sync({
 *   source: 'staff',
 *   roster: 'staff.csv',
 *   columns: { groupColumns: ['Department'] },
 *   confirm: async (plan) => (plan.calls <= 20 && !plan.isHeld ? { approvedBy: 'nightly job' } : false),
 * });
 * console.log(result?.status, result?.outcome);
 */
export { openRosterSync, type OpenRosterSyncOptions } from './library/open-roster-sync.ts';
export type {
  Columns,
  PlanRequest,
  ReadOptions,
  ResumeOptions,
  Roster,
  RosterSync,
  SyncRequest,
} from './library/roster-sync.ts';
export type { Act, Ask, Bytes } from './acts/act.ts';
export * from './acts/looking.ts';
export { listLeftBehind, markLeftBehind } from './acts/left-behind.ts';
export { reportRun } from './acts/run-files.ts';
export { cancelRun, pauseRun } from './acts/runs.ts';
export { type ReadRow, readRoster } from './library/read-roster.ts';
export type { Plan, PlannedPerson, PlanToConfirm } from './library/roster-sync.ts';
export type { Receipt, RunResult } from './library/roster-sync.ts';
export { BusyError, InputError, RosterSyncError, ServiceError, StorageError } from './core/errors.ts';
