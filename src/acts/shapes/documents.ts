// Finds the JSON documents that commands print, each with its schema.
import { z } from 'zod';
import { defined } from '../../core/defined.ts';
import { documentVersion } from './version.ts';
import * as person from './person.ts';
import * as requests from './requests.ts';
import * as roster from './roster.ts';
import * as run from './run.ts';
import * as story from './story.ts';
import * as upkeep from './upkeep.ts';

const shapes = { ...run, ...requests, ...person, ...roster, ...story, ...upkeep };

/** `sourcesKept` as `sources-kept`. */
type Dashed<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Dashed<Rest>}`
  : '';
type NameOf<Export> = Export extends `${infer Name}Document` ? Dashed<Uncapitalize<Name>> : never;
type Documents = { [Export in keyof typeof shapes as NameOf<Export>]: (typeof shapes)[Export] };

const named = Object.entries(shapes).flatMap(([name, shape]) => {
  const [, words] = /^(.*)Document$/.exec(name) ?? [];
  return words === undefined ? [] : [[words.replaceAll(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase(), shape]];
});

/** By the name of the schema in `docs/schemas`, without its version: what a file of shapes exports as `…Document`. */
export const documents = {
  ...(Object.fromEntries(named) as Documents),
  runs: z.union([run.RunsDocument, run.Invited]).describe('The runs; with `--invited`, people.'),
};

export type DocumentName = keyof typeof documents;

/** What a document says besides its version, before it is written: a time may still be a `Date`. */
export type Content<Name extends DocumentName> = Writable<z.input<(typeof documents)[Name]>>;

type Writable<T> = T extends string
  ? string extends T
    ? string | Date
    : T
  : T extends readonly (infer Item)[]
    ? readonly Writable<Item>[]
    : T extends object
      ? string extends keyof T
        ? object
        : { readonly [Key in keyof T]: Writable<T[Key]> }
      : T;

/** `strict` refuses fields that it does not know; a reader must not, since a later release may add some. */
export function documentSchema(name: DocumentName, { strict = false } = {}): Record<string, unknown> {
  const io = strict ? 'output' : 'input';
  const { $schema, description, ...schema } = z.toJSONSchema(versioned(documents[name]), { target: 'draft-7', io });
  return { $schema, title: `roster-sync: ${name}`, ...defined({ description }), ...schema };
}

function versioned(schema: z.ZodObject | z.ZodUnion<readonly z.ZodObject[]>): z.ZodType {
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map((option) => versioned(option)));
  const { description = '' } = schema;
  return z.object({ version: z.literal(documentVersion), ...schema.shape }).describe(description);
}
