// Stores the accounts of people: their roles, and the hashes of their passwords.
import { type RawBuilder, sql } from 'kysely';
import type { Role } from '../../core/access/roles.ts';
import { InputError } from '../../core/errors.ts';
import { type Database, rowOf, rowsOf, changed } from '../database/database.ts';

export interface Account {
  /** By what it is found: `accountKey` of its name. */
  key: string;
  /** As the audit names them. */
  name: string;
  role: Role;
  /** scrypt with its parameters; the password itself is not kept. */
  password: string;
  createdAt: Date;
  lastSignInAt: Date | null;
}

const listed = sql`key, name, role, created_at as "createdAt", last_sign_in_at as "lastSignInAt"`;

/** @throws InputError when there is one of that name */
export async function addAccount(
  db: Database,
  account: Pick<Account, 'key' | 'name' | 'role' | 'password'>,
): Promise<void> {
  const { key, name, role, password } = account;
  const added = await changed(db)`
    insert into accounts (key, name, role, password) values (${key}, ${name}, ${role}, ${password})
    on conflict do nothing`;
  if (added > 0) return;
  // The first attempt may have succeeded although its answer was lost; no two hashes are alike.
  if ((await findAccount(db, account.key))?.password === account.password) return;
  throw new InputError(`There is an account ${name} already.`, {
    next: [
      { act: 'access.changePassword', name },
      { act: 'access.changeRole', name },
    ],
  });
}

export async function listAccounts(db: Database): Promise<Omit<Account, 'password'>[]> {
  return rowsOf<Omit<Account, 'password'>>(db)`select ${listed} from accounts order by key`;
}

export async function findAccount(db: Database, key: string): Promise<Account | undefined> {
  return rowOf<Account>(db)`select ${listed}, password from accounts where key = ${key}`;
}

export async function noteSignIn(db: Database, key: string): Promise<void> {
  await sql`update accounts set last_sign_in_at = clock_timestamp() where key = ${key}`.execute(db);
}

/** Gives an account another role, at once in its sessions too. Returns whether there is one. */
export async function changeRole(db: Database, key: string, role: Role): Promise<boolean> {
  return (await changed(db)`update accounts set role = ${role} where key = ${key}`) > 0;
}

/** Gives an account another password, and ends its sessions. Returns whether there is one. */
export async function changePassword(db: Database, key: string, password: string): Promise<boolean> {
  return endingSessions(db, key, sql`update accounts set password = ${password} where key = ${key}`);
}

/** Removes an account and ends its sessions. Returns whether there was one. */
export async function removeAccount(db: Database, key: string): Promise<boolean> {
  return endingSessions(db, key, sql`delete from accounts where key = ${key}`);
}

async function endingSessions(db: Database, key: string, statement: RawBuilder<unknown>): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numAffectedRows = 0n } = await statement.execute(transaction);
    await sql`delete from sessions where account = ${key}`.execute(transaction);
    return numAffectedRows > 0n;
  });
}

/** Names of accounts that may approve, in alphabetical order. */
export async function approvers(db: Database): Promise<string[]> {
  const rows = await rowsOf<Account>(db)`select name from accounts where role = 'approver' order by key`;
  return rows.map(({ name }) => name);
}
