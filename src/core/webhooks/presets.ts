// How the events of each known HR system are verified and read, by the name of its preset.
import { dataOf } from '../../data/data.ts';
import type { WebhookPreset } from '../../data/schemas/webhook-preset.ts';

export const webhookPresets = dataOf<WebhookPreset>('webhooks');
