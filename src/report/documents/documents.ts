// Lists the JSON documents that commands print, each with its schema.
import { z } from 'zod';
import { defined } from '../../core/defined.ts';
import { documentVersion } from './version.ts';
import { PersonDocument } from './person-document.ts';
import {
  InitDocument,
  InspectDocument,
  LeftBehindDocument,
  ResolveDocument,
  SchedulesDocument,
  SourceRemovedDocument,
  SourcesDocument,
  SourcesKeptDocument,
} from './roster-documents.ts';
import { InvitedDocument, PlanDocument, RunDocument, RunsDocument, ShowDocument } from './run-documents.ts';
import { AnswersDocument, CompletionDocument } from './story-documents.ts';
import {
  ConfigDocument,
  DoctorDocument,
  ExportDocument,
  ForgetDocument,
  ImportLedgerDocument,
  PruneDocument,
  TokenCreatedDocument,
  TokenRevokedDocument,
  TokensDocument,
  UserDocument,
  UsersDocument,
} from './upkeep-documents.ts';

/** By the name of the schema in `docs/schemas`; without its version. */
export const documents = {
  run: RunDocument,
  plan: PlanDocument,
  show: ShowDocument,
  runs: z.union([RunsDocument, InvitedDocument]).describe('The runs; with `--invited`, people.'),
  person: PersonDocument,
  inspect: InspectDocument,
  init: InitDocument,
  resolve: ResolveDocument,
  sources: SourcesDocument,
  'sources-kept': SourcesKeptDocument,
  'source-removed': SourceRemovedDocument,
  schedules: SchedulesDocument,
  'left-behind': LeftBehindDocument,
  answers: AnswersDocument,
  completion: CompletionDocument,
  forget: ForgetDocument,
  prune: PruneDocument,
  export: ExportDocument,
  'import-ledger': ImportLedgerDocument,
  config: ConfigDocument,
  doctor: DoctorDocument,
  'token-created': TokenCreatedDocument,
  tokens: TokensDocument,
  'token-revoked': TokenRevokedDocument,
  users: UsersDocument,
  user: UserDocument,
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
