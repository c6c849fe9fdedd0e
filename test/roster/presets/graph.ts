import type { TestContext } from 'node:test';
import { wrongIn } from './directory-server.ts';
import { listenHttp, sendJson, type Arrival } from '../../service/local-server.ts';

/** A user as Graph has them; what is null was never set. */
export type GraphUser = { id: string } & Record<string, unknown>;

/** How Graph refuses a token it no longer knows: by status, or by code. */
export type Lost = 'gone' | 'syncStateNotFound' | 'resyncRequired';

interface Change {
  id: string;
  /** Properties that were set, or why the person is gone. */
  set?: string[];
  removed?: 'changed' | 'deleted';
}

const users = '/v1.0/users';

/**
 * The users of a tenant, listed and told by `delta` as Graph documents both: pages with links that are not to be looked
 * into, a link for the next time at the end, `@removed`, entries that come again, only what changed of somebody, empty
 * pages, and tokens that end.
 */
export class Graph {
  readonly people = new Map<string, GraphUser>();
  /** What was asked of `users` and `users/delta`. */
  asked: string[] = [];
  pageSize = 3;
  /** Answers in place of the next requests for users; `undefined` lets one through. */
  faults: ((() => { status: number; headers?: Record<string, string>; body: unknown } | 'silence') | undefined)[] = [];
  /** In [0, 1): decides what comes again, and how much of it. */
  random: () => number = () => 0.5;
  base = '';
  /** Answers that Graph would not give, by its public description; faults are among them where they mean to be. */
  wrong: string[] = [];
  readonly groups = new Map<string, { name: string; members: string[] }>();
  #log: Change[] = [];
  #lost: Lost | undefined;
  #tokens = 0;
  readonly #links = new Map<string, { from: number; select: string }>();
  readonly #rest = new Map<string, { entries: object[]; to: number; select: string }>();

  set(id: string, values: Record<string, unknown>): void {
    this.people.set(id, { ...(this.people.get(id) ?? { id }), ...values });
    this.#log.push({ id, set: Object.keys(values) });
  }

  remove(id: string, removed: 'changed' | 'deleted' = 'deleted'): void {
    if (this.people.delete(id)) this.#log.push({ id, removed });
  }

  /** No token that was given before is known any more. */
  forgetTokens(how: Lost): void {
    this.#lost = how;
    this.#links.clear();
    this.#rest.clear();
  }

  /** Starts it. */
  async listen(t: Pick<TestContext, 'after'>): Promise<this> {
    const { base } = await listenHttp(t as TestContext, (response, arrival) => {
      const answer = this.#answer(arrival);
      if (answer === 'silence') return;
      const { pathname } = new URL(arrival.path, 'http://127.0.0.1');
      this.wrong.push(...(wrongIn(pathname, answer.status, answer.body) ?? []));
      for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
      sendJson(response, answer.body, answer.status);
    });
    this.base = base;
    return this;
  }

  #answer(arrival: Arrival): { status: number; headers?: Record<string, string>; body: unknown } | 'silence' {
    const { pathname, searchParams: query } = new URL(arrival.path, 'http://127.0.0.1');
    const fine = (body: unknown) => ({ status: 200, body });
    if (pathname.endsWith('/oauth2/v2.0/token')) {
      return fine({ token_type: 'Bearer', expires_in: 3599, access_token: 'token-of-graph' });
    }
    if (pathname === '/v1.0/groups') {
      return fine({ value: [...this.groups].map(([id, { name }]) => ({ id, displayName: name })) });
    }
    const [, group] = /^\/v1\.0\/groups\/([^/]+)\/transitiveMembers/.exec(pathname) ?? [];
    if (group !== undefined) {
      const { members = [] } = this.groups.get(group) ?? {};
      return fine({ '@odata.count': members.length, value: members.map((id) => ({ id })) });
    }
    if (pathname !== users && pathname !== `${users}/delta`)
      return { status: 404, body: { error: { code: 'NotFound', message: 'Resource not found.' } } };
    this.asked.push(arrival.path);
    const fault = this.faults.shift()?.();
    if (fault) return fault;
    return pathname === users ? fine(this.#list(query)) : this.#delta(query);
  }

