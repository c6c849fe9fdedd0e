// What the file of letter pairs says: how often letters follow each other in names.
import { z } from 'zod';

export const LetterPairs = z.record(
  z.string(),
  z.strictObject({
    letters: z.string().describe('The letters; the space is the edge of a word.'),
    square: z
      .string()
      .regex(/^[0-9a-z]+$/)
      .describe(
        'How surprising a letter is after another, in half nats (-2 ln of the share): digits of base 36, a row for each first letter.',
      ),
  }),
);
export type LetterPairs = z.infer<typeof LetterPairs>;
