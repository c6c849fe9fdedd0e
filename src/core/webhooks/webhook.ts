// Combines preset and config into the webhook of one source.
import { defined } from '../defined.ts';
import type { Secret } from '../secrets/secret.ts';
import type { EventShape } from './event.ts';
import type { WebhookPreset } from '../../data/schemas.ts';
import { webhookPresets, type Scheme, type SignatureScheme } from './scheme.ts';
import type { WebhookSettings } from './webhook-schema.ts';

/** When the events of a source are handled, and how people in them are read. */
export interface EventRules {
  /** The time without another event before anything is done, ms. */
  quietMs: number;
  /** But no event waits longer than this, ms. */
  longestMs: number;
  /** How the people that events carry are read, where not as the source's own rows. */
  people?: WebhookSettings['people'];
  /** The only kinds that count; absent for all. */
  kinds?: readonly string[];
}

export interface Webhook extends EventRules {
  scheme: Scheme;
  shape: EventShape;
  greeting?: WebhookPreset['greeting'];
  secrets: readonly Secret[];
  /** Addresses and networks from which events may come; empty for any. */
  allowFrom: readonly string[];
}

/** What the config says takes precedence over its preset. */
export function settleWebhook(settings: WebhookSettings): Webhook {
  const { scheme, secret, secrets = [], allowFrom = [], quiet, longest, people } = settings;
  const preset = settings.preset === undefined ? undefined : webhookPresets()[settings.preset];
  const own = scheme && ownScheme(scheme);
  const settled = preset?.scheme ?? own;
  // The schema of the config makes sure that there is one.
  if (!settled) throw new Error('a webhook needs a preset or a scheme');
  const shape = shapeOf(settings, preset);
  return {
    scheme: settled,
    shape,
    secrets: [...(secret ? [secret] : []), ...secrets],
    allowFrom,
    quietMs: quiet,
    longestMs: longest,
    ...defined({ greeting: preset?.greeting, people, kinds: shape.kinds }),
  };
}

const ownScheme = ({ tolerance, ...scheme }: NonNullable<WebhookSettings['scheme']>): SignatureScheme => ({
  by: 'signature',
  ...scheme,
  ...defined({ toleranceMs: tolerance }),
});

function shapeOf({ event = {}, kinds, scheme }: WebhookSettings, preset: WebhookPreset | undefined): EventShape {
  const shape: EventShape = preset?.shape ?? {
    kind: ['type', 'event', 'event_type'],
    ...(scheme?.id === undefined ? {} : { id: { header: scheme.id } }),
  };
  return {
    ...shape,
    ...(event.id === undefined ? {} : { id: { path: event.id } }),
    ...(event.kind === undefined ? {} : { kind: [event.kind] }),
    ...(event.employees === undefined ? {} : { employees: [event.employees] }),
    ...(event.people === undefined ? {} : { people: { at: event.people === '.' ? '' : event.people } }),
    ...defined({ kinds }),
  };
}

/** Whether an event may carry people who are enrolled by what it says about them. */
export function mayCarryPeople({ shape, people }: Pick<Webhook, 'shape' | 'people'>): boolean {
  return shape.people !== undefined && (!shape.people.needsMapping || people?.members !== undefined);
}
