// The schema of one source under `sources`.
import { z } from 'zod';
import { configuredSourceName } from '../src/core/rows/source-name.ts';
import { mayCarryPeople, settleWebhook } from '../src/core/webhooks/webhook.ts';
import { locationKeys } from './fetch-schema.ts';
import { Guards } from './guards-schema.ts';
import { EventPeople, mappingParts } from './mapping-schema.ts';
import { readParts } from './read-schema.ts';
import { ScheduleSettings } from './schedule-schema.ts';
import { choice, count, duration, keeping, rate, text } from './values.ts';
import { webhookSchema } from './webhook-schema.ts';

const Deliver = z
  .strictObject({
    forceSync: choice()
      .exactOptional()
      .meta({ description: '`delivery.forceSync` for this source.', form: 'true or false' }),
    invite: choice().exactOptional().meta({ description: '`delivery.invite` for this source.', form: 'true or false' }),
    rate: rate()
      .exactOptional()
      .meta({ description: 'A rate lower than `delivery.rate`, for this source.', form: 'rate' }),
  })
  .exactOptional();

const Invites = z
  .strictObject({
    perRun: count(0, 10_000_000).exactOptional().meta({
      description: 'The most people who may be invited by one run; the others are `later`.',
      form: 'whole number',
    }),
    perDay: count(0, 10_000_000).exactOptional().meta({
      description: 'The most people of this source who may be invited in a day, in the time zone of its schedule.',
      form: 'whole number',
    }),
  })
  .exactOptional();

const Departed = z
  .strictObject(
    {
      group: text().meta({ description: 'The group for people who left.', form: 'text' }),
      forceSync: choice().prefault(false).meta({
        description: 'Lets the service take them out of every other group: the only removal it offers.',
        form: 'true or false',
      }),
      after: count(1, 1000).prefault(2).meta({
        description:
          'The number of complete rosters in a row that must be without them. A row that says they left counts at once.',
        form: 'whole number',
      }),
    },
    { error: 'must be settings like { group: Leavers, forceSync: true }' },
  )
  .exactOptional();

const Scim = z
  .strictObject(
    {
      quiet: duration().prefault('2m').meta({
        description: 'A run begins after this time without another change: a first sync of thousands becomes few runs.',
        form: 'time',
      }),
      longest: duration().prefault('15m').meta({
        description: 'The longest time a change waits, even if more changes arrive.',
        form: 'time',
      }),
    },
    { error: 'must be settings like { quiet: 2m }, or {}' },
  )
  .refine(({ quiet, longest }) => quiet <= longest, { error: 'must not have a quiet that is longer than longest' })
  .exactOptional()
  .meta({
    description:
      'Identity providers such as Entra ID and Okta push people and groups to `serve`, at `/scim/v2/<source>`, instead of a place to read.',
  });

/** A source of rosters: where it is, how its rows become members, and how they are delivered. */
export const Source = z
  .strictObject(
    {
      ...locationKeys,
      ...readParts,
      ...mappingParts,
      everybody: choice()
        .exactOptional()
        .meta({
          description:
            'Sends everybody in the roster, even people whom a column calls terminated, blocked, or not started. Without ' +
            'this and without `only`, `except` or `leavers`, a roster with such people is held until you decide.',
          form: 'true or false',
        }),
      guards: Guards,
      refresh: keeping().exactOptional().meta({
        description:
          'People who were last given something longer ago than this are sent again, changed or not. Unless set, never.',
        form: 'days or years',
      }),
      snapshot: choice().exactOptional().meta({
        description:
          'Whether each roster is complete, so that people missing from it have left. A roster of an `import`, an event or `--only` never counts as complete.',
        form: 'true or false',
      }),
      departed: Departed,
      invites: Invites,
      deliver: Deliver,
      schedule: ScheduleSettings.exactOptional().meta({
        description: 'When `serve` reads the source.',
        form: 'schedule',
      }),
      webhook: webhookSchema(EventPeople).exactOptional(),
      scim: Scim,
    },
    { error: 'must be settings like { file: ./staff.csv }' },
  )
  .superRefine(({ scim, file, http, sftp, ldap, sql, s3, azureBlob, preset, webhook }, context) => {
    const others = [file, http, sftp, ldap, sql, s3, azureBlob, preset, webhook];
    if (!scim || others.every((other) => other === undefined)) return;
    const message = 'gets its people pushed: leave out file, http, sftp, ldap, sql, s3, azureBlob, preset and webhook';
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

/** The sources by their names. */
export const Sources = z.record(
  z.string().regex(configuredSourceName, {
    error:
      'is not a name: begin with a letter or digit, continue with letters, digits and - _ . (at most 100 characters)',
  }),
  Source,
  { error: 'must be sources by their names, like `staff: { file: ./staff.csv }`' },
);
