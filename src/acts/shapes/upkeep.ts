// The schemas of the JSON about data, settings and access: forget, prune, export, config, doctor, token, user.
import { z } from 'zod';
import { each, object } from '../../data/described.ts';
import { roles } from '../../core/access/roles.ts';
import { count, Status, text, texts, time, timeOrNull } from './parts.ts';
import { Throttled } from './run.ts';

export const Erasure = object('Erasure', {
  person: text,
  erased: object('Erasure.erased', {
    ...each(count, 'sources', 'deliveries', 'answers', 'rejects', 'storyAnswers', 'cancelled', 'mentions'),
  }),
  keptOutOf: texts,
  notReached: texts,
});

/** `forget`, and with `--undo` its end. */
export const ForgetDocument = z.union([Erasure, object('ForgetDocument.2', { person: text, allowedAt: count })]);

export const PruneDocument = object('PruneDocument', {
  dryRun: z.boolean(),
  ...each(count, 'answers', 'rosters', 'receipts'),
});

const rows = z.record(text, count).describe('Rows by table.');

export const ExportDocument = object('ExportDocument', { file: text, ledger: text, at: time, bytes: count, rows });

export const ImportLedgerDocument = object('ImportLedgerDocument', {
  ...each(text, 'file', 'where', 'ledger'),
  at: time,
  rows,
});

export const ConfigDocument = object('ConfigDocument', {
  file: text.nullable(),
  settings: z.array(object('ConfigDocument.settings', { name: text, value: text.optional(), from: text })),
});

export const Finding = object('Finding', {
  what: text,
  state: z.enum(['ok', 'remark', 'problem']),
  text,
  exitCode: z.int().exactOptional(),
});

/** What a ledger is like. */
export const Examined = z.object({
  unfinished: z.array(z.object({ id: text, status: Status, service: text })),
  tables: z.array(Finding),
  throttled: Throttled.exactOptional(),
});

export const DoctorDocument = object('DoctorDocument', { findings: z.array(Finding) });

/** `token create`: the only document that holds a secret. */
export const TokenCreatedDocument = object('TokenCreatedDocument', {
  id: text,
  name: text,
  scopes: texts,
  expiresAt: timeOrNull,
  token: text,
});

export const TokensDocument = object('TokensDocument', {
  tokens: z.array(
    z.object({
      id: text,
      name: text,
      scopes: texts,
      createdAt: time,
      ...each(timeOrNull, 'expiresAt', 'revokedAt', 'lastUsedAt'),
    }),
  ),
});

export const TokenRevokedDocument = object('TokenRevokedDocument', { name: text, revoked: z.literal(true) });

export const UsersDocument = object('UsersDocument', {
  users: z.array(
    z.object({
      ...{ name: text, role: z.enum(roles), createdAt: time, lastSignInAt: timeOrNull },
      ...{ sessions: count, linkUntil: timeOrNull },
    }),
  ),
  /** Who is signed in without an account, by a link or a sign-in service. */
  guests: z.array(z.object({ name: text, since: time, until: time })),
});

/** `path` holds a secret: whoever opens it chooses the password of the account. */
export const UserInvited = z.object({ name: text, role: z.enum(roles), path: text });

/** `user add`, `password`, `role`, `sign-out` and `remove`. */
export const UserDocument = object('UserDocument', {
  name: text,
  role: z.enum(roles).optional(),
  removed: z.literal(true).optional(),
  ended: count.optional(),
});
