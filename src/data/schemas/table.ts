// What the file of a kind of table says that is not about people.
import { z } from 'zod';

export const Table = z.strictObject({
  what: z.string().describe('What such a table is, at the end of a sentence: `a bank statement`.'),
  headings: z.string().describe('Its headings in any language, with commas between them; two of them tell it.'),
});
export type Table = z.infer<typeof Table>;
