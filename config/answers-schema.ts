import { z } from 'zod';
import { duration, text } from './values.ts';

/** How the answers of stories are asked for, and what is kept of them. Times are in ms. */
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
    keep: z.enum(['aggregates', 'people'], { error: 'must be aggregates or people' }).prefault('aggregates').meta({
      description: 'What a snapshot keeps: how often each answer was given, or with `people` also who gave it.',
      form: 'aggregates or people',
    }),
    stories: z.array(text(), { error: 'must be a list of stories like ["Fire safety"]' }).prefault([]).meta({
      description: 'The stories that snapshots are taken of, by ID or name; none named means all.',
      form: 'list of stories',
    }),
  })
  .prefault({});
export type Answers = z.output<typeof Answers>;
