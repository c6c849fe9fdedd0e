// The ways in which a sender proves that an event is its own, and the presets of known HR systems.
import { dataOf } from '../../data/data.ts';
import type { WebhookPreset } from '../../data/schemas.ts';

export type Scheme = WebhookPreset['scheme'];

export type SignatureScheme = Extract<Scheme, { by: 'signature' }>;

export interface Received {
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes of the body, as they came. */
  body: Uint8Array;
  /** The last part of the path, where there is one. */
  pathSecret?: string;
}

/** Why a request is not believed: nothing to check, not what the secret makes of it, or not of this time. */
export type Refusal = 'missing' | 'wrong' | 'late';

export function headerOf({ headers }: Pick<Received, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export const webhookPresets = dataOf<WebhookPreset>('webhooks');
