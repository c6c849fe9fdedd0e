// The verbs about planning, runs and deliveries, each with what happens when the connection is lost.
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
import * as supersede from './moves/supersede.ts';
import * as takeBack from './moves/take-back.ts';
import * as callTally from './runs/call-tally.ts';
import * as comparing from './runs/comparing.ts';
import * as deliveringRuns from './runs/delivering-runs.ts';
import * as failures from './runs/failures.ts';
import * as heldParts from './runs/held-parts.ts';
import * as holds from './runs/holds.ts';
import * as invited from './runs/invited.ts';
import * as notifications from './runs/notifications.ts';
import * as paces from './runs/paces.ts';
import * as reading from './runs/reading.ts';
import * as runs from './runs/runs.ts';
import * as summaries from './runs/summaries.ts';
import * as ticks from './runs/ticks.ts';
import * as watching from './runs/watching.ts';
import * as workers from './runs/workers.ts';
import { failing, planned, repeated, watched, type Verb } from './verb.ts';

export const runVerbs = {
  ...repeated(damage, 'findDamage'),
  ...repeated(ledgerIdentity, 'beginBackup', 'ledgerId', 'ledgerIdentity'),
  ...repeated(moved, 'movedAt', 'markMoved', 'unmarkMoved'),
  ...repeated(keptSources, 'keepSource', 'listKeptSources', 'removeKeptSource'),
  ...repeated(baseline, 'recordBaseline'),
  ...repeated(departedList, 'listDeparted'),
  ...planned(departed, 'countMissing', 'stageLeavers'),
  ...planned(identities, 'groupsGiven', 'identityChanges'),
  ...repeated(resolving, 'keysAt', 'movesWaiting'),
  ...failing(resolving, 'resolveMoves'),
  ...repeated(planDetails, 'changedSamples', 'changesOf', 'lastSettings', 'listPlanned', 'pageToSend'),
  ...repeated(planDetails, 'releasedRosters'),
  ...planned(planning, 'keysMissing', 'narrowTo', 'planRun', 'sampleMembers'),
  ...repeated(sourceStates, 'recallSource', 'rememberSource'),
  ...planned(staging, 'addRejects', 'completeRejects', 'countStaged', 'mergePerson', 'peopleHalfRead'),
  ...planned(staging, 'peopleWithSeveralRows', 'rejectPerson', 'rejectsWithoutCells', 'stageLater', 'stageRows'),
  ...repeated(staging, 'listRejects'),
  ...planned(unchangedPeople, 'givenPeople', 'listUnchanged', 'stageListed', 'stageOrphans'),
  ...repeated(approving, 'approvalsOf', 'approveHeld', 'approvedBefore', 'recordApproval'),
  ...repeated(beginRun, 'createRun', 'failRun'),
  ...repeated(canary, 'openStage', 'stageAnswers', 'stagesDone'),
  ...watched(feed, 'findDue', 'findOpened', 'countFed'),
  ...repeated(lateReceipts, 'recordLate'),
  ...repeated(moveRun, 'moveRun'),
  ...repeated(overdueRuns, 'endAtDeadline', 'failOrphanedPlans', 'expireHolds'),
  ...repeated(release, 'reopenFailures', 'closeRun', 'continueRun', 'hastenRun', 'releaseRun'),
  ...repeated(supersede, 'letGo', 'supersedeByNewer', 'supersedeOlder'),
  ...watched(takeBack, 'beginAlone', 'takeBackFromTheDead'),
  ...watched(callTally, 'acceptedBefore', 'tallyOf'),
  ...repeated(comparing, 'compareRuns'),
  ...failing(watching, 'watchRuns'),
  ...watched(deliveringRuns, 'countInFlight', 'deliveringRuns', 'isDelivered'),
  ...repeated(failures, 'failuresOf'),
  ...repeated(heldParts, 'countHeldPart', 'countSetFree', 'heldByReason'),
  ...repeated(holds, 'countHeld', 'countStopped', 'likeHolds', 'supersededBy', 'wasEverReleased'),
  ...failing(notifications, 'announceAnswers', 'announceEvent', 'announceRuns', 'endNotification', 'noteTrouble'),
  ...failing(notifications, 'noticeFacts', 'remindHolds', 'takeNotifications'),
  ...watched(paces, 'recentCalls', 'rememberShare', 'rememberedShare', 'correctDueTimes', 'endThrottle'),
  ...watched(paces, 'keepThrottle', 'throttleOf'),
  ...repeated(reading, 'countOutcomes', 'listResults', 'notableAnswers', 'noticedKinds', 'totalsOf'),
  ...repeated(runs, 'activeRun', 'describePlan', 'describeRoster', 'discardRun', 'findRuns', 'knowsAnybodyAt'),
  ...repeated(runs, 'listRuns', 'startClock', 'stopClocks', 'unfinishedRuns'),
  ...repeated(invited, 'listInvited'),
  ...repeated(summaries, 'summariesOf'),
  ...repeated(ticks, 'beginTick', 'endTick', 'keepSchedules', 'listSchedules', 'openTicks', 'skipTick', 'startTick'),
  ...repeated(ticks, 'takeOverTick', 'takeTick'),
  ...repeated(watching, 'paceOfRun', 'timelineOf'),
  ...failing(workers, 'beat', 'leave'),
  ...watched(workers, 'countAlive', 'leadFeeding'),
} as const satisfies Record<string, Verb>;
