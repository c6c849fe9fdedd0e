// What the files of words, sentences, kinds of tables, encodings and letter pairs say.
import { z } from 'zod';
import { strictObject, wordsOf } from '../described.ts';

export const List = strictObject('List', { words: z.string().regex(/[^\s,]/) });
export type List = z.infer<typeof List>;

export const Sentences = z.record(z.string(), z.string()).describe(wordsOf('Sentences')['self'] ?? '');
export type Sentences = z.infer<typeof Sentences>;

export const Table = strictObject('Table', { what: z.string(), headings: z.string() });
export type Table = z.infer<typeof Table>;

export const Encodings = z.record(
  z.string(),
  strictObject('Encoding', {
    rarity: z.number(),
    home: z.enum(['west', 'centre', 'baltic', 'turkey']).exactOptional(),
  }),
);
export type Encodings = z.infer<typeof Encodings>;

export const LetterPairs = z.record(
  z.string(),
  strictObject('LetterPairs', { letters: z.string(), square: z.string().regex(/^[0-9a-z]+$/) }),
);
export type LetterPairs = z.infer<typeof LetterPairs>;
