// A batch of events that is handled together: its types, and the run that it starts.
import type { DeliveryContext } from '../../src/wiring/context.ts';
import type { EventRules } from '../../src/core/webhooks/webhook.ts';
import { runSource, type SourceRun } from '../run/run-source.ts';

/** What happened to some events of a source. */
export type Handled =
  | { done: true; ids: readonly number[]; runId: string | null }
  /** Another run of the source blocks them: they wait. */
  | { done: false; failed?: undefined }
  | { done: false; failed: string };

export interface EventBatch {
  source: string;
  rules: EventRules;
  /** Whether the last attempt failed as well: then that was announced. */
  again: boolean;
  signal: AbortSignal;
}

export async function runForEvents(
  context: DeliveryContext,
  { source, again, signal }: EventBatch,
  ids: readonly number[],
  given: Pick<SourceRun, 'roster' | 'columns' | 'mayBeNobody'>,
): Promise<Handled> {
  const asked: SourceRun = { ...given, source, trigger: 'event', signal, announceFailure: !again };
  const { runId, status, reason } = await runSource(context, asked);
  if (status === 'busy') return { done: false };
  if (status === 'failed') return { done: false, failed: reason };
  if (status === 'unchanged' && runId === '')
    context.log.info({ source, events: ids.length, cause: reason }, 'events were handled: nobody can be sent yet');
  else context.log.info({ source, events: ids.length, run: runId, status }, 'events were handled');
  return { done: true, ids, runId: runId === '' ? null : runId };
}
