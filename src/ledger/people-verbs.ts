// The verbs about people, events, answers, figures and access, each with its two marks.
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
import { verb, type Verb } from './verb.ts';

export const peopleVerbs = {
  allForgotten: verb(keptOut.allForgotten, 'repeat', 'local'),
  blockPeople: verb(keptOut.blockPeople, 'repeat', 'local'),
  erasePerson: verb(forget.erasePerson, 'repeat', 'local'),
  forgetKey: verb(keptOut.forgetKey, 'repeat', 'local'),
  forgottenAt: verb(keptOut.forgottenAt, 'repeat', 'local'),
  unblockPeople: verb(forget.unblockPeople, 'repeat', 'local'),
  whenForgotten: verb(keptOut.whenForgotten, 'repeat', 'remote'),
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
  countEvents: verb(events.countEvents, 'fail', 'local'),
  eventCounts: verb(events.eventCounts, 'fail', 'local'),
  eventsFailed: verb(events.eventsFailed, 'fail', 'local'),
  eventsHandled: verb(events.eventsHandled, 'fail', 'local'),
  eventsWithoutPeople: verb(events.eventsWithoutPeople, 'fail', 'local'),
  latestEvents: verb(events.latestEvents, 'repeat', 'local'),
  leadEvents: verb(events.leadEvents, 'fail', 'local'),
  leaveEvents: verb(events.leaveEvents, 'fail', 'local'),
  takeEvents: verb(events.takeEvents, 'fail', 'local'),
  waitingSources: verb(events.waitingSources, 'fail', 'local'),
  addPushed: verb(pushed.addPushed, 'fail', 'local'),
  changePushed: verb(pushed.changePushed, 'fail', 'local'),
  removePushed: verb(pushed.removePushed, 'fail', 'local'),
  findPushed: verb(pushed.findPushed, 'fail', 'local'),
  listPushed: verb(pushed.listPushed, 'fail', 'local'),
  countPushed: verb(pushed.countPushed, 'fail', 'local'),
  pushedMembers: verb(pushed.pushedMembers, 'fail', 'local'),
  pushedUsers: verb(pushed.pushedUsers, 'repeat', 'local'),
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
  noteDeed: verb(audit.noteDeed, 'fail', 'remote'),
  listDeeds: verb(audit.listDeeds, 'repeat', 'local'),
  takeLink: verb(sessions.takeLink, 'fail', 'local'),
  addSession: verb(sessions.addSession, 'repeat', 'remote'),
  findSession: verb(sessions.findSession, 'repeat', 'local'),
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
  scrub: verb(vacuum.scrub, 'repeat', 'local'),
  vacuumDeadRows: verb(vacuum.vacuumDeadRows, 'repeat', 'local'),
} as const satisfies Record<string, Verb>;
