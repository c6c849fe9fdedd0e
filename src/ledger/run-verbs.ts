// The verbs about planning, runs and deliveries, each with its two marks.
import * as moved from './archive/moved.ts';
import * as damage from './directory/damage.ts';
import * as ledgerIdentity from './directory/ledger-identity.ts';
import * as baseline from './planning/baseline.ts';
import * as departed from './planning/departed.ts';
import * as departedList from './planning/departed-list.ts';
import * as identities from './planning/identities.ts';
import * as keptSources from './planning/kept-sources.ts';
import * as planDetails from './planning/plan-details.ts';
import * as planning from './planning/planning.ts';
import * as resolving from './planning/resolving.ts';
import * as sourceStates from './planning/source-states.ts';
import * as staging from './planning/staging.ts';
import * as unchangedPeople from './planning/unchanged-people.ts';
import * as approving from './moves/approving.ts';
import * as beginRun from './moves/begin-run.ts';
import * as canary from './moves/canary.ts';
import * as feed from './moves/feed.ts';
import * as lateReceipts from './moves/late-receipts.ts';
import * as moveRun from './moves/move-run.ts';
import * as overdueRuns from './moves/overdue-runs.ts';
import * as release from './moves/release.ts';
import * as reopen from './moves/reopen.ts';
import * as supersede from './moves/supersede.ts';
import * as takeBack from './moves/take-back.ts';
import * as callTally from './runs/call-tally.ts';
import * as changes from './runs/changes.ts';
import * as deliveringRuns from './runs/delivering-runs.ts';
import * as failures from './runs/failures.ts';
import * as heldParts from './runs/held-parts.ts';
import * as holds from './runs/holds.ts';
import * as invited from './runs/invited.ts';
import * as notifications from './runs/notifications.ts';
import * as paces from './runs/paces.ts';
import * as reading from './runs/reading.ts';
import * as runPace from './runs/run-pace.ts';
import * as runs from './runs/runs.ts';
import * as summaries from './runs/summaries.ts';
import * as ticks from './runs/ticks.ts';
import * as timeline from './runs/timeline.ts';
import * as workers from './runs/workers.ts';
import { verb, type Verb } from './verb.ts';

