/** What the queue and the commands run, in the order data meets them. */
export { type OpenedSource, openForRun, type OpenRequest } from './open-source.ts';
export { lowerRate, runSettings, type Wishes } from './run-settings.ts';
export { planRoster, type PlanRequest, type PlannedRun } from './sync-roster.ts';
export { type Release, releaseOrHold, type ReleaseRequest } from './release-plan.ts';
export { runSource, type SourceRun, type SourceRunContext, type SourceRunResult } from './run-source.ts';
export { dueTime, type DueRun, noticeDue, reasonToSkip, takeOver } from './run-due.ts';
export { writeRejectsFile } from './rejects-file.ts';
export { approveRun, type ApproveRequest } from './approve-run.ts';
export { type Deliverer, type DeliverOptions, startDelivering, waitForRun } from './deliver.ts';
export type { DeliveryEvents } from './delivering.ts';
export { groupInsert } from './group-insert.ts';
export { type EventHandling, startHandlingEvents } from './handle-events.ts';
export { howToGoOn, type StopCommand, stopRun } from './steer-run.ts';
export { finishRun } from './finish-run.ts';
export { announce, announceUnchanged, remindHolds, tendNotifications } from './announce.ts';
export { type Pruned, pruneLedger } from './prune-ledger.ts';
export { readPerson } from './read-person.ts';
export { type AnalysisContext, type AnalysisEvents, askAnalysis } from './story-question-analysis.ts';
