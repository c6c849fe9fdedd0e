// What `src/data/reference` says about shapes, their fields and requests: for the JSON Schemas and the API.
import { z } from 'zod';
import { dataOf } from './data.ts';

export const Reference = z
  .record(z.string(), z.record(z.string(), z.string()))
  .describe(
    'By the name of a shape, what each of its fields is, and under `self` the shape; by the operation of a request, what it does.',
  );
export type Reference = z.infer<typeof Reference>;

const files = dataOf<Reference>('reference');
let words: Reference | undefined;

/** Fields of one shape. */
export const each = <Shape, Name extends string>(shape: Shape, ...names: Name[]): Record<Name, Shape> =>
  Object.fromEntries(names.map((name) => [name, shape])) as Record<Name, Shape>;

/** What the files say about a shape, or the operation of a request. */
export function wordsOf(name: string): Readonly<Record<string, string>> {
  words ??= Object.assign({}, ...Object.values(files())) as Reference;
  return words[name] ?? {};
}

/** Fields with what is said about them. Throws where something is said about a field that is not there. */
export function described<Fields extends z.core.$ZodShape>(name: string, fields: Fields): Fields {
  const { self: _, ...ofFields } = wordsOf(name);
  const found = Object.entries(ofFields).map(([field, text]) => {
    const schema = fields[field];
    if (schema instanceof z.ZodType) return [field, schema.describe(text)];
    throw new Error(`src/data/reference describes ${name}.${field}, which is not there.`);
  });
  return { ...fields, ...(Object.fromEntries(found) as Partial<Fields>) };
}

function withSelf<Shape extends z.ZodType>(name: string, shape: Shape): Shape {
  const { self } = wordsOf(name);
  return self === undefined ? shape : shape.describe(self);
}

export function object<Fields extends z.core.$ZodShape>(name: string, fields: Fields) {
  return withSelf(name, z.object(described(name, fields)));
}

/** One that refuses other fields. */
export function strictObject<Fields extends z.core.$ZodShape>(name: string, fields: Fields) {
  return withSelf(name, z.strictObject(described(name, fields)));
}
