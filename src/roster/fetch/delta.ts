// Asks a source only for what changed since its last read, and brings the people that were kept up to date.
import { createHash } from 'node:crypto';
import { InputError } from '../../core/errors.ts';
import { isRecord } from '../../core/rows/path.ts';
import type { HttpClient } from './http-client.ts';
import { showUrl } from './http-url.ts';
import type { DeltaRead, DeltaTemplate, KeptPeople } from './kept-people.ts';
import { type PageLimits, readPage, textAt } from './pages.ts';
import { PeopleStore, storedAtOnce } from './people-store.ts';
import { PagesShifted } from './trouble.ts';

/** Everybody after a read. Closed by who opened it. */
export interface DeltaRoster {
  read: DeltaRead;
  /** Everybody, in the order of their ids. */
  pages(): Generator<unknown[]>;
  notes: string[];
  close(): void;
}

/** What a read of changes needs. */
export interface DeltaRequest {
  template: DeltaTemplate;
  /** What else than the address decides who is read: whose directory it is. */
  whose: readonly (string | undefined)[];
  kept?: KeptPeople;
  /** Hears that everybody is read again. */
  onWait?: ((what: string, ms: number) => void) | undefined;
}

/**
 * Reads what changed since the last read; everybody where there was none, it is too long ago, it asked for something
 * else, or the server no longer knows. Everything has arrived when this returns.
 * @throws InputError when any of it cannot be had; PagesShifted when everybody has to be read from the beginning
 */
export async function readDelta(client: HttpClient, request: DeltaRequest, limits: PageLimits): Promise<DeltaRoster> {
  const { template, whose, kept, onWait } = request;
  const digest = createHash('sha256')
    .update(JSON.stringify([1, template, ...whose]))
    .digest('hex');
  const store = new PeopleStore();
  const walk = new Walk(client, template, limits, store);
  try {
    let why = 'nothing was kept of an earlier read';
    if (kept && kept.digest !== digest) why = 'its settings have changed';
    else if (kept?.isOld) why = 'it is time to';
    else if (kept) {
      try {
        return await changed(kept);
      } catch (error) {
        if (!(error instanceof PagesShifted)) throw error;
        why = 'its server no longer knows what changed since the last read';
        onWait?.(`${limits.name}: ${why}; everybody is read again`, 0);
      }
    }
    return await everybody(why);
  } catch (error) {
    store.close();
    throw error;
  }

  async function changed(before: KeptPeople): Promise<DeltaRoster> {
    for await (const people of before.people()) for (const { id, record } of people) store.set(id, record ?? '');
    const { link, touched } = await walk.from(client.follow(before.link, client.url), true);
    const changes = touched.size === 1 ? '1 person' : `${touched.size} people`;
    return rosterOf({
      ...{ link, isFull: false, note: `Only what changed since the last read was asked for: ${changes}.` },
      *people() {
        const ids = [...touched];
        for (let at = 0; at < ids.length; at += storedAtOnce) {
          yield ids.slice(at, at + storedAtOnce).map((id) => ({ id, record: store.get(id) ?? null }));
        }
      },
    });
  }

  async function everybody(why: string): Promise<DeltaRoster> {
    store.clear();
    const { link } = await walk.from(client.follow(template.url, client.url), false);
    return rosterOf({
      ...{ link, isFull: true, note: `Everybody was read: ${why}.` },
      *people() {
        for (const batch of store.batches()) yield batch.map(([id, record]) => ({ id, record }));
      },
    });
  }

  function rosterOf({ note, ...read }: Omit<DeltaRead, 'digest'> & { note: string }): DeltaRoster {
    return {
      read: { ...read, digest },
      notes: [note],
      close: () => store.close(),
      *pages() {
        for (const batch of store.batches()) {
          yield batch.flatMap(([, text]) => (text === '' ? [] : [JSON.parse(text) as unknown]));
        }
      },
    };
  }
}

/** One walk from a link to the next. */
class Walk {
  readonly #client: HttpClient;
  readonly #template: DeltaTemplate;
  readonly #limits: PageLimits;
  readonly #store: PeopleStore;

  constructor(client: HttpClient, template: DeltaTemplate, limits: PageLimits, store: PeopleStore) {
    this.#client = client;
    this.#template = template;
    this.#limits = limits;
    this.#store = store;
  }

  /** Follows all pages and takes over what they say. The link for the next time, and who is in the pages. */
  async from(first: URL, keepsErased: boolean): Promise<{ link: string; touched: Set<string> }> {
    const { name, maxPages } = this.#limits;
    const { records, next, link } = this.#template;
    const touched = new Set<string>();
    const asked = new Set<string>();
    for (let url = first; ;) {
      if (asked.has(url.href)) throw new InputError(`${name}: ${showUrl(url)} leads back to a page that was read.`);
      if (asked.add(url.href).size > maxPages) {
        throw new InputError(`${name}: ${showUrl(first)} has more than ${maxPages} pages. Is its paging right?`);
      }
      const request = { url: first, method: 'GET', records } as const;
      const { records: found, document } = await readPage(
        this.#client,
        request,
        { url, body: undefined },
        this.#limits,
      );
      for (const record of found) this.#take(record, touched, keepsErased);
      const [following, end] = [textAt(document, next), textAt(document, link)];
      // Empty pages are usual on the way.
      if (following !== '') url = this.#client.follow(following, url);
      else if (end === '') throw new InputError(`${name}: ${showUrl(url)} ends without a link for the next read.`);
      else return { link: this.#client.follow(end, url).href, touched };
    }
  }

  /** Records come again and in any order, and may have only what changed: the last one wins, property by property. */
  #take(record: unknown, touched: Set<string>, keepsErased: boolean): void {
    const { key, removed } = this.#template;
    const id = isRecord(record) ? record[key] : undefined;
    if (!isRecord(record) || typeof id !== 'string' || id === '') {
      throw new InputError(
        `${this.#limits.name}: somebody in the answer has no ${key}, so changes cannot be told apart.`,
      );
    }
    touched.add(id);
    if (record[removed] !== undefined && record[removed] !== null) return this.#store.delete(id);
    const before = this.#store.get(id);
    // Of somebody who was erased nothing is kept, so what changed of them is not a whole person.
    if (before === '' && keepsErased) return;
    this.#store.set(id, merged(before, record));
  }
}

/** A record with its changes: what was set to null is not set, as in one that never had it. The same record is always the same text. */
function merged(before: string | undefined, record: Record<string, unknown>): string {
  const all = { ...(before === undefined || before === '' ? {} : (JSON.parse(before) as object)), ...record };
  const set = Object.entries(all).filter(([, value]) => value !== null && value !== undefined);
  return JSON.stringify(Object.fromEntries(set.toSorted(([one], [other]) => (one < other ? -1 : 1))));
}
