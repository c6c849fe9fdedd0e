// Every verb of the ledger, each with its two marks.
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
import * as notifications from './runs/notifications.ts';
import * as paces from './runs/paces.ts';
import * as reading from './runs/reading.ts';
import * as runPace from './runs/run-pace.ts';
import * as runs from './runs/runs.ts';
import * as summaries from './runs/summaries.ts';
import * as throttled from './runs/throttled.ts';
import * as ticks from './runs/ticks.ts';
import * as timeline from './runs/timeline.ts';
import * as leadFeeding from './runs/lead-feeding.ts';
import * as workers from './runs/workers.ts';
import * as forget from './people/forget.ts';
import * as leftBehindList from './people/left-behind-list.ts';
import * as peopleOfRun from './people/people-of-run.ts';
import * as person from './people/person.ts';
import * as rosterPeople from './people/roster-people.ts';
import * as events from './events/events.ts';
import * as pushed from './pushed/pushed.ts';
import * as answers from './story/answers.ts';
import * as personAnswers from './story/person-answers.ts';
import * as measuring from './figures/measuring.ts';
import * as retention from './figures/retention.ts';
import * as usualFigures from './figures/usual-figures.ts';
import * as accounts from './access/accounts.ts';
import * as audit from './access/audit.ts';
import * as sessions from './access/sessions.ts';
import * as signIns from './access/sign-ins.ts';
import * as tokens from './access/tokens.ts';
import * as vacuum from './database/vacuum.ts';
import { type Bound, type RemoteName, verb, type Verb } from './verb.ts';

