// The verbs about people, events, answers, figures and access, each with what happens when the connection is lost.
import * as forget from './people/forget.ts';
import * as keptOut from './people/kept-out.ts';
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
import { failing, repeated, type Verb } from './verb.ts';

export const peopleVerbs = {
  ...repeated(keptOut, 'allForgotten', 'blockPeople', 'forgetKey', 'forgottenAt', 'whenForgotten'),
  ...repeated(forget, 'erasePerson', 'unblockPeople', 'whatIsKnownOf'),
  ...repeated(leftBehindList, 'listLeftBehind', 'countLeftBehind', 'markLeftBehindDone', 'leftBehindAt'),
  ...repeated(peopleOfRun, 'peopleOfRun'),
  ...repeated(person, 'addressesOf', 'callsOf', 'deedsOf', 'departuresOf', 'eventsOf', 'givenTo', 'movesOf'),
  ...repeated(person, 'rejectsOf', 'runsOf'),
  ...repeated(rosterPeople, 'lastRoster', 'rosterPeople'),
  ...failing(events, 'countEvents', 'eventCounts', 'eventsFailed', 'eventsHandled', 'eventsWithoutPeople'),
  ...failing(events, 'leadEvents', 'leaveEvents', 'takeEvents', 'waitingSources'),
  ...repeated(events, 'latestEvents', 'unsentEvents', 'waitingKinds'),
  ...failing(pushed, 'addPushed', 'changePushed', 'removePushed', 'findPushed', 'listPushed', 'countPushed'),
  ...failing(pushed, 'pushedMembers'),
  ...repeated(pushed, 'pushedUsers'),
  ...repeated(answers, 'keepAnswers', 'keptOfDue', 'listAnswers', 'listCompletion', 'newSnapshot', 'pruneAnswers'),
  ...repeated(personAnswers, 'addPersonAnswers', 'removeOldPersonAnswers', 'removeReplacedAnswers', 'storyAnswersOf'),
  ...failing(measuring, 'measure', 'measureRun'),
  ...repeated(retention, 'countPrunable', 'removeOldAnswers', 'removeOldEventBodies', 'removeOldEvents'),
  ...repeated(retention, 'removeOldReceipts', 'removeOldRosters'),
  ...repeated(usualFigures, 'countKnown', 'groupMoves', 'historyOf', 'keepCensus', 'lastCensuses', 'knownBySource'),
  ...repeated(usualFigures, 'mostBlamed', 'removalsOf', 'unfinishedOf'),
  ...failing(audit, 'noteDeed'),
  ...repeated(audit, 'listDeeds'),
  ...failing(sessions, 'takeLink', 'endSessionsOf'),
  ...repeated(sessions, 'addSession', 'findSession', 'endSession'),
  ...repeated(signIns, 'keepSignIn'),
  ...failing(signIns, 'takeSignIn'),
  ...repeated(accounts, 'addAccount', 'approvers', 'changePassword', 'changeRole', 'findAccount', 'listAccounts'),
  ...repeated(accounts, 'noteSignIn'),
  ...failing(accounts, 'removeAccount'),
  ...repeated(tokens, 'addToken', 'findToken', 'listTokens', 'noteTokenUse', 'revokeToken'),
  ...repeated(vacuum, 'scrub', 'vacuumDeadRows'),
} as const satisfies Record<string, Verb>;
