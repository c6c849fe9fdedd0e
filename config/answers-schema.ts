// The schema of `answers`: when answers to stories are fetched, and how long they are kept.
import { z } from 'zod';
import { ScheduleSettings } from './schedule-schema.ts';
import { duration, text, wordOf } from '../src/core/settings/values.ts';

const kept = ['counts', 'people'] as const;

/** Times are in ms. */
export const Answers = z
  .strictObject({
    silence: duration().prefault('2m').describe('The longest silence of the service while it sends answers.'),
    timeout: duration().prefault('1h').describe('The longest time for one whole answer; expect hundreds of megabytes.'),
    schedule: ScheduleSettings.exactOptional().meta({
      description: 'When `serve` fetches answers and keeps what `keep` says.',
      form: 'schedule',
    }),
    stories: z.array(text(), { error: 'must be a list of stories like [Fire safety, "4711"]' }).prefault([]).meta({
      description:
        'The stories it fetches, by name or ID, with one call for each; without any, everything in one call.',
      form: 'list of stories',
    }),
    app: text().exactOptional().describe('The app it fetches, by name or ID.'),
    groups: z
      .array(text(), { error: 'must be a list of groups like [Sales]' })
      .prefault([])
      .meta({ description: 'The groups it fetches; without any, all.', form: 'list of groups' }),
    keep: wordOf(kept)
      .prefault('counts')
      .describe(
        'What the ledger keeps of the answers: `counts` hold no person; `people` also keeps what each ' +
          'person last answered, for the time of `retention.answers`.',
      ),
  })
  .prefault({});
export type Answers = z.output<typeof Answers>;
