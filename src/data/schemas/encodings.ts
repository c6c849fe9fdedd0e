// What the file of encodings says: how rare each is.
import { z } from 'zod';

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
