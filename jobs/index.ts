// Exports every job in the order in which data passes through them. Start reading here.

// A run begins because somebody asks for it, a time is due, or an HR system sent an event.
export { runSource, type SourceRun } from './run/run-source.ts';
export { dueTime, type DueRun, noticeDue, reasonToSkip, takeOver } from './run/run-due.ts';
export { startHandlingEvents } from './events/handle-events.ts';

// One function conducts all of them, and asks whoever is there. A command hands in its roster; `runSource` opens one.
export {
  type Attendant,
  type Conducted,
  conductRun,
  type Proposal,
  type Refusal,
  type RunToConduct,
  type Yes,
} from './run/conduct-run.ts';
export { newRun, type RunToBegin } from './run/planning-run.ts';

// Its roster is opened, read, and compared with what everybody was last given. Nothing has been sent yet.
export { openForRun, type OpenRequest, RosterUnchanged } from './run/open-source.ts';
export { planRoster, presenceOf } from './run/plan-roster.ts';
export { settleColumns } from './run/settle-columns.ts';
export type { OpenedRoster, PlannedRun, PlanRequest } from './run/planning-run.ts';
export { rejectsFileParts, writeRejectsFile } from './run/rejects-file.ts';

// Its deliveries become due, except for what guards hold until somebody approves it.
export { type Release, releaseOrHold } from './run/release-plan.ts';
export { approveRun, needsSomebodyElse } from './run/steer-run.ts';

// What is due is delivered: one call for each person.
export { type Deliverer, type DeliverOptions, lookAtRun, startDelivering, waitForRun } from './deliver/deliver.ts';
export { type DeliveryEvents, groupInsert } from './deliver/group-insert.ts';
export { howToGoOn, refuseOtherService, type StopCommand, stopRun } from './run/steer-run.ts';

// When nothing is left the run ends, people are told, and what is older than is kept is removed.
export { finishRun } from './run/release-plan.ts';
export { announce, announceUnchanged, tendNotifications } from './run/announce.ts';
export { type Pruned, pruneLedger } from './upkeep/prune-ledger.ts';

// Later somebody asks what is known about a person, has a person forgotten, says who moved to a new address, and asks whether people have answered.
export {
  allowAgain,
  findPersonToForget,
  forgetPerson,
  type Forgotten,
  type MovesToResolve,
  type PersonToForget,
  readPerson,
  refuseWhileBusy,
  resolveMoves,
} from './upkeep/person.ts';
export { type AnalysisContext, askAnalysis } from './story/story-question-analysis.ts';
export { keepAnswers } from './story/keep-answers.ts';
export { askWhoAnswered } from './story/complete-roster.ts';
export { type KnownSchedule, readKnownSchedules, viewSchedules } from './run/run-due.ts';
