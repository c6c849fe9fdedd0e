// The types of a batch of events that is handled together, and of its result.
import type { Webhook } from '../../src/core/webhooks/webhook.ts';

/** What happened to some events of a source. */
export type Handled =
  | { done: true; ids: readonly number[]; runId: string | null }
  /** Another run of the source blocks them: they wait. */
  | { done: false; failed?: undefined }
  | { done: false; failed: string };

/** What is handled at one time. */
export interface EventBatch {
  source: string;
  webhook: Webhook;
  /** Whether the last attempt failed as well: then that was announced. */
  again: boolean;
  signal: AbortSignal;
}
