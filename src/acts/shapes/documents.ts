// Lists the JSON documents that commands print, each with its schema.
import { z } from 'zod';
import { defined } from '../../core/defined.ts';
import { documentVersion } from './version.ts';
import { PersonDocument } from './person.ts';
import * as roster from './roster.ts';
import * as run from './run.ts';
import * as story from './story.ts';
import * as upkeep from './upkeep.ts';

/** By the name of the schema in `docs/schemas`; without its version. */
export const documents = {
  run: run.RunDocument,
  plan: run.PlanDocument,
  show: run.ShowDocument,
  runs: z.union([run.RunsDocument, run.InvitedDocument]).describe('The runs; with `--invited`, people.'),
  compare: run.ComparisonDocument,
  person: PersonDocument,
  inspect: roster.InspectDocument,
  init: roster.InitDocument,
  resolve: roster.ResolveDocument,
  sources: roster.SourcesDocument,
  'sources-kept': roster.SourcesKeptDocument,
  'source-removed': roster.SourceRemovedDocument,
  schedules: roster.SchedulesDocument,
  'left-behind': roster.LeftBehindDocument,
  answers: story.AnswersDocument,
  completion: story.CompletionDocument,
  forget: upkeep.ForgetDocument,
  prune: upkeep.PruneDocument,
  export: upkeep.ExportDocument,
  'import-ledger': upkeep.ImportLedgerDocument,
  config: upkeep.ConfigDocument,
  doctor: upkeep.DoctorDocument,
  'token-created': upkeep.TokenCreatedDocument,
  tokens: upkeep.TokensDocument,
  'token-revoked': upkeep.TokenRevokedDocument,
  users: upkeep.UsersDocument,
  user: upkeep.UserDocument,
} as const;

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
