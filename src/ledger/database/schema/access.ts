// The types of the tables of who may use the API and the pages, and what they did.
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Scope } from '../../../core/secrets/token.ts';
import type { Time } from './columns.ts';

/** Who is signed in to the pages, and links that sign in. */
interface SessionTable {
  id: string;
  hash: string;
  name: string;
  scopes: JSONColumnType<Scope[]>;
  is_link: boolean;
  created_at: Generated<Date>;
  expires_at: Date;
}

/** A token of the API; its secret is not kept. */
interface TokenTable {
  id: string;
  name: string;
  /** SHA-256 of its secret, hexadecimal. */
  hash: string;
  scopes: JSONColumnType<Scope[]>;
  created_at: Generated<Date>;
  expires_at: ColumnType<Date | null, Date | null, never>;
  revoked_at: Time | null;
  last_used_at: Time | null;
}

/** What somebody did through the API, or with its tokens. */
interface AuditTable {
  id: Generated<number>;
  at: Generated<Date>;
  by: string;
  action: string;
  run_id: string | null;
  origin: string;
}

/** The tables of who may use the API and the pages, and what they did. */
export interface AccessTables {
  sessions: SessionTable;
  tokens: TokenTable;
  audit: AuditTable;
}
