// What the file of a SCIM schema says: attributes of users and groups.
import { z } from 'zod';

const Attribute = z.strictObject({
  type: z.enum(['boolean', 'reference']).exactOptional().describe('Unless said, a text, or what has parts.'),
  multi: z.literal(true).exactOptional(),
  exact: z.literal(true).exactOptional().describe('Only the exact letters count: ids.'),
  fixed: z.literal(true).exactOptional().describe('It is answered, and requests do not change it.'),
  leadsTo: z
    .array(z.enum(['User', 'Group', 'external']))
    .exactOptional()
    .describe('Kinds of ours; `external` is any other address.'),
  description: z.string(),
  get parts() {
    return Attributes.exactOptional();
  },
});
export type ScimAttribute = z.infer<typeof Attribute>;

/** By name; where only a text is said, it is the description of a text. */
const Attributes = z.record(z.string(), z.union([z.string(), Attribute]));

export const ScimSchema = z.strictObject({
  id: z.string().describe('The urn; empty where it is no schema.'),
  name: z.string(),
  attributes: Attributes,
});
export type ScimSchema = z.infer<typeof ScimSchema>;