export const runVerbs = {
  findDamage: verb(damage.findDamage, 'repeat', 'remote'),
  beginBackup: verb(ledgerIdentity.beginBackup, 'repeat', 'local'),
  ledgerId: verb(ledgerIdentity.ledgerId, 'repeat', 'remote'),
  ledgerIdentity: verb(ledgerIdentity.ledgerIdentity, 'repeat', 'local'),
  movedAt: verb(moved.movedAt, 'repeat', 'remote'),
  markMoved: verb(moved.markMoved, 'repeat', 'local'),
  unmarkMoved: verb(moved.unmarkMoved, 'repeat', 'local'),
  keepSource: verb(keptSources.keepSource, 'repeat', 'remote'),
  listKeptSources: verb(keptSources.listKeptSources, 'repeat', 'remote'),
  removeKeptSource: verb(keptSources.removeKeptSource, 'repeat', 'remote'),
  recordBaseline: verb(baseline.recordBaseline, 'repeat', 'local'),
  listDeparted: verb(departedList.listDeparted, 'repeat', 'remote'),
  countMissing: verb(departed.countMissing, 'plan-again', 'local'),
  stageLeavers: verb(departed.stageLeavers, 'plan-again', 'local'),
  groupsGiven: verb(identities.groupsGiven, 'plan-again', 'local'),
  identityChanges: verb(identities.identityChanges, 'plan-again', 'local'),
  keysAt: verb(resolving.keysAt, 'repeat', 'remote'),
  movesWaiting: verb(resolving.movesWaiting, 'repeat', 'remote'),
  resolveMoves: verb(resolving.resolveMoves, 'fail', 'remote'),
  changedSamples: verb(planDetails.changedSamples, 'repeat', 'local'),
  changesOf: verb(planDetails.changesOf, 'repeat', 'local'),
  lastSettings: verb(planDetails.lastSettings, 'repeat', 'local'),
  listPlanned: verb(planDetails.listPlanned, 'repeat', 'local'),
  pageToSend: verb(planDetails.pageToSend, 'repeat', 'local'),
  releasedRosters: verb(planDetails.releasedRosters, 'repeat', 'local'),
  keysMissing: verb(planning.keysMissing, 'plan-again', 'local'),
  narrowTo: verb(planning.narrowTo, 'plan-again', 'local'),
  planRun: verb(planning.planRun, 'plan-again', 'local'),
  sampleMembers: verb(planning.sampleMembers, 'plan-again', 'local'),
  recallSource: verb(sourceStates.recallSource, 'repeat', 'local'),
  rememberSource: verb(sourceStates.rememberSource, 'repeat', 'local'),
  addRejects: verb(staging.addRejects, 'plan-again', 'local'),
  completeRejects: verb(staging.completeRejects, 'plan-again', 'local'),
  countStaged: verb(staging.countStaged, 'plan-again', 'local'),
  listRejects: verb(staging.listRejects, 'repeat', 'remote'),
  mergePerson: verb(staging.mergePerson, 'plan-again', 'local'),
  peopleHalfRead: verb(staging.peopleHalfRead, 'plan-again', 'local'),
  peopleWithSeveralRows: verb(staging.peopleWithSeveralRows, 'plan-again', 'local'),
  rejectPerson: verb(staging.rejectPerson, 'plan-again', 'local'),
  rejectsWithoutCells: verb(staging.rejectsWithoutCells, 'plan-again', 'local'),
  stageLater: verb(staging.stageLater, 'plan-again', 'local'),
  stageRows: verb(staging.stageRows, 'plan-again', 'local'),
  givenPeople: verb(unchangedPeople.givenPeople, 'plan-again', 'local'),
  listUnchanged: verb(unchangedPeople.listUnchanged, 'plan-again', 'local'),
  stageListed: verb(unchangedPeople.stageListed, 'plan-again', 'local'),
  stageOrphans: verb(unchangedPeople.stageOrphans, 'plan-again', 'local'),
  approvalsOf: verb(approving.approvalsOf, 'repeat', 'remote'),
  approveHeld: verb(approving.approveHeld, 'repeat', 'remote'),
  approvedBefore: verb(approving.approvedBefore, 'repeat', 'remote'),
  recordApproval: verb(approving.recordApproval, 'repeat', 'local'),
  createRun: verb(beginRun.createRun, 'repeat', 'local'),
  failRun: verb(beginRun.failRun, 'repeat', 'local'),
  openStage: verb(canary.openStage, 'repeat', 'local'),
  stageAnswers: verb(canary.stageAnswers, 'repeat', 'local'),
  stagesDone: verb(canary.stagesDone, 'repeat', 'local'),
  findDue: verb(feed.findDue, 'repeat-watched', 'local'),
  findOpened: verb(feed.findOpened, 'repeat-watched', 'local'),
  countFed: verb(feed.countFed, 'repeat-watched', 'local'),
  recordLate: verb(lateReceipts.recordLate, 'repeat', 'local'),
  moveRun: verb(moveRun.moveRun, 'repeat', 'remote'),
  endAtDeadline: verb(overdueRuns.endAtDeadline, 'repeat', 'local'),
  failOrphanedPlans: verb(overdueRuns.failOrphanedPlans, 'repeat', 'local'),
  expireHolds: verb(overdueRuns.expireHolds, 'repeat', 'local'),
  closeRun: verb(release.closeRun, 'repeat', 'local'),
  continueRun: verb(release.continueRun, 'repeat', 'remote'),
  hastenRun: verb(release.hastenRun, 'repeat', 'local'),
  releaseRun: verb(release.releaseRun, 'repeat', 'local'),
  reopenFailures: verb(reopen.reopenFailures, 'repeat', 'local'),
  supersedeByNewer: verb(supersede.supersedeByNewer, 'repeat', 'local'),
  supersedeOlder: verb(supersede.supersedeOlder, 'repeat', 'local'),
  beginAlone: verb(takeBack.beginAlone, 'repeat-watched', 'local'),
  takeBackFromTheDead: verb(takeBack.takeBackFromTheDead, 'repeat-watched', 'local'),
  acceptedBefore: verb(callTally.acceptedBefore, 'repeat-watched', 'local'),
  tallyOf: verb(callTally.tallyOf, 'repeat-watched', 'local'),
  watchRuns: verb(changes.watchRuns, 'fail', 'local'),
  countInFlight: verb(deliveringRuns.countInFlight, 'repeat-watched', 'remote'),
  deliveringRuns: verb(deliveringRuns.deliveringRuns, 'repeat-watched', 'local'),
  isDelivered: verb(deliveringRuns.isDelivered, 'repeat-watched', 'local'),
  failuresOf: verb(failures.failuresOf, 'repeat', 'remote'),
  countHeldPart: verb(heldParts.countHeldPart, 'repeat', 'local'),
  countSetFree: verb(heldParts.countSetFree, 'repeat', 'local'),
  heldByReason: verb(heldParts.heldByReason, 'repeat', 'local'),
  countHeld: verb(holds.countHeld, 'repeat', 'remote'),
  countStopped: verb(holds.countStopped, 'repeat', 'local'),
  likeHolds: verb(holds.likeHolds, 'repeat', 'local'),
  supersededBy: verb(holds.supersededBy, 'repeat', 'remote'),
  wasEverReleased: verb(holds.wasEverReleased, 'repeat', 'local'),
  announceAnswers: verb(notifications.announceAnswers, 'fail', 'local'),
  announceEvent: verb(notifications.announceEvent, 'fail', 'local'),
  announceRuns: verb(notifications.announceRuns, 'fail', 'local'),
  endNotification: verb(notifications.endNotification, 'fail', 'local'),
  noteTrouble: verb(notifications.noteTrouble, 'fail', 'local'),
  noticeFacts: verb(notifications.noticeFacts, 'fail', 'local'),
  remindHolds: verb(notifications.remindHolds, 'fail', 'local'),
  takeNotifications: verb(notifications.takeNotifications, 'fail', 'local'),
  recentCalls: verb(paces.recentCalls, 'repeat-watched', 'local'),
  rememberShare: verb(paces.rememberShare, 'repeat-watched', 'local'),
  rememberedShare: verb(paces.rememberedShare, 'repeat-watched', 'local'),
  countOutcomes: verb(reading.countOutcomes, 'repeat', 'remote'),
  listResults: verb(reading.listResults, 'repeat', 'remote'),
  notableAnswers: verb(reading.notableAnswers, 'repeat', 'remote'),
  noticedKinds: verb(reading.noticedKinds, 'repeat', 'remote'),
  totalsOf: verb(reading.totalsOf, 'repeat', 'remote'),
  paceOfRun: verb(runPace.paceOfRun, 'repeat', 'remote'),
  activeRun: verb(runs.activeRun, 'repeat', 'local'),
  describePlan: verb(runs.describePlan, 'repeat', 'local'),
  describeRoster: verb(runs.describeRoster, 'repeat', 'local'),
  discardRun: verb(runs.discardRun, 'repeat', 'local'),
  findRuns: verb(runs.findRuns, 'repeat', 'remote'),
  knowsAnybodyAt: verb(runs.knowsAnybodyAt, 'repeat', 'local'),
  listInvited: verb(invited.listInvited, 'repeat', 'remote'),
  listRuns: verb(runs.listRuns, 'repeat', 'remote'),
  startClock: verb(runs.startClock, 'repeat', 'local'),
  stopClocks: verb(runs.stopClocks, 'repeat', 'local'),
  unfinishedRuns: verb(runs.unfinishedRuns, 'repeat', 'remote'),
  summariesOf: verb(summaries.summariesOf, 'repeat', 'remote'),
  correctDueTimes: verb(paces.correctDueTimes, 'repeat-watched', 'local'),
  endThrottle: verb(paces.endThrottle, 'repeat-watched', 'remote'),
  keepThrottle: verb(paces.keepThrottle, 'repeat-watched', 'local'),
  throttleOf: verb(paces.throttleOf, 'repeat-watched', 'remote'),
  beginTick: verb(ticks.beginTick, 'repeat', 'local'),
  endTick: verb(ticks.endTick, 'repeat', 'local'),
  keepSchedules: verb(ticks.keepSchedules, 'repeat', 'local'),
  listSchedules: verb(ticks.listSchedules, 'repeat', 'remote'),
  openTicks: verb(ticks.openTicks, 'repeat', 'local'),
  skipTick: verb(ticks.skipTick, 'repeat', 'local'),
  startTick: verb(ticks.startTick, 'repeat', 'local'),
  takeOverTick: verb(ticks.takeOverTick, 'repeat', 'local'),
  takeTick: verb(ticks.takeTick, 'repeat', 'local'),
  timelineOf: verb(timeline.timelineOf, 'repeat', 'remote'),
  beat: verb(workers.beat, 'fail', 'local'),
  leave: verb(workers.leave, 'fail', 'local'),
  countAlive: verb(workers.countAlive, 'repeat-watched', 'remote'),
  leadFeeding: verb(workers.leadFeeding, 'repeat-watched', 'local'),
} as const satisfies Record<string, Verb>;
