/** What the queue and the commands run, in the order data meets them. */
export { planRoster, type PlanRequest, type PlannedRun } from './sync-roster.ts';
export { type Deliverer, type DeliverOptions, startDelivering, waitForRun } from './deliver.ts';
export type { DeliveryEvents } from './delivering.ts';
export { groupInsert } from './group-insert.ts';
export { finishRun } from './finish-run.ts';
