import { z } from 'zod';
import { ScheduleSettings } from './schedule-schema.ts';
import { duration, scalar, text } from './values.ts';

const kept = ['counts', 'people'] as const;

/** An ID may look like a number. */
const nameOrId = () => scalar().pipe(text());

/** How the answers of stories are asked for, and which of them are kept when. Times are in ms. */
export const Answers = z
  .strictObject({
    silence: duration().prefault('2m').meta({
      description: 'How long the service may say nothing while it is asked for answers.',
      form: 'time',
    }),
    timeout: duration().prefault('1h').meta({
      description: 'How long one answer may take in all; hundreds of megabytes are to be expected.',
      form: 'time',
    }),
    schedule: ScheduleSettings.exactOptional().meta({
      description: 'When `serve` asks for answers by itself, and keeps what `keep` says.',
      form: 'schedule',
    }),
    stories: z.array(nameOrId(), { error: 'must be a list of stories like [Fire safety, 4711]' }).prefault([]).meta({
      description:
        'The stories it asks for then, by name or ID, one call for each; without any, for everything in one.',
      form: 'list of stories',
    }),
    app: nameOrId().exactOptional().meta({ description: 'The app it asks for then, by name or ID.', form: 'text' }),
    groups: z
      .array(nameOrId(), { error: 'must be a list of groups like [Sales]' })
      .prefault([])
      .meta({ description: 'The groups it asks for then; without any, for all.', form: 'list of groups' }),
    keep: z
      .enum(kept, { error: `must be one of ${kept.join(', ')}` })
      .prefault('counts')
      .meta({
        description:
          'What of the answers stays in the ledger then: `counts` hold no person; `people` keeps beside them what each ' +
          'person last answered, for as long as `retention.answers` says.',
        form: 'counts or people',
      }),
  })
  .prefault({});
export type Answers = z.output<typeof Answers>;