  #list(query: URLSearchParams): object {
    const from = Number(query.get('$skiptoken') ?? 0);
    const all = [...this.people.values()];
    const fields = (query.get('$select') ?? '').split(',');
    const page = all.slice(from, from + this.pageSize);
    const next = new URLSearchParams({ $select: fields.join(','), $skiptoken: String(from + this.pageSize) });
    return {
      '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#users',
      ...(from + this.pageSize < all.length && { '@odata.nextLink': `${this.base}${users}?${next}` }),
      value: page.map((person) => Object.fromEntries(fields.map((field) => [field, person[field] ?? null]))),
    };
  }

  #delta(query: URLSearchParams): { status: number; headers?: Record<string, string>; body: unknown } {
    const [skip, token] = [query.get('$skiptoken'), query.get('$deltatoken')];
    const select = query.get('$select') ?? '';
    if (skip === null && token === null) {
      // The answer may also have somebody who was removed shortly before.
      const gone = this.#log.filter(({ removed, id }) => removed && !this.people.has(id)).slice(-1);
      const entries = [...this.people.values()].map((person) => pick(person, select.split(',')));
      return this.#page([...gone.map((one) => removedEntry(one)), ...entries], this.#log.length, select);
    }
    const rest = skip === null ? undefined : this.#rest.get(skip);
    if (rest) return this.#page(rest.entries, rest.to, rest.select);
    const link = token === null ? undefined : this.#links.get(token);
    if (!link) return this.#refuse();
    return this.#page(this.#since(link.from, link.select), this.#log.length, link.select);
  }

  #refuse() {
    if (this.#lost === 'gone' || this.#lost === undefined) {
      return {
        status: 410,
        headers: { location: `${this.base}${users}/delta?$deltatoken=` },
        body: { error: { code: 'syncStateNotFound', message: 'The sync state generation is not found.' } },
      };
    }
    return { status: 400, body: { error: { code: this.#lost, message: 'The delta token is expired.' } } };
  }

  /** Who changed since then: one entry, sometimes two, with what changed or more. */
  #since(from: number, select: string): object[] {
    const changed = new Map<string, Set<string>>();
    const gone = new Map<string, Change>();
    for (const { id, set = [], removed } of this.#log.slice(from)) {
      if (removed) gone.set(id, { id, removed });
      // Somebody who was removed and is there again comes as a whole.
      const known = gone.has(id) && !removed ? Object.keys(this.people.get(id) ?? {}) : set;
      changed.set(id, new Set([...(changed.get(id) ?? []), ...known]));
    }
    const fields = select.split(',');
    return [...changed].flatMap(([id, set]) => {
      const person = this.people.get(id);
      if (!person) return this.#again(removedEntry(gone.get(id) ?? { id, removed: 'deleted' }));
      const names = fields.filter((field) => set.has(field));
      if (names.length === 0) return [];
      const told = this.random() < 0.5 ? names : fields;
      const values = told.map((name) => [name, person[name] ?? null] as const);
      const entry = { id, ...Object.fromEntries(values.filter(([name, value]) => value !== null || set.has(name))) };
      return this.#again(
        entry,
        names.map((name) => [name, person[name] ?? null] as const),
      );
    });
  }

  /** An entry may come again, and with only a part of it. */
  #again(entry: object, part?: (readonly [string, unknown])[]): object[] {
    const again = part && this.random() < 0.5 ? { ...pick(entry, ['id']), ...Object.fromEntries(part) } : entry;
    return this.random() < 0.3 ? [entry, again] : [entry];
  }

  #page(entries: object[], to: number, select: string) {
    const isEmpty = entries.length > 0 && this.random() < 0.2;
    const [page, rest] = isEmpty ? [[], entries] : [entries.slice(0, this.pageSize), entries.slice(this.pageSize)];
    const token = `t${(this.#tokens += 1)}`;
    const isLast = rest.length === 0;
    if (isLast) this.#links.set(token, { from: to, select });
    else this.#rest.set(token, { entries: rest, to, select });
    const link = `${this.base}${users}/delta?${isLast ? '$deltatoken' : '$skiptoken'}=${token}`;
    return {
      status: 200,
      body: {
        '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#users',
        [isLast ? '@odata.deltaLink' : '@odata.nextLink']: link,
        value: page,
      },
    };
  }
}

function removedEntry({ id, removed }: Change): object {
  return { id, '@removed': { reason: removed } };
}

/** What is set of these properties. */
function pick(person: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(person).filter(([name, value]) => fields.includes(name) && value !== null));
}

/** Somebody who is to be sent. */
export const graphUser = (name: string, more: object = {}): Record<string, unknown> => ({
  ...{ userPrincipalName: `${name}@acme.example`, mail: `${name}@example.com`, givenName: name, surname: 'Ek' },
  ...{ displayName: `${name} Ek`, businessPhones: [], department: 'Sales', accountEnabled: true, userType: 'Member' },
  ...more,
});
