// What a file of sentences says.
import { z } from 'zod';

export const Sentences = z
  .record(z.string(), z.string())
  .describe(
    'Sentences: `[is|are]` for one or more, `#` for how many, and in braces what is said about them: `{column}`.',
  );
export type Sentences = z.infer<typeof Sentences>;
