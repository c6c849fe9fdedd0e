// The schema of one source under `sources`, and of how a file that somebody uploads is read.
import { z } from 'zod';
import { locationKeys, places, placesOf } from '../src/roster/places.ts';
import { Guards } from '../src/core/guards/guard-settings.ts';
import { mappingParts } from '../src/core/mapping/mapping-schema.ts';
import { readParts } from '../src/roster/read-schema.ts';
import { ScheduleSettings } from './schedule-schema.ts';
import { choice, count, duration, keeping, rate, text } from '../src/core/settings/values.ts';
import { configuredSourceName } from '../src/core/rows/source.ts';
import { WebhookConfig } from '../src/core/webhooks/webhook-schema.ts';
import { mayCarryPeople, settleWebhook } from '../src/core/webhooks/webhook.ts';

const Deliver = z
  .strictObject({
    forceSync: choice().exactOptional().describe('`delivery.forceSync` for this source.'),
    invite: choice().exactOptional().describe('`delivery.invite` for this source.'),
    rate: rate().exactOptional().describe('A rate lower than `delivery.rate`, for this source.'),
  })
  .exactOptional();

const Invites = z
  .strictObject({
    perRun: count(0, 10_000_000, 100)
      .exactOptional()
      .describe('The most people who may be invited by one run; the others are `later`.'),
    perDay: count(0, 10_000_000, 200)
      .exactOptional()
      .describe('The most people of this source who may be invited in a day, in the time zone of its schedule.'),
  })
  .exactOptional();

const Departed = z
  .strictObject(
    {
      group: text('Leavers').describe('The group for people who left.'),
      forceSync: choice()
        .prefault(false)
        .describe('Lets the service take them out of every other group: the only removal it offers.'),
      after: count(1, 1000)
        .prefault(2)
        .describe(
          'The number of complete rosters in a row that must be without them. A row that says they left counts at once.',
        ),
    },
    { error: 'must be settings like { group: Leavers, forceSync: true }' },
  )
  .exactOptional();

const Scim = z
  .strictObject(
    {
      quiet: duration()
        .prefault('2m')
        .describe('A run begins after this time without another change: a first sync of thousands becomes few runs.'),
      longest: duration().prefault('15m').describe('The longest time a change waits, even if more changes arrive.'),
    },
    { error: 'must be settings like { quiet: 2m }, or {}' },
  )
  .refine(({ quiet, longest }) => quiet <= longest, { error: 'must not have a quiet that is longer than longest' })
  .exactOptional()
  .meta({
    form: 'settings, or {}',
    example: {},
    description:
      'Identity providers such as Entra ID and Okta push people and groups to `serve`, at `/scim/v2/<source>`, instead of a place to read.',
  });

export const Source = z
  .strictObject(
    {
      ...locationKeys,
      ...readParts,
      ...mappingParts,
      everybody: choice()
        .exactOptional()
        .describe(
          'Sends everybody in the roster, even people whom a column calls terminated, blocked, or not started. Without ' +
            'this, a roster with such people is held until you decide, unless `only`, `except` or `leavers` names that column.',
        ),
      guards: Guards,
      refresh: keeping()
        .exactOptional()
        .describe(
          'People who were last given something longer ago than this are sent again, changed or not. Unless set, never.',
        ),
      snapshot: choice()
        .exactOptional()
        .describe(
          'Whether each roster is complete, so that people missing from it have left. A roster of an `import`, an event or `--only` never counts as complete.',
        ),
      departed: Departed,
      invites: Invites,
      deliver: Deliver,
      schedule: ScheduleSettings.exactOptional().meta({
        description: 'When `serve` reads the source.',
        form: 'schedule',
      }),
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
    ...readParts,
    ...mappingParts,
    everybody: choice().exactOptional(),
    deliver: z.strictObject({ forceSync: choice().exactOptional(), invite: choice().exactOptional() }).exactOptional(),
  },
  { error: 'must be settings like { groups: [{ column: Department }] }' },
);
export type UploadMapping = z.output<typeof UploadMapping>;
export type WrittenMapping = z.input<typeof UploadMapping>;
