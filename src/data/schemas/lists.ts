// What the files of words, sentences, kinds of tables, encodings and letter pairs say.
import { z } from 'zod';

export const List = z.strictObject({
  words: z
    .string()
    .regex(/[^\s,]/)
    .describe('Words with commas between them, in lower case.'),
});
export type List = z.infer<typeof List>;

export const Sentences = z
  .record(z.string(), z.string())
  .describe(
    'Sentences: `[is|are]` for one or more, `#` for how many, and in braces what is said about them: `{column}`.',
  );
export type Sentences = z.infer<typeof Sentences>;

export const Table = z.strictObject({
  what: z.string().describe('What such a table is, at the end of a sentence: `a bank statement`.'),
  headings: z.string().describe('Its headings in any language, with commas between them; two of them tell it.'),
});
export type Table = z.infer<typeof Table>;

export const Encodings = z.record(
  z.string(),
  z.strictObject({
    rarity: z.number().describe('How much rarer than Windows-1252 it is, in nats.'),
    home: z
      .enum(['west', 'centre', 'baltic', 'turkey'])
      .exactOptional()
      .describe('Unless set, its letters are those of no other part of the world.'),
  }),
);
export type Encodings = z.infer<typeof Encodings>;

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
