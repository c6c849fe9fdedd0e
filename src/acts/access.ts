// The acts about access: tokens for programs, accounts of people, and their sessions.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { accountKey, accountName, type Role, roles, scopesOf, welcomePath } from '../core/access/roles.ts';
import { hashPassword, saltBytes } from '../core/access/password.ts';
import { NotFoundError } from '../core/errors.ts';
import { plain } from '../core/plain.ts';
import { hashToken, makeToken, tokenBytes, type TokenScope, writeToken } from '../core/secrets/token.ts';
import type { Ledger } from '../ledger/ledger.ts';
import * as shapes from './shapes/upkeep.ts';
import { act, look } from './act.ts';
import { Nothing } from './shapes/parts.ts';

const http = { none: 'no token gives access: only a terminal of this machine, or an admin on the pages, does' };
const Named = z.strictObject({ name: z.string() });
const NewToken = Named.extend({ scopes: z.array(z.custom<TokenScope>()), expiresAt: z.iso.datetime().nullable() });

export const createToken = act({
  id: 'access.createToken',
  scope: 'access',
  input: NewToken,
  output: shapes.TokenCreatedDocument,
  async run({ context: { ledger } }, { name, scopes, expiresAt }) {
    const { id, secret } = makeToken(randomBytes(tokenBytes));
    const ends = expiresAt === null ? null : new Date(expiresAt);
    await ledger.addToken({ id, name, hash: hashToken(secret), scopes, expiresAt: ends });
    return { id, name, scopes, expiresAt, token: writeToken({ id, secret }) };
  },
  audit: { of: ({ name }) => `create token ${name}` },
  http,
});

export const listTokens = look({
  id: 'access.tokens',
  input: Nothing,
  output: shapes.TokensDocument,
  async run({ context: { ledger } }) {
    const kept = await ledger.listTokens();
    const tokens = kept.map(({ id, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt }) => {
      return { id, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt };
    });
    return { tokens: plain(tokens) };
  },
  http,
});

export const revokeToken = act({
  id: 'access.revokeToken',
  scope: 'access',
  input: Named,
  output: shapes.TokenRevokedDocument,
  async run({ context: { ledger } }, { name }) {
    if (await ledger.revokeToken(name)) return { name, revoked: true as const };
    throw new NotFoundError(`There is no token ${name}.`, { next: [{ act: 'access.tokens' }] });
  },
  audit: { of: ({ name }) => `revoke token ${name}` },
  http,
});

export const listAccounts = look({
  id: 'access.accounts',
  input: Nothing,
  output: shapes.UsersDocument,
  async run({ context: { ledger } }) {
    const accounts = await ledger.listAccounts();
    const sessions = await ledger.listSessions();
    const users = accounts.map(({ key, name, role, createdAt, lastSignInAt }) => {
      const own = sessions.filter(({ account }) => account === key);
      const link = own.find(({ isLink }) => isLink);
      return {
        ...{ name, role, createdAt, lastSignInAt, sessions: own.filter(({ isLink }) => !isLink).length },
        linkUntil: link?.expiresAt ?? null,
      };
    });
    const others = sessions.filter(({ account }) => account === null);
    const guests = others.map(({ name, createdAt, expiresAt }) => ({ name, since: createdAt, until: expiresAt }));
    return { users: plain(users), guests: plain(guests) };
  },
  http,
});

/** Somebody who is invited has time until after the weekend. */
const linkForMs = 3 * 24 * 60 * 60_000;

/** Nobody signs in with it; to check one takes as long as for any account. */
const unknownPassword = (): Promise<string> =>
  hashPassword(randomBytes(tokenBytes).toString('hex'), randomBytes(saltBytes));

/** Makes an account without a password where a role is given, and a link with which its owner chooses one. A new link ends the sessions and links of before. */
export const inviteUser = act({
  id: 'access.invite',
  scope: 'access',
  input: Named.extend({ role: z.enum(roles).exactOptional() }),
  output: shapes.UserInvited,
  async run({ context: { ledger } }, { name: text, role }) {
    const given = accountName(text);
    const key = accountKey(given);
    if (role !== undefined) await ledger.addAccount({ key, name: given, role, password: await unknownPassword() });
    const account = await ledger.findAccount(key);
    if (account === undefined) throw noAccount(text);
    const { name } = account;
    await ledger.endSessionsOf({ account: key, name });
    const { id, secret } = makeToken(randomBytes(tokenBytes));
    const link = { id, hash: hashToken(secret), name, scopes: scopesOf(account.role), isLink: true, account: key };
    await ledger.addSession(link, linkForMs);
    return { name, role: account.role, path: `${welcomePath}?link=${writeToken({ id, secret })}` };
  },
  audit: { of: ({ name, role }) => `make a link for ${name}, ${role}` },
  http,
});

function noAccount(name: string): NotFoundError {
  return new NotFoundError(`There is no account ${name}.`, { next: [{ act: 'access.accounts' }] });
}

interface Account {
  name: string;
  role?: Role;
  password?: string;
}

/** An act that changes an account; `change` returns false where there is none. */
function changing<Input extends z.ZodObject & { _zod: { output: Account } }, Done extends object>(
  verb: string,
  input: Input,
  change: (ledger: Ledger, account: z.output<Input> & { key: string }) => Promise<Done | false>,
  audit: (done: Done & { name: string }) => string,
) {
  return act({
    id: `access.${verb}`,
    scope: 'access',
    input,
    output: shapes.UserDocument,
    async run({ context: { ledger } }, given) {
      const account = given as unknown as z.output<Input> & Account;
      const { name } = account;
      const done = await change(ledger, { ...account, key: accountKey(name) });
      if (done) return { name, ...done };
      throw noAccount(name);
    },
    audit: { of: audit },
    http,
  });
}

const role = z.enum(roles);
/** As it is kept: hashed by whoever asks. */
const password = z.string();

export const addAccount = changing(
  'addAccount',
  Named.extend({ role, password }),
  async (ledger, account) => {
    await ledger.addAccount(account);
    return { role: account.role };
  },
  (done) => `add account ${done.name} as ${done.role}`,
);

export const changePassword = changing(
  'changePassword',
  Named.extend({ password }),
  async (ledger, account) => (await ledger.changePassword(account.key, account.password)) && {},
  ({ name }) => `set password of ${name}`,
);

export const changeRole = changing(
  'changeRole',
  Named.extend({ role }),
  async (ledger, account) => (await ledger.changeRole(account.key, account.role)) && { role: account.role },
  (done) => `set role of ${done.name} to ${done.role}`,
);

export const removeAccount = changing(
  'removeAccount',
  Named,
  async (ledger, { key }) => (await ledger.removeAccount(key)) && { removed: true as const },
  ({ name }) => `remove account ${name}`,
);

export const signOut = changing(
  'signOut',
  Named,
  async (ledger, { key, name }) => ({ ended: await ledger.endSessionsOf({ account: key, name }) }),
  ({ name }) => `sign out ${name}`,
);
