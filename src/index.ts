// The public API of the package.

/**
 * The public API: what the commands are made of, for programs that bring their own rosters or schedules.
 *
 * @example
 * const config = loadConfig();
 * const context = await openContext({ config, log: createLogger(), command: 'nightly', create: true });
 * const delivery = await context.openDelivery(config.delivery.rate);
 * const run = newRun(context, { source: 'staff', service: delivery.service.address, trigger: 'import' });
 * const open = async () => ({ roster: await openRoster('staff.csv'), columns: { groups: ['All staff'], groupColumns: [] } });
 * const whilePlanning = (plan) => plan((rows) => console.log(rows));
 * const { became } = await conductRun(context, { run, open, only: [], all: false, whilePlanning });
 * if (became === 'released') {
 *   const deliverer = startDelivering(delivery, { concurrency: 10 });
 *   await waitForRun(delivery, { runId: run.id, signal, onCounts });
 *   await deliverer.stop();
 * }
 * await context.close();
 */
export { type Config, type LoadOptions, loadConfig } from '../config/load.ts';
export {
  type Attendant,
  type Conducted,
  conductRun,
  type Deliverer,
  type DeliverOptions,
  type DeliveryEvents,
  newRun,
  type PlannedRun,
  planRoster,
  type PlanRequest,
  type Proposal,
  type Release,
  releaseOrHold,
  type RunToBegin,
  type RunToConduct,
  startDelivering,
  waitForRun,
} from '../jobs/index.ts';
export { type Context, type ContextOptions, type DeliveryContext, openContext } from './wiring/context.ts';
export type { Answer, GroupResult, RawResponse } from './core/call/answer.ts';
export { BusyError, InputError, RosterSyncError, StorageError } from './core/errors.ts';
export { fingerprint, type Member, personKey } from './core/person/member.ts';
export type { Outcome } from './core/call/outcome.ts';
export type { RunPlan, RunSettings } from './core/run/run.ts';
export type { RunStatus } from './core/run/run-states.ts';
export { Secret } from './core/secrets/secret.ts';
export { createLogger, type Logger } from './process/logger.ts';
export { openRoster, type RosterFile } from './roster/open-roster.ts';
export { parseBaseUrl } from './service/address.ts';
export { createServiceClient, type ServiceClient, type ServiceClientOptions } from './service/client.ts';
export * from './service/contract.ts';
export { readCredentials } from './service/credentials.ts';
