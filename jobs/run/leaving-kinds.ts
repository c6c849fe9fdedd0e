// Finds the kinds of events that say that somebody leaves a source, or does not come to it.
import { saysLeft } from '../../src/core/webhooks/event.ts';
import { settleWebhook } from '../../src/core/webhooks/webhook.ts';
import type { Run } from '../../src/ledger/runs/runs.ts';
import type { Configured } from '../../src/wiring/context.ts';

/** The kinds of the events since the time of the roster of a run that say that somebody leaves, or does not come. */
export async function leavingKinds(
  { ledger, config }: Configured,
  { source, roster }: { source: string; roster: Pick<NonNullable<Run['roster']>, 'time'> | null },
): Promise<string[]> {
  const webhook = Object.hasOwn(config.sources, source) ? config.sources[source]?.webhook : undefined;
  if (webhook === undefined || roster === null) return [];
  const { kinds } = settleWebhook(webhook);
  return (await ledger.eventKindsSince({ source, time: roster.time })).filter((kind) => saysLeft(kind, kinds));
}
