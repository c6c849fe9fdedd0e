// Stores the accounts of people: their roles, and the hashes of their passwords.
import { type Selection, sql } from 'kysely';
import type { Role } from '../../core/access/roles.ts';
import { InputError } from '../../core/errors.ts';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/schema.ts';

const listed = ['key', 'name', 'role', 'created_at as createdAt', 'last_sign_in_at as lastSignInAt'] as const;

export type Account = Selection<Tables, 'accounts', (typeof listed)[number] | 'password'>;

/** @throws InputError when there is one of that name */
export async function addAccount(
  db: Database,
  account: Pick<Account, 'key' | 'name' | 'role' | 'password'>,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 0n) return;
  // The first attempt may have succeeded although its answer was lost; no two hashes are alike.
  if ((await findAccount(db, account.key))?.password === account.password) return;
  throw new InputError(
    `There is an account ${account.name} already. \`roster-sync user password\` sets a new password, \`roster-sync user role\` another role.`,
  );
}

export async function listAccounts(db: Database): Promise<Omit<Account, 'password'>[]> {
  return db.selectFrom('accounts').select(listed).orderBy('key').execute();
}

export async function findAccount(db: Database, key: string): Promise<Account | undefined> {
  return db
    .selectFrom('accounts')
    .select([...listed, 'password'])
    .where('key', '=', key)
    .executeTakeFirst();
}

export async function noteSignIn(db: Database, key: string): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ last_sign_in_at: sql<Date>`clock_timestamp()` })
    .where('key', '=', key)
    .execute();
}

/** Gives an account another role, at once in its sessions too. Returns whether there is one. */
export async function changeRole(db: Database, key: string, role: Role): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ role })
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Gives an account another password, and ends its sessions. Returns whether there is one. */
export async function changePassword(db: Database, key: string, password: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('accounts')
      .set({ password })
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    await transaction.deleteFrom('sessions').where('account', '=', key).execute();
    return numUpdatedRows > 0n;
  });
}

/** Removes an account and ends its sessions. Returns whether there was one. */
export async function removeAccount(db: Database, key: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('accounts')
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    await transaction.deleteFrom('sessions').where('account', '=', key).execute();
    return numDeletedRows > 0n;
  });
}

/** Names of accounts that may approve, in alphabetical order. */
export async function approvers(db: Database): Promise<string[]> {
  const found = await db.selectFrom('accounts').select('name').where('role', '=', 'approver').orderBy('key').execute();
  return found.map(({ name }) => name);
}
