// What the files of the reference say: about the requests of the API, and what they and `--json` answer.
import { z } from 'zod';

export const Reference = z
  .record(z.string(), z.record(z.string(), z.string()))
  .describe(
    'By the name of a shape, what each of its fields is, and under `self` the shape; by the operation of a request, what it does.',
  );
export type Reference = z.infer<typeof Reference>;
