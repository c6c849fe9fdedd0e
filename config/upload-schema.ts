// The schema of how a file that somebody uploads is read: the mapping of a source, without its place.
import { z } from 'zod';
import { mappingParts } from './mapping-schema.ts';
import { readParts } from './read-schema.ts';
import { choice } from './values.ts';

/** How an uploaded file is read and sent; each key as in a source of the config. */
export const UploadMapping = z.strictObject(
  {
    ...readParts,
    ...mappingParts,
    everybody: choice().exactOptional(),
    deliver: z.strictObject({ forceSync: choice().exactOptional(), invite: choice().exactOptional() }).exactOptional(),
  },
  { error: 'must be settings like { groups: [{ column: Department }] }' },
);
export type UploadMapping = z.output<typeof UploadMapping>;
export type WrittenMapping = z.input<typeof UploadMapping>;
