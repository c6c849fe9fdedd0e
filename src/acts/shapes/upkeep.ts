// The schemas of the JSON about data, settings and access: forget, prune, export, config, doctor, token, user.
import { z } from 'zod';
import { roles } from '../../core/access/roles.ts';
import { count, each, Status, time, timeOrNull } from './parts.ts';
import { Throttled } from './run.ts';

const text = z.string();
const texts = z.array(z.string());

export const Erasure = z
  .object({
    person: text.describe('Masked.'),
    erased: z.object({
      ...each(count, 'sources', 'deliveries', 'answers', 'rejects', 'storyAnswers'),
      cancelled: count.describe('Deliveries that were not sent yet.'),
      mentions: count.describe('Rows of anything else that named the person.'),
    }),
    keptOutOf: texts.describe('The services that they are not sent to any more.'),
    notReached: texts.describe('What roster-sync cannot erase.'),
  })
  .describe('What was erased of a person.');

/** `forget`, and with `--undo` its end. */
export const ForgetDocument = z.union([
  Erasure,
  z
    .object({ person: text.describe('Masked.'), allowedAt: count.describe('How many services.') })
    .describe('With --undo.'),
]);

export const PruneDocument = z
  .object({ dryRun: z.boolean(), answers: count, rosters: count, receipts: count })
  .describe('How much was removed, or would be.');

const rows = z.record(text, count).describe('Rows by table.');

export const ExportDocument = z
  .object({ file: text, ledger: text.describe('The id of the ledger.'), at: time, bytes: count, rows })
  .describe('The archive that was written.');

export const ImportLedgerDocument = z
  .object({ file: text, where: text, ledger: text.describe('The id of the ledger.'), at: time, rows })
  .describe('What was imported; `at` is the time of the export.');

export const ConfigDocument = z
  .object({
    file: text.nullable().describe('The config file; null if there is none.'),
    settings: z.array(
      z.object({
        name: text,
        value: text.optional().describe('As it was written, secrets masked; absent if it is not set.'),
        from: text.describe('A line of the file, a variable, a flag, or default.'),
      }),
    ),
  })
  .describe('The settings in force.');

const Finding = z.object({
  what: text,
  state: z.enum(['ok', 'remark', 'problem']),
  text,
  exitCode: z.int().exactOptional().describe('The exit code that this problem asks for.'),
});

/** What a ledger is like. */
export const Examined = z.object({
  unfinished: z.array(z.object({ id: text, status: Status, service: text })),
  tables: z.array(Finding),
  throttled: Throttled.exactOptional(),
});

export const DoctorDocument = z
  .object({ findings: z.array(Finding) })
  .describe('What was found of everything that is needed.');

/** `token create`: the only document that holds a secret. */
export const TokenCreatedDocument = z
  .object({
    id: text,
    name: text,
    scopes: texts,
    expiresAt: timeOrNull,
    token: text.describe('Keep it like a password.'),
  })
  .describe('The new token, which is shown only once.');

export const TokensDocument = z
  .object({
    tokens: z.array(
      z.object({
        id: text,
        name: text,
        scopes: texts,
        createdAt: time,
        ...each(timeOrNull, 'expiresAt', 'revokedAt', 'lastUsedAt'),
      }),
    ),
  })
  .describe('All tokens, without their secrets.');

export const TokenRevokedDocument = z.object({ name: text, revoked: z.literal(true) }).describe('What was revoked.');

export const UsersDocument = z
  .object({
    users: z.array(z.object({ name: text, role: z.enum(roles), createdAt: time, lastSignInAt: timeOrNull })),
  })
  .describe('All accounts.');

/** `user add`, `password`, `role`, `sign-out` and `remove`. */
export const UserDocument = z
  .object({
    name: text,
    role: z.enum(roles).optional().describe('The role that it has now; absent if it was not set.'),
    removed: z.literal(true).optional(),
    ended: count.optional().describe('Sessions that were ended, after `user sign-out`.'),
  })
  .describe('What was done to an account.');
