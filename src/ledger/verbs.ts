// Every verb of the ledger, with what happens to it when the connection is lost.
import type { Database } from './database/database.ts';
import * as accounts from './access/accounts.ts';
import * as sessions from './access/accounts.ts';
import * as audit from './access/audit.ts';
import * as tokens from './access/tokens.ts';
import * as vacuum from './database/vacuum.ts';
import * as damage from './directory/damage.ts';
import * as ledgerIdentity from './directory/ledger-identity.ts';
import * as events from './events/events.ts';
import * as measuring from './runs/watching.ts';
import * as retention from './figures/retention.ts';
import * as usualFigures from './figures/usual-figures.ts';
import * as approving from './moves/approving.ts';
import * as beginRun from './moves/begin-run.ts';
import * as baseline from './moves/begin-run.ts';
import * as canary from './moves/canary.ts';
import * as feed from './moves/feed.ts';
import * as moveRun from './moves/move-run.ts';
import * as record from './moves/record.ts';
import * as release from './moves/release.ts';
import * as supersede from './moves/supersede.ts';
import * as workers from './moves/workers.ts';
import * as forget from './people/forget.ts';
import * as keptOut from './people/kept-out.ts';
import * as leftBehindList from './people/left-behind-list.ts';
import * as peopleOfRun from './people/people-of-run.ts';
import * as person from './people/person.ts';
import * as rosterPeople from './people/roster-people.ts';
import * as comparing from './people/roster-people.ts';
import * as departed from './planning/departed.ts';
import * as planDetails from './planning/plan-details.ts';
import * as planning from './planning/planning.ts';
import * as resolving from './planning/resolving.ts';
import * as sources from './planning/sources.ts';
import * as staging from './planning/staging.ts';
import * as unchangedPeople from './planning/unchanged-people.ts';
import * as pushed from './pushed/pushed.ts';
import * as failures from './runs/failures.ts';
import * as holds from './runs/holds.ts';
import * as invited from './people/people-of-run.ts';
import * as notifications from './runs/notifications.ts';
import * as paces from './runs/paces.ts';
import * as reading from './runs/reading.ts';
import * as runs from './runs/runs.ts';
import * as summaries from './runs/summaries.ts';
import * as ticks from './runs/ticks.ts';
import * as watching from './runs/watching.ts';
import * as answers from './story/answers.ts';
import * as personAnswers from './story/answers.ts';

/** How a verb is called, by what happens when the connection to the database is lost. */
export interface OnLoss {
  /** It is idempotent, so it is repeated until the database answers. */
  repeat: Caller;
  /** The same. It is short and frequent, so it also notices when the network silently drops everything. */
  watch: Caller;
  /** It fails at once: it does not help later, or its caller tries again. */
  fail: Caller;
  /** It is not idempotent: the whole planning starts again. */
  planAgain: Caller;
}

type Caller = (call: () => Promise<unknown>) => Promise<unknown>;
type Act = (db: Database, ...rest: unknown[]) => Promise<unknown>;
type Bound<Does> = Does extends (db: Database, ...rest: infer Rest) => infer Result ? (...rest: Rest) => Result : never;

