// Exports every job in the order in which data passes through them. Start reading here.

/**
 * What happens, in the order in which data meets it: start reading here. A command works through the steps of a run one by
 * one, since a person looks at the plan in between; `runSource` does so for whatever has no terminal.
 */

// A run begins because somebody asks for it, a time is due, or an HR system sent an event.
export { runSource, type SourceRun } from './run/run-source.ts';
export { dueTime, type DueRun, noticeDue, reasonToSkip, takeOver } from './run/run-due.ts';
export { startHandlingEvents } from './events/handle-events.ts';

// Its roster is opened, read, and compared with what everybody was last given. Nothing has been sent yet.
export { lowerRate, runSettings } from './run/run-settings.ts';
export { openForRun, type OpenRequest } from './run/open-source.ts';
export { planRoster, type PlannedRun, type PlanRequest } from './run/plan-roster.ts';
export { writeRejectsFile } from './run/rejects-file.ts';

// Its deliveries become due, except for what guards hold until somebody approves it.
export { keepHold } from './run/keep-hold.ts';
export { type Release, releaseOrHold } from './run/release-plan.ts';
export { approveRun } from './run/approve-run.ts';

// What is due is delivered: one call for each person.
export { type Deliverer, type DeliverOptions, startDelivering, waitForRun } from './deliver/deliver.ts';
export type { DeliveryEvents } from './deliver/delivering.ts';
export { groupInsert } from './deliver/group-insert.ts';
export { howToGoOn, type StopCommand, stopRun } from './run/steer-run.ts';

// When nothing is left the run ends, people are told, and what is older than is kept is removed.
export { finishRun } from './run/finish-run.ts';
export { announce, announceUnchanged, tendNotifications } from './run/announce.ts';
export { type Pruned, pruneLedger } from './upkeep/prune-ledger.ts';

// Later somebody asks what is known about a person, and whether people have answered.
export { readPerson } from './upkeep/read-person.ts';
export { type AnalysisContext, askAnalysis } from './story/story-question-analysis.ts';
export { keepAnswers } from './story/keep-answers.ts';
