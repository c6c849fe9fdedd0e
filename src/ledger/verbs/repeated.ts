// Verbs that are idempotent: each is repeated until the database answers.
export { addAccount, addSession, approvers, changePassword, changeRole, endSession } from '../access/accounts.ts';
export {
  findAccount,
  findLink,
  findSession,
  keepSignIn,
  listAccounts,
  listSessions,
  noteSignIn,
} from '../access/accounts.ts';
export { listDeeds } from '../access/tokens.ts';
export { addToken, findToken, listTokens, noteTokenUse, revokeToken } from '../access/tokens.ts';
export { scrub, vacuumDeadRows } from '../database/vacuum.ts';
export { findDamage } from '../directory/damage.ts';
export { beginBackup, ledgerId, ledgerIdentity, markMoved, movedAt } from '../directory/ledger-identity.ts';
export { latestEvents, unsentEvents, waitingKinds } from '../events/events.ts';
export { countPrunable, removeOldAnswers, removeOldEventBodies, removeOldEvents } from '../figures/retention.ts';
export { removeOldReceipts, removeOldRosters } from '../figures/retention.ts';
export {
  countKnown,
  groupMoves,
  historyOf,
  keepCensus,
  knownBySource,
  lostSilently,
} from '../figures/usual-figures.ts';
export { isForcedElsewhere, isRebuilt, lastCensuses, mostBlamed, removalsOf } from '../figures/usual-figures.ts';
export { cancelledOf, droppedOf, earlierParts, unfinishedOf, withheldOf } from '../figures/earlier-runs.ts';
export { approvalsOf, approveHeld, approvedBefore, recordApproval } from '../moves/approving.ts';
export { createRun, endAtDeadline, expireHolds, failOrphanedPlans, failRun } from '../moves/begin-run.ts';
export { recordBaseline } from '../moves/begin-run.ts';
export { openStage, stageAnswers, stagesDone } from '../moves/plan-deliveries.ts';
export { moveRun } from '../moves/move-run.ts';
export { recordLate } from '../moves/record.ts';
export { countInvitable } from '../planning/invitations.ts';
export { eventKindsSince } from '../planning/absent.ts';
export { closeRun, continueRun, releaseRun } from '../moves/release.ts';
export { letGo, supersedeOlder } from '../moves/supersede.ts';
export { erasePerson, unblockPeople, whatIsKnownOf } from '../people/forget.ts';
export { blockPeople, forgetKey, forgottenAt } from '../people/kept-out.ts';
export { countLeftBehind, listLeftBehind, markLeftBehindDone } from '../people/left-behind-list.ts';
export { findPeople } from '../people/roster-people.ts';
export { countPeopleOfRun, listInvited, peopleOfRun } from '../people/people-of-run.ts';
export { personHistory } from '../people/person.ts';
export { compareRuns, lastRoster, listDeparted, rosterPeople } from '../people/roster-people.ts';
export { changedSamples, changesOf, lastSettings, pageToSend, releasedRosters } from '../planning/plan-details.ts';
export { keysAt, movesWaiting } from '../planning/resolving.ts';
export {
  goneSources,
  joinedBefore,
  keepSource,
  listKeptSources,
  recallSource,
  rememberSource,
  removeKeptSource,
} from '../planning/sources.ts';
export { correctionsOf } from '../planning/corrections.ts';
export { listRejects } from '../planning/staging.ts';
export { pushedUsers } from '../pushed/pushed.ts';
export { failuresOf } from '../runs/failures.ts';
export { listInserts } from '../runs/inserts.ts';
export { countHeld, countHeldPart, countSetFree, countStopped, heldByReason, likeHolds } from '../runs/holds.ts';
export { holdsMissing, supersededBy } from '../runs/holds.ts';
export { countOutcomes, countUnseen, listResults, notableAnswers, noticedKinds, totalsOf } from '../runs/reading.ts';
export { activeRun, describePlan, describeRoster, discardRun, findRuns, knowsAnybodyAt } from '../runs/runs.ts';
export { countRuns, sourcesOfRuns } from '../runs/runs.ts';
export { listRuns, openRuns, startClock, stopClocks, unfinishedRuns } from '../runs/runs.ts';
export { summariesOf } from '../runs/failures.ts';
export { beginTick, endTick, keepSchedules, listSchedules, openTicks, writeTick as skipTick } from '../runs/ticks.ts';
export { takeOverTick } from '../runs/ticks.ts';
export { paceOfRun, timelineOf } from '../runs/watching.ts';
export { addPersonAnswers, keepAnswers, keptOfDue, listAnswers, listCompletion } from '../story/answers.ts';
export { newSnapshot, pruneAnswers, removeOldPersonAnswers, removeReplacedAnswers } from '../story/answers.ts';
