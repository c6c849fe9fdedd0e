// `user`: adds, lists, changes and removes the accounts of people for the pages.
import { randomBytes } from 'node:crypto';
import { hashPassword, readPassword, saltBytes } from '../../core/access/password.ts';
import { accountKey, accountName, roleIn } from '../../core/access/roles.ts';
import { InputError } from '../../core/errors.ts';
import { count } from '../../core/text/figures.ts';
import { escapeText } from '../../core/text/escape.ts';
import type { Content } from '../../report/documents/documents.ts';
import { table } from '../../report/terminal/layout.ts';
import type { AskingContext, Context } from '../../wiring/context.ts';
import { isTerminal } from '../frame/ask.ts';
import { askSecret, firstLine } from '../frame/ask-secret.ts';
import { osUser } from '../frame/os-user.ts';
import { type GlobalOptions, openLedgerSession, withLedger } from '../frame/session.ts';

export interface AddUserOptions extends GlobalOptions {
  role: string;
}

type Ledger = (Context | AskingContext)['ledger'];

/** The password as it is kept, asked twice at a terminal; undefined where nobody answered. */
async function newPassword(name: string): Promise<string | undefined> {
  let password: string | undefined;
  if (isTerminal()) {
    const terminal = { input: process.stdin, output: process.stderr };
    password = await askSecret(`Password for ${escapeText(name)} (it is not shown):`, terminal);
    if (password === undefined) return undefined;
    readPassword(password);
    if ((await askSecret('The same again:', terminal)) !== password) {
      throw new InputError('The two passwords are not the same. Nothing was changed.');
    }
  } else password = await firstLine(process.stdin);
  return hashPassword(readPassword(password), randomBytes(saltBytes));
}

export async function addUser(text: string, options: AddUserOptions): Promise<number> {
  const name = accountName(text);
  const role = roleIn(options.role);
  const password = await newPassword(name);
  if (password === undefined) return 130;
  return change(options, { command: 'user add', action: `add account ${name} as ${role}` }, async (ledger) => {
    await ledger.addAccount({ key: accountKey(name), name, role, password });
    return { said: `${escapeText(name)} may sign in to the pages as ${role}.`, json: { name, role } };
  });
}

export async function setPassword(text: string, options: GlobalOptions): Promise<number> {
  const name = accountName(text);
  const password = await newPassword(name);
  if (password === undefined) return 130;
  return change(options, { command: 'user password', action: `set password of ${name}` }, async (ledger) => {
    if (!(await ledger.changePassword(accountKey(name), password))) throw noAccount(name);
    return { said: `${escapeText(name)} has a new password, and was signed out everywhere.`, json: { name } };
  });
}

export async function setRole(text: string, word: string, options: GlobalOptions): Promise<number> {
  const name = accountName(text);
  const role = roleIn(word);
  return change(options, { command: 'user role', action: `set role of ${name} to ${role}` }, async (ledger) => {
    if (!(await ledger.changeRole(accountKey(name), role))) throw noAccount(name);
    return { said: `${escapeText(name)} is ${role} now, also where they are signed in.`, json: { name, role } };
  });
}

export async function removeUser(text: string, options: GlobalOptions): Promise<number> {
  const name = accountName(text);
  return change(options, { command: 'user remove', action: `remove account ${name}` }, async (ledger) => {
    if (!(await ledger.removeAccount(accountKey(name)))) throw noAccount(name);
    return {
      said: `The account ${escapeText(name)} is removed, and was signed out everywhere.`,
      json: { name, removed: true },
    };
  });
}

/** `roster-sync user sign-out NAME`: also for people whom a link or a sign-in service let in. */
export async function signOutUser(text: string, options: GlobalOptions): Promise<number> {
  const name = text.trim();
  return change(options, { command: 'user sign-out', action: `sign out ${name}` }, async (ledger) => {
    const ended = await ledger.endSessionsOf({ account: accountKey(name), name });
    const sessions = count(ended, 'session was', 'sessions were');
    return { said: `${sessions} ended: ${escapeText(name)}.`, json: { name, ended } };
  });
}

export async function listUsers(options: GlobalOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { output } = session;
  return withLedger(session, { command: 'user list' }, async ({ ledger }) => {
    const accounts = await ledger.listAccounts();
    const day = (date: Date | null): string => date?.toISOString().slice(0, 10) ?? 'never';
    const columns = [
      { heading: 'Account', cells: accounts.map(({ name }) => escapeText(name)) },
      { heading: 'role', cells: accounts.map(({ role }) => role) },
      { heading: 'since', cells: accounts.map(({ createdAt }) => day(createdAt)) },
      { heading: 'last signed in', cells: accounts.map(({ lastSignInAt }) => day(lastSignInAt)) },
    ];
    if (accounts.length > 0) output.print(table(columns, output.style.width).join('\n'));
    else output.print('There are no accounts. `roster-sync user add NAME --role viewer` makes one.');
    const users = accounts.map(({ name, role, createdAt, lastSignInAt }) => ({ name, role, createdAt, lastSignInAt }));
    if (options.json) output.json('users', { users });
    return 0;
  });
}

/** Changes accounts, keeps in the audit who did, and says what was done. */
async function change(
  options: GlobalOptions,
  { command, action }: { command: string; action: string },
  act: (ledger: Ledger) => Promise<{ said: string; json: Content<'user'> }>,
): Promise<number> {
  const session = openLedgerSession(options);
  const { output } = session;
  return withLedger(session, { command, create: command === 'user add' }, async ({ ledger }) => {
    const { said, json } = await act(ledger);
    await ledger.noteDeed({ by: osUser(), action, origin: '' });
    output.print(said);
    if (options.json) output.json('user', json);
    return 0;
  });
}

function noAccount(name: string): InputError {
  return new InputError(`There is no account ${name}; \`roster-sync user list\` shows them.`);
}