/** Every verb. A function that is not here is none: it is for this folder only. */
export const verbs = {
  // directory
  findDamage: verb(damage.findDamage, 'repeat', 'remote'),
  beginBackup: verb(ledgerIdentity.beginBackup, 'repeat', 'local'),
  ledgerId: verb(ledgerIdentity.ledgerId, 'repeat', 'remote'),
  ledgerIdentity: verb(ledgerIdentity.ledgerIdentity, 'repeat', 'local'),
  // archive
  movedAt: verb(moved.movedAt, 'repeat', 'remote'),
  markMoved: verb(moved.markMoved, 'repeat', 'local'),
  unmarkMoved: verb(moved.unmarkMoved, 'repeat', 'local'),
  // planning
  keepSource: verb(keptSources.keepSource, 'repeat', 'remote'),
  listKeptSources: verb(keptSources.listKeptSources, 'repeat', 'remote'),
  removeKeptSource: verb(keptSources.removeKeptSource, 'repeat', 'remote'),
  recordBaseline: verb(baseline.recordBaseline, 'repeat', 'local'),
  listDeparted: verb(departedList.listDeparted, 'repeat', 'remote'),
  stageLeavers: verb(departed.stageLeavers, 'plan-again', 'local'),
  groupsGiven: verb(identities.groupsGiven, 'plan-again', 'local'),
  identityChanges: verb(identities.identityChanges, 'plan-again', 'local'),
  resolveIdentity: verb(identities.resolveIdentity, 'plan-again', 'local'),
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
  listUnchanged: verb(unchangedPeople.listUnchanged, 'plan-again', 'local'),
  stageListed: verb(unchangedPeople.stageListed, 'plan-again', 'local'),
  stageOrphans: verb(unchangedPeople.stageOrphans, 'plan-again', 'local'),
  // moves
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
  // runs
  hasSucceeded: verb(callTally.hasSucceeded, 'repeat-watched', 'local'),
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
  listRuns: verb(runs.listRuns, 'repeat', 'remote'),
  startClock: verb(runs.startClock, 'repeat', 'local'),
  stopClocks: verb(runs.stopClocks, 'repeat', 'local'),
  unfinishedRuns: verb(runs.unfinishedRuns, 'repeat', 'remote'),
  summariesOf: verb(summaries.summariesOf, 'repeat', 'remote'),
  correctDueTimes: verb(throttled.correctDueTimes, 'repeat-watched', 'local'),
  endThrottle: verb(throttled.endThrottle, 'repeat-watched', 'remote'),
  keepThrottle: verb(throttled.keepThrottle, 'repeat-watched', 'local'),
  throttleOf: verb(throttled.throttleOf, 'repeat-watched', 'remote'),
  beginTick: verb(ticks.beginTick, 'repeat', 'local'),
  endTick: verb(ticks.endTick, 'repeat', 'local'),
  keepSchedules: verb(ticks.keepSchedules, 'repeat', 'local'),
  listSchedules: verb(ticks.listSchedules, 'repeat', 'remote'),
  listTicks: verb(ticks.listTicks, 'repeat', 'local'),
  openTicks: verb(ticks.openTicks, 'repeat', 'local'),
  skipTick: verb(ticks.skipTick, 'repeat', 'local'),
  startTick: verb(ticks.startTick, 'repeat', 'local'),
  takeOverTick: verb(ticks.takeOverTick, 'repeat', 'local'),
  takeTick: verb(ticks.takeTick, 'repeat', 'local'),
  timelineOf: verb(timeline.timelineOf, 'repeat', 'remote'),
  beat: verb(workers.beat, 'fail', 'local'),
  leave: verb(workers.leave, 'fail', 'local'),
  countAlive: verb(workers.countAlive, 'repeat-watched', 'remote'),
  leadFeeding: verb(leadFeeding.leadFeeding, 'repeat-watched', 'local'),
  // people
  allForgotten: verb(forget.allForgotten, 'repeat', 'local'),
  blockPeople: verb(forget.blockPeople, 'repeat', 'local'),
  erasePerson: verb(forget.erasePerson, 'repeat', 'local'),
  forgetKey: verb(forget.forgetKey, 'repeat', 'local'),
  forgottenAt: verb(forget.forgottenAt, 'repeat', 'local'),
  unblockPeople: verb(forget.unblockPeople, 'repeat', 'local'),
  whenForgotten: verb(forget.whenForgotten, 'repeat', 'local'),
  whatIsKnownOf: verb(forget.whatIsKnownOf, 'repeat', 'local'),
  listLeftBehind: verb(leftBehindList.listLeftBehind, 'repeat', 'remote'),
  countLeftBehind: verb(leftBehindList.countLeftBehind, 'repeat', 'remote'),
  markLeftBehindDone: verb(leftBehindList.markLeftBehindDone, 'repeat', 'remote'),
  leftBehindAt: verb(leftBehindList.leftBehindAt, 'repeat', 'remote'),
  peopleOfRun: verb(peopleOfRun.peopleOfRun, 'repeat', 'local'),
  addressesOf: verb(person.addressesOf, 'repeat', 'remote'),
  callsOf: verb(person.callsOf, 'repeat', 'remote'),
  deedsOf: verb(person.deedsOf, 'repeat', 'remote'),
  departuresOf: verb(person.departuresOf, 'repeat', 'remote'),
  eventsOf: verb(person.eventsOf, 'repeat', 'remote'),
  givenTo: verb(person.givenTo, 'repeat', 'remote'),
  movesOf: verb(person.movesOf, 'repeat', 'remote'),
  rejectsOf: verb(person.rejectsOf, 'repeat', 'remote'),
  runsOf: verb(person.runsOf, 'repeat', 'remote'),
  lastRoster: verb(rosterPeople.lastRoster, 'repeat', 'remote'),
  rosterPeople: verb(rosterPeople.rosterPeople, 'repeat', 'remote'),
  // events
  countEvents: verb(events.countEvents, 'fail', 'local'),
  countWaitingEvents: verb(events.countWaitingEvents, 'fail', 'local'),
  eventCounts: verb(events.eventCounts, 'fail', 'local'),
  eventsFailed: verb(events.eventsFailed, 'fail', 'local'),
  eventsHandled: verb(events.eventsHandled, 'fail', 'local'),
  eventsWithoutPeople: verb(events.eventsWithoutPeople, 'fail', 'local'),
  latestEvents: verb(events.latestEvents, 'repeat', 'local'),
  leadEvents: verb(events.leadEvents, 'fail', 'local'),
  leaveEvents: verb(events.leaveEvents, 'fail', 'local'),
  takeEvents: verb(events.takeEvents, 'fail', 'local'),
  waitingSources: verb(events.waitingSources, 'fail', 'local'),
  // pushed
  addPushed: verb(pushed.addPushed, 'fail', 'local'),
  changePushed: verb(pushed.changePushed, 'fail', 'local'),
  removePushed: verb(pushed.removePushed, 'fail', 'local'),
  findPushed: verb(pushed.findPushed, 'fail', 'local'),
  listPushed: verb(pushed.listPushed, 'fail', 'local'),
  countPushed: verb(pushed.countPushed, 'fail', 'local'),
  pushedMembers: verb(pushed.pushedMembers, 'fail', 'local'),
  pushedUsers: verb(pushed.pushedUsers, 'repeat', 'local'),
  // story
  keepAnswers: verb(answers.keepAnswers, 'repeat', 'remote'),
  keptOfDue: verb(answers.keptOfDue, 'repeat', 'local'),
  listAnswers: verb(answers.listAnswers, 'repeat', 'remote'),
  listCompletion: verb(answers.listCompletion, 'repeat', 'remote'),
  newSnapshot: verb(answers.newSnapshot, 'repeat', 'local'),
  pruneAnswers: verb(answers.pruneAnswers, 'repeat', 'local'),
  addPersonAnswers: verb(personAnswers.addPersonAnswers, 'repeat', 'local'),
  removeOldPersonAnswers: verb(personAnswers.removeOldPersonAnswers, 'repeat', 'local'),
  removeReplacedAnswers: verb(personAnswers.removeReplacedAnswers, 'repeat', 'local'),
  storyAnswersOf: verb(personAnswers.storyAnswersOf, 'repeat', 'remote'),
  // figures
  measure: verb(measuring.measure, 'fail', 'local'),
  measureRun: verb(measuring.measureRun, 'fail', 'local'),
  countPrunable: verb(retention.countPrunable, 'repeat', 'local'),
  removeOldAnswers: verb(retention.removeOldAnswers, 'repeat', 'local'),
  removeOldEventBodies: verb(retention.removeOldEventBodies, 'repeat', 'local'),
  removeOldEvents: verb(retention.removeOldEvents, 'repeat', 'local'),
  removeOldReceipts: verb(retention.removeOldReceipts, 'repeat', 'local'),
  removeOldRosters: verb(retention.removeOldRosters, 'repeat', 'local'),
  countKnown: verb(usualFigures.countKnown, 'repeat', 'local'),
  groupMoves: verb(usualFigures.groupMoves, 'repeat', 'local'),
  historyOf: verb(usualFigures.historyOf, 'repeat', 'local'),
  keepCensus: verb(usualFigures.keepCensus, 'repeat', 'local'),
  lastCensuses: verb(usualFigures.lastCensuses, 'repeat', 'local'),
  knownBySource: verb(usualFigures.knownBySource, 'repeat', 'local'),
  mostBlamed: verb(usualFigures.mostBlamed, 'repeat', 'local'),
  removalsOf: verb(usualFigures.removalsOf, 'repeat', 'local'),
  unfinishedOf: verb(usualFigures.unfinishedOf, 'repeat', 'local'),
  // access
  noteDeed: verb(audit.noteDeed, 'fail', 'remote'),
  listDeeds: verb(audit.listDeeds, 'repeat', 'local'),
  takeLink: verb(sessions.takeLink, 'fail', 'local'),
  addSession: verb(sessions.addSession, 'repeat', 'remote'),
  findSession: verb(sessions.findSession, 'repeat', 'local'),
  findEndedSession: verb(sessions.findEndedSession, 'repeat', 'local'),
  endSession: verb(sessions.endSession, 'repeat', 'local'),
  endSessionsOf: verb(sessions.endSessionsOf, 'fail', 'remote'),
  keepSignIn: verb(signIns.keepSignIn, 'repeat', 'local'),
  takeSignIn: verb(signIns.takeSignIn, 'fail', 'local'),
  addAccount: verb(accounts.addAccount, 'repeat', 'remote'),
  approvers: verb(accounts.approvers, 'repeat', 'local'),
  changePassword: verb(accounts.changePassword, 'repeat', 'remote'),
  changeRole: verb(accounts.changeRole, 'repeat', 'remote'),
  findAccount: verb(accounts.findAccount, 'repeat', 'local'),
  listAccounts: verb(accounts.listAccounts, 'repeat', 'remote'),
  noteSignIn: verb(accounts.noteSignIn, 'repeat', 'local'),
  removeAccount: verb(accounts.removeAccount, 'fail', 'remote'),
  addToken: verb(tokens.addToken, 'repeat', 'remote'),
  findToken: verb(tokens.findToken, 'repeat', 'local'),
  listTokens: verb(tokens.listTokens, 'repeat', 'remote'),
  noteTokenUse: verb(tokens.noteTokenUse, 'repeat', 'local'),
  revokeToken: verb(tokens.revokeToken, 'repeat', 'remote'),
  // database
  scrub: verb(vacuum.scrub, 'repeat', 'local'),
  vacuumDeadRows: verb(vacuum.vacuumDeadRows, 'repeat', 'local'),
} as const satisfies Record<string, Verb>;

/** The verbs that the commands of a second terminal call through the process that owns the data directory. */
export type RemoteLedger = Pick<Bound<typeof verbs>, RemoteName<typeof verbs>>;

/** Whether a verb may be called through the owner. */
export function isRemote(name: string): name is keyof RemoteLedger {
  return Object.hasOwn(verbs, name) && verbs[name as keyof typeof verbs].reach === 'remote';
}
