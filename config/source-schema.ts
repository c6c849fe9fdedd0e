// The schema of one source under `sources`, and of how a file that somebody uploads is read.
import { z } from 'zod';
import { locationKeys, places, placesOf } from '../src/roster/places.ts';
import { Guards } from '../src/core/guards/guard-settings.ts';
import { mappingParts } from '../src/core/mapping/mapping-schema.ts';
import { readParts, uploadReadParts } from '../src/roster/read-schema.ts';
import { ScheduleSettings } from '../src/core/run/schedule-schema.ts';
import { choice, count, duration, keeping, rate, text } from '../src/core/settings/values.ts';
import { configuredSourceName } from '../src/core/rows/source.ts';
import { WebhookConfig } from '../src/core/webhooks/webhook-schema.ts';
import { mayCarryPeople, settleWebhook } from '../src/core/webhooks/webhook.ts';

const Deliver = z
  .strictObject({
    forceSync: choice().exactOptional(),
    invite: choice().exactOptional(),
    rate: rate().exactOptional(),
  })
  .exactOptional();

const Invites = z
  .strictObject({
    perRun: count(0, 10_000_000).exactOptional(),
    perDay: count(0, 10_000_000).exactOptional(),
  })
  .exactOptional();

const Departed = z
  .strictObject(
    {
      group: text(),
      forceSync: choice().prefault(false),
      after: count(1, 1000).prefault(2),
    },
    { error: 'must be settings like { group: Leavers, forceSync: true }' },
  )
  .exactOptional();

const Scim = z
  .strictObject(
    {
      quiet: duration().prefault('2m'),
      longest: duration().prefault('15m'),
    },
    { error: 'must be settings like { quiet: 2m }, or {}' },
  )
  .refine(({ quiet, longest }) => quiet <= longest, { error: 'must not have a quiet that is longer than longest' })
  .exactOptional();

export const Source = z
  .strictObject(
    {
      ...locationKeys,
      ...readParts,
      ...mappingParts,
      everybody: choice().exactOptional(),
      guards: Guards,
      refresh: keeping().exactOptional(),
      snapshot: choice().exactOptional(),
      departed: Departed,
      invites: Invites,
      deliver: Deliver,
      schedule: ScheduleSettings.exactOptional(),
      webhook: WebhookConfig.exactOptional(),
      scim: Scim,
    },
    { error: 'must be settings like { file: ./staff.csv }' },
  )
  .superRefine((source, context) => {
    const { scim, preset, webhook } = source;
    if (!scim || (placesOf(source).length === 0 && (preset ?? webhook) === undefined)) return;
    const message = `gets its people pushed: leave out ${Object.keys(places).join(', ')}, preset and webhook`;
    context.addIssue({ code: 'custom', path: ['scim'], message });
  })
  .superRefine(({ webhook, allow }, context) => {
    if (!webhook || allow?.emails?.domains || !(webhook.preset ?? webhook.scheme)) return;
    const settled = settleWebhook(webhook);
    if ((settled.scheme.by !== 'bearer' && settled.scheme.by !== 'path') || !mayCarryPeople(settled)) return;
    const message =
      'carries people and signs nothing: anybody who learns the address could enrol people. Set allow.emails.domains of the source';
    context.addIssue({ code: 'custom', path: ['webhook'], message });
  })
  .superRefine((source, context) => {
    const { webhook, preset, scim, invites } = source;
    if (!webhook || !(webhook.preset ?? webhook.scheme) || !mayCarryPeople(settleWebhook(webhook))) return;
    const startDate = webhook.people?.members?.startDate ?? source.members?.startDate;
    if (placesOf(source).length > 0 || (preset ?? scim) !== undefined) return;
    const unsaid = (['only', 'except', 'leavers'] as const).filter(
      (key) => source[key] !== undefined && webhook.people && webhook.people[key] === undefined,
    );
    if (unsaid.length > 0) {
      const rules = unsaid.map((key) => `\`${key}\``).join(', ');
      const message = `has rules of its own, so those of the source do not count: without a place, repeat its ${rules} there`;
      context.addIssue({ code: 'custom', path: ['webhook', 'people'], message });
    }
    if ((startDate ?? invites?.perDay ?? invites?.perRun) === undefined) return;
    const message =
      'carries people, and without a place no later run sends those who wait: leave out invites and startDate, or say where the roster is';
    context.addIssue({ code: 'custom', path: ['webhook'], message });
  });
export type SourceConfig = z.output<typeof Source>;

export const Sources = z.record(
  z.string().regex(configuredSourceName, {
    error:
      'is not a name: begin with a letter or digit, continue with letters, digits and - _ . (at most 100 characters)',
  }),
  Source,
  { error: 'must be sources by their names, like `staff: { file: ./staff.csv }`' },
);

/** How an uploaded file is read and sent; each key as in a source of the config. */
export const UploadMapping = z.strictObject(
  {
    ...uploadReadParts,
    ...mappingParts,
    everybody: choice().exactOptional(),
    deliver: z.strictObject({ forceSync: choice().exactOptional(), invite: choice().exactOptional() }).exactOptional(),
  },
  { error: 'must be settings like { groups: [{ column: Department }] }' },
);
export type UploadMapping = z.output<typeof UploadMapping>;
export type WrittenMapping = z.input<typeof UploadMapping>;
