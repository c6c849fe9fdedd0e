// `user` and `token`: the accounts of people for the pages, and API tokens.
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import * as access from '../../acts/access.ts';
import { createToken as create, listTokens as list, revokeToken as revoke } from '../../acts/access.ts';
import type { Act } from '../../acts/act.ts';
import { hashPassword, readPassword, saltBytes } from '../../core/access/password.ts';
import { accountName, roleIn } from '../../core/access/roles.ts';
import { InputError } from '../../core/errors.ts';
import { count, escapeText } from '../../core/text/format.ts';
import { tableOf } from '../../report/terminal/columns.ts';
import { askSecret, firstLine, isTerminal } from '../frame/ask.ts';
import { type GlobalOptions, openLedgerSession, tell, withActs } from '../frame/session.ts';
import { keeping } from '../../core/settings/values.ts';
import { scimScope, scopes, type TokenScope } from '../../core/secrets/token.ts';
import type { Config } from '../../../config/load.ts';
import type { Options } from '../options.ts';

/** The password as it is kept, asked twice at a terminal; undefined where nobody answered. */
async function newPassword(name: string): Promise<string | undefined> {
  let password: string | undefined;
  if (isTerminal()) {
    password = await askSecret(`Password for ${escapeText(name)} (it is not shown):`);
    if (password === undefined) return undefined;
    readPassword(password);
    if ((await askSecret('The same again:')) !== password) {
      throw new InputError('The two passwords are not the same. Nothing was changed.');
    }
  } else password = await firstLine(process.stdin);
  return hashPassword(readPassword(password), randomBytes(saltBytes));
}

export async function addUser(text: string, options: Options<'user add'>): Promise<number> {
  const name = accountName(text);
  const role = roleIn(options.role);
  const password = await newPassword(name);
  if (password === undefined) return 130;
  const said = `${escapeText(name)} may sign in to the pages as ${role}.`;
  return change(options, 'add', [access.addAccount, { name, role, password }], () => said);
}

export async function setPassword(text: string, options: GlobalOptions): Promise<number> {
  const name = accountName(text);
  const password = await newPassword(name);
  if (password === undefined) return 130;
  const said = `${escapeText(name)} has a new password, and was signed out everywhere.`;
  return change(options, 'password', [access.changePassword, { name, password }], () => said);
}

export async function setRole(text: string, word: string, options: GlobalOptions): Promise<number> {
  const name = accountName(text);
  const role = roleIn(word);
  const said = `${escapeText(name)} is ${role} now, also where they are signed in.`;
  return change(options, 'role', [access.changeRole, { name, role }], () => said);
}

export async function removeUser(text: string, options: GlobalOptions): Promise<number> {
  const name = accountName(text);
  const said = `The account ${escapeText(name)} is removed, and was signed out everywhere.`;
  return change(options, 'remove', [access.removeAccount, { name }], () => said);
}

/** `roster-sync user sign-out NAME`: also for people whom a link or a sign-in service let in. */
export async function signOutUser(text: string, options: GlobalOptions): Promise<number> {
  const name = text.trim();
  const say = ({ ended }: { ended: number }): string =>
    `${count(ended, 'session was', 'sessions were')} ended: ${escapeText(name)}.`;
  return change(options, 'sign-out', [access.signOut, { name }], say);
}

const day = (at: string | null): string => at?.slice(0, 10) ?? 'never';

export async function listUsers(options: GlobalOptions): Promise<number> {
  return tell(options, { command: 'user list' }, [access.listAccounts, {}], ({ users, guests }, output) => {
    const lines = tableOf(users, output.style.width, ({ words }) => [
      words('Account', ({ name }) => name),
      words('role', ({ role }) => role),
      words('since', ({ createdAt }) => day(createdAt)),
      words('last signed in', ({ lastSignInAt }) => day(lastSignInAt)),
      words('now', ({ sessions }) => (sessions > 0 ? 'signed in' : '')),
    ]);
    const none = 'There are no accounts. `roster-sync user add NAME --role viewer` makes one.';
    output.print(users.length > 0 ? lines.join('\n') : none);
    for (const { name } of guests) output.print(`Signed in without an account: ${escapeText(name)}`);
    if (options.json) output.json('users', { users, guests });
  });
}

