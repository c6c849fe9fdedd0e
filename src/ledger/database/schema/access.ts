// The types of the tables of who may use the API and the pages, and what they did.
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Back } from '../../../core/access/back.ts';
import type { Role } from '../../../core/access/roles.ts';
import type { Scope, TokenScope } from '../../../core/secrets/token.ts';
import type { Time } from './columns.ts';

/** Who is signed in to the pages, and links that sign in. */
interface SessionTable {
  id: string;
  /** SHA-256 of its secret, hexadecimal. */
  hash: string;
  /** As the audit names them. */
  name: string;
  scopes: JSONColumnType<Scope[]>;
  /** A link works once, and makes a session. */
  is_link: boolean;
  /** The key of the account that began it; null where none did. */
  account: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
}

interface AccountTable {
  /** By what it is found: `accountKey` of its name. */
  key: string;
  /** As the audit names them. */
  name: string;
  role: Role;
  /** scrypt with its parameters; the password itself is not kept. */
  password: string;
  created_at: Generated<Date>;
  last_sign_in_at: Time | null;
}

/** A browser that was sent to a sign-in service, and what it has to bring back. */
interface SignInTable {
  id: string;
  state: string;
  nonce: string;
  verifier: string;
  back: JSONColumnType<Back>;
  expires_at: Date;
}

/** A token of the API; its secret is not kept. */
interface TokenTable {
  id: string;
  name: string;
  /** SHA-256 of its secret, hexadecimal. */
  hash: string;
  scopes: JSONColumnType<TokenScope[]>;
  created_at: Generated<Date>;
  expires_at: ColumnType<Date | null, Date | null, never>;
  revoked_at: Time | null;
  last_used_at: Time | null;
}

interface AuditTable {
  id: Generated<number>;
  at: Generated<Date>;
  by: string;
  action: string;
  run_id: string | null;
  origin: string;
}

export interface AccessTables {
  sessions: SessionTable;
  accounts: AccountTable;
  sign_ins: SignInTable;
  tokens: TokenTable;
  audit: AuditTable;
}
