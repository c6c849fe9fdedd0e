import { z } from 'zod';
import { duration } from './values.ts';

/** How the answers of stories are asked for. Times are in ms. */
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
  })
  .prefault({});
export type Answers = z.output<typeof Answers>;