/** Changes an account, and says what was done. */
async function change<Input extends z.ZodObject, Done extends { name: string }>(
  options: GlobalOptions,
  verb: string,
  asked: [Act<Input, Done>, z.output<Input>],
  say: (done: Done) => string,
): Promise<number> {
  return tell(options, { command: `user ${verb}`, create: verb === 'add' }, asked, (done, output) => {
    output.print(say(done));
    if (options.json) output.json('user', done);
  });
}

function scopesIn(given: readonly string[], { sources, file = 'the settings' }: Config): TokenScope[] {
  const text = given.length === 0 ? 'read' : given.join(',');
  const asked = text.split(',').map((scope) => scope.trim());
  return [...new Set(asked)].map((word) => {
    const scope = scopes.find((each) => each === word);
    if (scope !== undefined) return scope;
    const [, source] = /^scim:(.+)$/.exec(word) ?? [];
    if (source === undefined)
      throw new InputError(`--scope ${text}: write one or more of ${scopes.join(', ')}, with commas, or scim:SOURCE.`);
    if (Object.hasOwn(sources, source) && sources[source]?.scim) return scimScope(source);
    throw new InputError(`--scope ${text}: there is no source ${source} with \`scim: {}\` in ${file}.`);
  });
}

function expiryOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const ms = keeping().safeParse(text);
  if (!ms.success) throw new InputError(`--expires ${text}: write a time like 90d or 1y, or forever.`);
  return ms.data === Infinity ? null : new Date(Date.now() + ms.data).toISOString();
}

export async function createToken(options: Options<'token create'>): Promise<number> {
  const { name } = options;
  if (!/^[\w.@-]{1,64}$/.test(name)) {
    throw new InputError(`--name ${name}: write at most 64 letters, digits, dots, dashes or underscores.`);
  }
  const expiresAt = expiryOf(options.expires);
  const session = openLedgerSession(options);
  const { output, config } = session;
  const asked = { name, scopes: scopesIn(options.scope, config), expiresAt };
  const made = await withActs(session, { command: 'token create', create: true }, (ask) => ask(create, asked));
  if (options.json) output.json('token-created', made);
  else output.print(made.token);
  output.note(`This is the only time that the token ${name} is shown: keep it like a password.`);
  return 0;
}

export async function listTokens(options: GlobalOptions): Promise<number> {
  return tell(options, { command: 'token list' }, [list, {}], ({ tokens }, output) => {
    const now = new Date().toISOString();
    const lines = tableOf(tokens, output.style.width, ({ words }) => [
      words('Token', ({ name }) => name),
      words('scopes', ({ scopes }) => scopes.join(',')),
      words('is', ({ revokedAt, expiresAt }) =>
        revokedAt ? 'revoked' : expiresAt && expiresAt <= now ? 'expired' : 'good',
      ),
      words('expires', ({ expiresAt }) => day(expiresAt)),
      words('last used', ({ lastUsedAt }) => day(lastUsedAt)),
    ]);
    const none = 'There are no tokens. `roster-sync token create --name NAME --scope read` makes one.';
    output.print(tokens.length > 0 ? lines.join('\n') : none);
    if (options.json) output.json('tokens', { tokens });
  });
}

export async function revokeToken(name: string, options: GlobalOptions): Promise<number> {
  return tell(options, { command: 'token revoke' }, [revoke, { name }], (revoked, output) => {
    output.print(`The token ${escapeText(name)} is revoked: it no longer works.`);
    if (options.json) output.json('token-revoked', revoked);
  });
}
