// What the file of a list of words says.
import { z } from 'zod';

export const List = z.strictObject({
  words: z
    .string()
    .regex(/[^\s,]/)
    .describe('Words with commas between them, in lower case.'),
});
export type List = z.infer<typeof List>;
