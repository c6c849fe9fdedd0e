// What people may do on the pages: roles, names of accounts, and where they go on after signing in.
import { InputError, refusal } from '../errors.ts';
import type { Scope } from '../secrets/token.ts';

/** What somebody with an account may do: look; also bring files and steer runs; also approve, cancel and forget; also give others access. */
const scopesOfRoles = {
  viewer: ['read'],
  operator: ['read', 'run'],
  approver: ['read', 'run', 'approve'],
  admin: ['read', 'run', 'approve', 'access'],
} satisfies Record<string, Scope[]>;
export type Role = keyof typeof scopesOfRoles;
export const roles = Object.keys(scopesOfRoles) as Role[];

/** What a role may do, in the words of the API. */
export const scopesOf = (role: Role): Scope[] => [...scopesOfRoles[role]];

/** Throws an InputError when there is none of that name. */
export function roleIn(text: string): Role {
  const role = roles.find((each) => each === text);
  if (role === undefined)
    throw new InputError(`${text} is not a role: write ${roles.slice(0, -1).join(', ')} or ${roles.at(-1)}.`);
  return role;
}

/** By what an account is found: capital letters and the way in which a letter is encoded do not matter. */
export function accountKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** Characters of the name of an account, at most. */
export const longestName = 64;

/** Parentheses are left to `nameWithId`. Throws an InputError for an empty or long name, or signs beyond `.@'_-`. */
export function accountName(text: string): string {
  const name = text.normalize('NFC').trim();
  if (name.length <= longestName && /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .@'’_-]*$/u.test(name)) return name;
  throw refusal('wrongAccountName', { text: JSON.stringify(text) });
}

/** How the audit names somebody whom a sign-in service names: `Mette Krogh, mette@example.com (2f9c0a1be3d45867)`. */
export function nameWithId(name: string, id: string): string {
  const plain = (text: string): string =>
    text
      .replaceAll(/[()\p{C}]/gu, '')
      .trim()
      .slice(0, 200);
  return plain(name) === '' || plain(name) === plain(id) ? plain(id) : `${plain(name)} (${plain(id)})`;
}

/** Whether two names of the audit are one person: what is in parentheses stays when a name changes. */
export function isSamePerson(one: string, other: string): boolean {
  return idIn(one) === idIn(other);
}

function idIn(name: string): string {
  return accountKey(/\(([^()]+)\)$/.exec(name)?.[1] ?? name);
}

/** Where whoever was given a link to an account chooses a password. */
export const welcomePath = '/welcome';

export interface Back {
  path: string;
  fields?: Record<string, string>;
}

/** Anything but a path of ours leads to the first page: a browser takes `//` for the beginning of another host. */
export function pathOfOurs(text: string): string {
  const url = URL.parse(text, 'http://ours.invalid');
  if (!text.startsWith('/') || url?.host !== 'ours.invalid' || text.length > 2000) return '/';
  return url.pathname.replace(/^\/+/, '/') + url.search;
}
