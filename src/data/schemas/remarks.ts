// What a file of remarks says.
import { z } from 'zod';

export const Remarks = z
  .record(z.string(), z.string())
  .describe(
    'Sentences: `[is|are]` for one or more, `#` for how many, and in braces what is said about them: `{column}`.',
  );
export type Remarks = z.infer<typeof Remarks>;
