// Verbs as the repeated ones, short and frequent: they also notice when the network silently drops everything.
export { countFed, countInFlight, deliveringRuns, findDue, hasUnsent, isDelivered } from '../moves/feed.ts';
export { beginAlone, countAlive, reclaimFromDeadWorkers, takeLease as leadFeeding } from '../moves/workers.ts';
export { acceptedBefore, tallyOf } from '../runs/failures.ts';
export { correctDueTimes, endThrottle, keepThrottle, recentCalls, rememberShare } from '../runs/paces.ts';
export { rememberedShare, throttleOf } from '../runs/paces.ts';
