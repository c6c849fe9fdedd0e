// What is done once around every act: who may ask, the run that is named, the audit.
import { requireBaseUrl } from '../../config/load.ts';
import type { SourceRunContext } from '../../jobs/run/run-source.ts';
import { refuseOtherService } from '../../jobs/run/steer-run.ts';
import { ScopeError } from '../core/errors.ts';
import { findRun } from '../report/run/read-report.ts';
import { parseBaseUrl } from '../service/settings.ts';
import type { Context } from '../wiring/context.ts';
import type { Ask, Asker, FileBytes } from './act.ts';

declare module './act.ts' {
  interface Asker {
    context: Context;
  }
}

/**
 * Asks in this process. Who may not is refused, the run that is named is found once, and the audit is written before anybody
 * gets the answer.
 */
export function askAs(asker: Asker): Ask {
  return async ({ scope, isOurs, audit, run: perform }, input, file = none()) => {
    if (!asker.scopes.includes(scope)) throw new ScopeError(scope);
    const { context, by, origin } = asker;
    const { run: named } = input as { run?: string };
    const run = named === undefined ? undefined : await findRun(context, named);
    if (run && isOurs) refuseOtherService(run, serviceOf(context));
    const output = await perform(asker, { ...input, ...(run && { run }) } as Parameters<typeof perform>[1], file);
    const action = typeof audit !== 'string' && 'of' in audit ? audit.of(output) : audit;
    if (typeof action === 'string') {
      await context.ledger.noteDeed({ by, action, origin, ...(run && { runId: run.id }) });
    }
    return output;
  };
}

async function* none(): FileBytes {}

/** The normalised address of the service that is configured. */
export function serviceOf({ config }: Pick<Context, 'config'>): string {
  return parseBaseUrl(requireBaseUrl(config)).address;
}

/** What runs are planned with. */
export function planningContext(context: Context): SourceRunContext {
  return { ...context, service: { address: serviceOf(context) } };
}
