// What the file of a SCIM schema says: attributes of users and groups.
import { z } from 'zod';

/** By name; where only a text is said, it is the description of a text. */
type Attributes = Record<string, string | ScimAttribute>;

export interface ScimAttribute {
  /** Unless said, a text, or what has parts. */
  type?: 'boolean' | 'reference';
  multi?: true;
  /** Only the exact letters count: ids. */
  exact?: true;
  /** It is answered, and requests do not change it. */
  fixed?: true;
  /** What a reference leads to: kinds of ours, `external` for any other address. */
  leadsTo?: ('User' | 'Group' | 'external')[];
  description: string;
  parts?: Attributes;
}

const Attribute: z.ZodType<ScimAttribute> = z.strictObject({
  type: z.enum(['boolean', 'reference']).exactOptional(),
  multi: z.literal(true).exactOptional(),
  exact: z.literal(true).exactOptional(),
  fixed: z.literal(true).exactOptional(),
  leadsTo: z.array(z.enum(['User', 'Group', 'external'])).exactOptional(),
  description: z.string(),
  parts: z.lazy(() => AttributesOf).exactOptional(),
});
const AttributesOf: z.ZodType<Attributes> = z.record(z.string(), z.union([z.string(), Attribute]));

export const ScimSchema = z.strictObject({
  id: z.string().describe('The urn; empty where it is no schema.'),
  name: z.string(),
  attributes: AttributesOf,
});
export type ScimSchema = z.infer<typeof ScimSchema>;
