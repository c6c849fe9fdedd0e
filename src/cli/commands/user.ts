// `user`: adds, lists, changes and removes the accounts of people for the pages.
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import * as access from '../../acts/access.ts';
import type { Act } from '../../acts/act.ts';
import { hashPassword, readPassword, saltBytes } from '../../core/access/password.ts';
import { accountName, roleIn } from '../../core/access/roles.ts';
import { InputError } from '../../core/errors.ts';
import { count } from '../../core/text/figures.ts';
import { escapeText } from '../../core/text/escape.ts';
import { table } from '../../report/terminal/layout.ts';
import { isTerminal } from '../frame/ask.ts';
import { askSecret, firstLine } from '../frame/ask-secret.ts';
import { type GlobalOptions, tell } from '../frame/session.ts';

export interface AddUserOptions extends GlobalOptions {
  role: string;
}

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

export async function listUsers(options: GlobalOptions): Promise<number> {
  return tell(options, { command: 'user list' }, [access.listAccounts, {}], ({ users }, output) => {
    const day = (at: string | null): string => at?.slice(0, 10) ?? 'never';
    const columns = [
      { heading: 'Account', cells: users.map(({ name }) => escapeText(name)) },
      { heading: 'role', cells: users.map(({ role }) => role) },
      { heading: 'since', cells: users.map(({ createdAt }) => day(createdAt)) },
      { heading: 'last signed in', cells: users.map(({ lastSignInAt }) => day(lastSignInAt)) },
    ];
    if (users.length > 0) output.print(table(columns, output.style.width).join('\n'));
    else output.print('There are no accounts. `roster-sync user add NAME --role viewer` makes one.');
    if (options.json) output.json('users', { users });
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
