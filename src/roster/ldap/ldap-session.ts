// Speaks LDAP with one directory over TLS: sign-in, searches page by page, no referrals.
import { refusal, codeOf, InputError } from '../../core/errors.ts';
import { connect as connectPlain } from 'node:net';
import { connect as connectSecure, type ConnectionOptions } from 'node:tls';
import { Client, ResultCodeError, type Entry, type SearchOptions } from 'ldapts';
import type { LdapSource } from './ldap-schema.ts';
import { defined } from '../../core/defined.ts';
import { sentences } from '../../core/words/say.ts';
import { beforeAbort } from '../../core/before-abort.ts';
import { couldNot, PassingTrouble, redactorFor, saidBy } from '../fetch/tries.ts';
import type { SourceDeps } from '../roster-file.ts';

/** What a server has when it is Active Directory (MS-ADTS, 3.1.1.3.4.3). */
const activeDirectory = '1.2.840.113556.1.4.800';
/** Results that may pass: busy, unavailable (RFC 4511, section 4.1.9). */
const passing = new Set([51, 52]);
/** What the settings say of the connection, with the authorities that a file holds. */
export type LdapConnection = LdapSource & { ca?: string };

/** One signed-in connection to a directory. It is never made again: a page belongs to its connection. */
export class LdapSession {
  referrals = 0;
  isActiveDirectory = false;
  readonly #source: LdapConnection;
  readonly #deps: Pick<SourceDeps, 'name' | 'secrets'>;
  readonly #client: Client;
  readonly #signal: AbortSignal;

  constructor(source: LdapConnection, deps: Pick<SourceDeps, 'name' | 'secrets'>, signal: AbortSignal) {
    const { url, timeout, startTls } = source;
    const { host, hostname, protocol } = new URL(url);
    if (protocol !== 'ldaps:' && !startTls) throw refusal('unprotectedLdap', { name: deps.name, url });
    this.#source = source;
    this.#deps = deps;
    this.#signal = signal;
    const once = onlyOnce(host);
    this.#client = new Client({
      url,
      timeout,
      connectTimeout: Math.min(timeout, 10_000),
      // Where these are given, the library begins with TLS, which StartTLS must not.
      ...(startTls ? {} : { tlsOptions: this.#tls(hostname) }),
      createConnection: ((...given: Parameters<typeof connectPlain>) => {
        once();
        return connectPlain(...given);
      }) as typeof connectPlain,
      createSecureConnection: ((...given: Parameters<typeof connectSecure>) => {
        // StartTLS uses the connection there is.
        if (!startTls) once();
        return connectSecure(...given);
      }) as typeof connectSecure,
    });
  }

  /** Connects, protects the connection, signs in, and asks what kind of server it is. */
  async begin(): Promise<void> {
    const { url, startTls, bindDn, password } = this.#source;
    await this.#doing('connect', async () => {
      if (startTls) await this.#client.startTLS(this.#tls(new URL(url).hostname));
      await this.#client.bind(bindDn, password.reveal());
    });
    const { searchEntries } = await this.#doing('search', () =>
      this.#client.search('', { scope: 'base', filter: '(objectClass=*)', attributes: ['supportedCapabilities'] }),
    );
    const [root] = searchEntries;
    this.isActiveDirectory = [root?.['supportedCapabilities']].flat().some((one) => String(one) === activeDirectory);
  }

  /** All entries of a search, page by page. */
  async *search(base: string, options: Pick<SearchOptions, 'filter' | 'attributes' | 'scope'>): AsyncGenerator<Entry> {
    const { pageSize, timeout } = this.#source;
    const pages = this.#client.searchPaginated(base, {
      scope: 'sub',
      derefAliases: 'never',
      paged: { pageSize },
      timeLimit: Math.ceil(timeout / 1000),
      explicitBufferAttributes: ['objectGUID'],
      ...options,
    });
    try {
      for (;;) {
        const page = await this.#doing('search', () => pages.next());
        if (page.done) return;
        this.referrals += page.value.searchReferences.length;
        yield* page.value.searchEntries;
      }
    } finally {
      await pages.return(undefined).catch(() => {});
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.unbind().catch(() => {});
  }

  #tls(servername: string): ConnectionOptions {
    const { ca } = this.#source;
    return {
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(/^[\d.]+$|:/.test(servername) ? {} : { servername }),
      ...defined({ ca }),
    };
  }

  async #doing<Result>(what: 'connect' | 'search', task: () => Promise<Result>): Promise<Result> {
    this.#signal.throwIfAborted();
    try {
      return await beforeAbort(task(), this.#signal);
    } catch (error) {
      throw this.#troubleOf(error, what);
    }
  }

  #troubleOf(error: unknown, what: 'connect' | 'search'): unknown {
    const host = new URL(this.#source.url).host;
    if (error instanceof InputError || error instanceof PassingTrouble) return error;
    if (error instanceof ResultCodeError) {
      const said = saidBy(error, redactorFor(this.#deps));
      if (passing.has(error.code)) return new PassingTrouble(`${host} is busy, saying ${said}`);
      const todo = sentences()[`ldap-${error.code}`] ?? 'Check its settings.';
      return refusal('ldapAnswer', { name: this.#deps.name, host, code: error.code, said, todo });
    }
    const code = codeOf(error);
    if (/CERT|SIGNATURE|TLS_|SSL|ALTNAME/.test(code)) {
      return refusal('untrustedCertificate', { name: this.#deps.name, host, code });
    }
    if (what === 'search' && !this.#client.isConnected) return new PassingTrouble(lostOf(host), { cause: error });
    return couldNot(host, error, what === 'connect' ? 'be reached' : 'be read');
  }
}

/** Throws from the second call on: the library would connect again, unprotected and not signed in. */
function onlyOnce(host: string): () => void {
  let isUsed = false;
  return () => {
    if (isUsed) throw new PassingTrouble(lostOf(host));
    isUsed = true;
  };
}

const lostOf = (host: string): string => `the connection to ${host} was lost`;
