// Stores the sandbox's users and groups.
import { personKey } from '../core/person/member.ts';
import type { UserFields } from './message.ts';
import type { Assumptions } from './options.ts';

export interface SandboxUser extends UserFields {
  /** All groups, in the order in which the user came into them. */
  groups: string[];
  /** Those of `groups` to which the user was assigned by hand, not by a group insert. */
  manual: string[];
}

/** A group and how many users are in it now. */
export interface SandboxGroup {
  group: string;
  members: number;
}

/** The users and groups of a sandbox. A user's identity is `personKey(email)`. */
export class People {
  readonly #assumptions: Assumptions;
  readonly #users = new Map<string, SandboxUser>();
  /** Members by group; the key is the group's name, folded when names are compared without case. */
  readonly #groups = new Map<string, SandboxGroup>();
  constructor(assumptions: Assumptions) {
    this.#assumptions = assumptions;
  }
  find(email: string): SandboxUser | undefined {
    return this.#users.get(personKey(email));
  }
  users(): IterableIterator<SandboxUser> {
    return this.#users.values();
  }
  get count(): number {
    return this.#users.size;
  }
  groups(): SandboxGroup[] {
    return [...this.#groups.values()];
  }
  /** Adds a user, or finds the one at this address. */
  enrol(fields: UserFields): { user: SandboxUser; key: string; isNew: boolean } {
    const key = personKey(fields.email);
    const known = this.#users.get(key);
    if (known) {
      if (this.#assumptions.existingUser === 'update') Object.assign(known, fields);
      return { user: known, key, isNew: false };
    }
    const user = { ...fields, groups: [], manual: [] };
    this.#users.set(key, user);
    return { user, key, isNew: true };
  }
  /** Creates the group when missing. */
  ensureGroup(name: string): SandboxGroup {
    const key = this.#assumptions.groupNames === 'exact' ? name : name.toLowerCase();
    let group = this.#groups.get(key);
    if (!group) this.#groups.set(key, (group = { group: name, members: 0 }));
    return group;
  }
  /** Puts a user into a group; false when they were in it already. */
  join(user: SandboxUser, name: string): boolean {
    const group = this.ensureGroup(name);
    if (user.groups.includes(group.group)) return false;
    user.groups.push(group.group);
    group.members += 1;
    return true;
  }
  /** Adds or finds a user and assigns them to groups by hand, as an administrator of the service would. */
  assign(fields: UserFields, groups: readonly string[]): SandboxUser {
    const { user } = this.enrol(fields);
    for (const name of groups) {
      this.join(user, name);
      const { group } = this.ensureGroup(name);
      if (!user.manual.includes(group)) user.manual.push(group);
    }
    return user;
  }
  /** What `forceSync` does: takes a user out of the groups that are not among those asked for. */
  keepOnly(user: SandboxUser, names: readonly string[]): void {
    const removable = { manual: user.manual, all: user.groups, none: [] }[this.#assumptions.forceSyncRemoves];
    if (removable.length === 0) return;
    const wanted = names.map((name) => this.ensureGroup(name).group);
    const left = removable.filter((group) => !wanted.includes(group));
    for (const group of left) this.ensureGroup(group).members -= 1;
    user.groups = user.groups.filter((group) => !left.includes(group));
    user.manual = user.manual.filter((group) => !left.includes(group));
  }
}

const countries = ['Sweden', 'Denmark', 'Ghana', 'Taiwan', 'France'];

/** Enrols a number of made-up users, each in two of some fifty groups. */
export function enrolMadeUpUsers(people: People, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const country = countries[at % countries.length] ?? '';
    const fields = {
      firstname: `First${at}`,
      lastname: `Last${at}`,
      email: `user${at}@sandbox.example`,
      telephone: `+00 555 ${at}`,
      country,
      city: `City ${at % 100}`,
    };
    people.assign(fields, [`Department ${at % 47}`, country]);
  }
}
