// Verbs that fail at once when the connection is lost: they do not help later, or their caller tries again.
export { endSessionsOf, removeAccount, takeLink, takeSignIn } from '../access/accounts.ts';
export { noteDeed } from '../access/tokens.ts';
export {
  countEvents,
  eventCounts,
  eventsFailed,
  eventsHandled,
  eventsWithoutPeople,
  idsWithoutPerson,
  noteLeavers,
} from '../events/events.ts';
export { takeEvents, waitingSources } from '../events/events.ts';
export { beat, leave, leaveEvents, takeLease as leadEvents } from '../moves/workers.ts';
export { resolveMoves } from '../planning/resolving.ts';
export {
  addPushed,
  changePushed,
  countPushed,
  findPushed,
  listPushed,
  pushedMembers,
  pushedSizes,
} from '../pushed/pushed.ts';
export { removePushed } from '../pushed/pushed.ts';
export { announceAnswers, announceEvent, announceRuns, endNotification, noteTrouble } from '../runs/notifications.ts';
export { noticeFacts, remindHolds, takeNotifications } from '../runs/notifications.ts';
export { measure, measureRun, watchRuns } from '../runs/watching.ts';