/** Gives each verb its database. A function that is not named here is none: it is for this folder only. */
export function verbsOf(db: Database, onLoss: OnLoss) {
  const marked =
    (caller: Caller) =>
    <Module extends object, Name extends keyof Module>(module: Module, ...names: Name[]) =>
      Object.fromEntries(
        names.map((name) => [name, (...rest: unknown[]) => caller(() => (module[name] as Act)(db, ...rest))]),
      ) as { [Each in Name]: Bound<Module[Each]> };
  const repeated = marked(onLoss.repeat);
  const watched = marked(onLoss.watch);
  const failing = marked(onLoss.fail);
  const planned = marked(onLoss.planAgain);
  return {
    ...repeated(accounts, 'addAccount', 'approvers', 'changePassword', 'changeRole', 'findAccount', 'listAccounts'),
    ...repeated(accounts, 'noteSignIn'),
    ...failing(accounts, 'removeAccount'),
    ...failing(audit, 'noteDeed'),
    ...repeated(audit, 'listDeeds'),
    ...failing(sessions, 'takeLink', 'endSessionsOf', 'takeSignIn'),
    ...repeated(sessions, 'addSession', 'findSession', 'endSession', 'keepSignIn'),
    ...repeated(tokens, 'addToken', 'findToken', 'listTokens', 'noteTokenUse', 'revokeToken'),
    ...repeated(vacuum, 'scrub', 'vacuumDeadRows'),
    ...repeated(damage, 'findDamage'),
    ...repeated(ledgerIdentity, 'beginBackup', 'ledgerId', 'ledgerIdentity', 'movedAt', 'markMoved', 'unmarkMoved'),
    ...failing(events, 'countEvents', 'eventCounts', 'eventsFailed', 'eventsHandled', 'eventsWithoutPeople'),
    ...failing(events, 'leadEvents', 'leaveEvents', 'takeEvents', 'waitingSources'),
    ...repeated(events, 'latestEvents', 'unsentEvents', 'waitingKinds'),
    ...failing(measuring, 'measure', 'measureRun'),
    ...repeated(retention, 'countPrunable', 'removeOldAnswers', 'removeOldEventBodies', 'removeOldEvents'),
    ...repeated(retention, 'removeOldReceipts', 'removeOldRosters'),
    ...repeated(usualFigures, 'countKnown', 'groupMoves', 'historyOf', 'keepCensus', 'lastCensuses', 'knownBySource'),
    ...repeated(usualFigures, 'mostBlamed', 'removalsOf', 'unfinishedOf'),
    ...repeated(approving, 'approvalsOf', 'approveHeld', 'approvedBefore', 'recordApproval'),
    ...repeated(beginRun, 'createRun', 'endAtDeadline', 'expireHolds', 'failOrphanedPlans', 'failRun'),
    ...repeated(canary, 'openStage', 'stageAnswers', 'stagesDone'),
    ...watched(feed, 'findDue', 'findOpened', 'countFed', 'countInFlight', 'deliveringRuns', 'isDelivered'),
    ...repeated(moveRun, 'moveRun'),
    ...repeated(record, 'recordLate'),
    ...repeated(release, 'closeRun', 'continueRun', 'releaseRun'),
    ...repeated(supersede, 'letGo', 'supersedeOlder'),
    ...watched(workers, 'beginAlone', 'reclaimFromDeadWorkers', 'countAlive', 'leadFeeding'),
    ...failing(workers, 'beat', 'leave'),
    ...repeated(forget, 'erasePerson', 'unblockPeople', 'whatIsKnownOf'),
    ...repeated(keptOut, 'allForgotten', 'blockPeople', 'forgetKey', 'forgottenAt', 'whenForgotten'),
    ...repeated(leftBehindList, 'listLeftBehind', 'countLeftBehind', 'markLeftBehindDone', 'leftBehindAt'),
    ...repeated(peopleOfRun, 'peopleOfRun'),
    ...repeated(person, 'addressesOf', 'callsOf', 'deedsOf', 'departuresOf', 'eventsOf', 'givenTo', 'movesOf'),
    ...repeated(person, 'rejectsOf', 'runsOf'),
    ...repeated(rosterPeople, 'listDeparted', 'lastRoster', 'rosterPeople'),
    ...repeated(baseline, 'recordBaseline'),
    ...planned(departed, 'countMissing', 'stageLeavers'),
    ...repeated(planDetails, 'changedSamples', 'changesOf', 'lastSettings', 'pageToSend', 'releasedRosters'),
    ...planned(planning, 'keysMissing', 'narrowTo', 'planRun', 'sampleMembers'),
    ...planned(resolving, 'groupsGiven', 'identityChanges'),
    ...repeated(resolving, 'keysAt', 'movesWaiting'),
    ...failing(resolving, 'resolveMoves'),
    ...repeated(sources, 'keepSource', 'listKeptSources', 'removeKeptSource', 'recallSource', 'rememberSource'),
    ...planned(staging, 'addRejects', 'completeRejects', 'countStaged', 'mergePerson', 'peopleHalfRead'),
    ...planned(staging, 'peopleWithSeveralRows', 'rejectPerson', 'rejectsWithoutCells', 'stageLater', 'stageRows'),
    ...repeated(staging, 'listRejects'),
    ...planned(unchangedPeople, 'givenPeople', 'listUnchanged', 'stageListed', 'stageOrphans'),
    ...failing(pushed, 'addPushed', 'changePushed', 'removePushed', 'findPushed', 'listPushed', 'countPushed'),
    ...failing(pushed, 'pushedMembers'),
    ...repeated(pushed, 'pushedUsers'),
    ...repeated(comparing, 'compareRuns'),
    ...watched(failures, 'acceptedBefore', 'tallyOf'),
    ...repeated(failures, 'failuresOf'),
    ...repeated(holds, 'countHeldPart', 'countSetFree', 'heldByReason', 'countHeld', 'countStopped', 'likeHolds'),
    ...repeated(holds, 'supersededBy', 'wasEverReleased'),
    ...repeated(invited, 'listInvited'),
    ...failing(notifications, 'announceAnswers', 'announceEvent', 'announceRuns', 'endNotification', 'noteTrouble'),
    ...failing(notifications, 'noticeFacts', 'remindHolds', 'takeNotifications'),
    ...watched(paces, 'recentCalls', 'rememberShare', 'rememberedShare', 'correctDueTimes', 'endThrottle'),
    ...watched(paces, 'keepThrottle', 'throttleOf'),
    ...repeated(reading, 'countOutcomes', 'listResults', 'notableAnswers', 'noticedKinds', 'totalsOf'),
    ...repeated(runs, 'activeRun', 'describePlan', 'describeRoster', 'discardRun', 'findRuns', 'knowsAnybodyAt'),
    ...repeated(runs, 'listRuns', 'startClock', 'stopClocks', 'unfinishedRuns'),
    ...repeated(summaries, 'summariesOf'),
    ...repeated(
      ticks,
      'beginTick',
      'endTick',
      'keepSchedules',
      'listSchedules',
      'openTicks',
      'skipTick',
      'takeOverTick',
    ),
    ...failing(watching, 'watchRuns'),
    ...repeated(watching, 'paceOfRun', 'timelineOf'),
    ...repeated(answers, 'keepAnswers', 'keptOfDue', 'listAnswers', 'listCompletion', 'newSnapshot', 'pruneAnswers'),
    ...repeated(personAnswers, 'addPersonAnswers', 'removeOldPersonAnswers', 'removeReplacedAnswers', 'storyAnswersOf'),
  };
}
