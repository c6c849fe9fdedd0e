// The types of everything a source can be: file, HTTP, SFTP, paging, authentication.
import type { Secret } from '../secrets/secret.ts';
import type { AzureBlobSource, S3Source } from './store-source.ts';

/** Proof of who asks an HTTP source: exactly one of these. */
export interface HttpAuth {
  basic?: { username: string; password: Secret };
  bearer?: Secret;
  /** OAuth 2.0, client credentials (RFC 6749, section 4.4). */
  oauth2?: {
    tokenUrl: string;
    clientId: string;
    clientSecret: Secret;
    scope?: string;
    audience?: string;
    /** Where id and secret go: a Basic header, or fields of the form. */
    credentials: 'header' | 'body';
  };
  /** As a person who has signed in with `connect`. */
  signIn?: SignInAuth;
  /** Every request is signed with the keys of an account of AWS (signature version 4); the S3 source sets it. */
  aws?: { accessKeyId: string; secretAccessKey: Secret; sessionToken?: Secret; region: string };
  /** Every request is signed with the key of an Azure storage account; the Azure source sets it. */
  azure?: { account: string; key: Secret };
  /** Every request is signed by OAuth 1.0a with HMAC-SHA256, without a token (RFC 5849); presets set it. */
  oauth1?: { consumerKey: string; consumerSecret: Secret };
  /** OAuth 2.0 with a signed statement in place of a secret (RFC 7523); presets set it. */
  signed?: SignedAuth;
}

/** OAuth 2.0 with a refresh token (RFC 6749, section 6) that a sign-in on another device gave (RFC 8628). */
export interface SignInAuth {
  tokenUrl: string;
  deviceUrl: string;
  clientId: string;
  clientSecret?: Secret;
  scope?: string;
  /** Where the secret goes, if there is one. */
  credentials: 'header' | 'body';
  /** What the refresh token is encrypted with: 32 bytes in Base64. */
  key: Secret;
}

/** What is signed to get a token. */
export interface SignedAuth {
  tokenUrl: string;
  /** `client`: the statement says who the client is (section 2.2); `grant`: it is the grant itself (section 2.1). */
  by: 'client' | 'grant';
  /** A private key in PEM form, or the JSON of a Google service account with the key in it. */
  key: Secret;
  algorithm: string;
  /** Who signs: the client id. Of a Google service account, what its JSON says. */
  issuer?: string;
  /** On whose behalf; the issuer unless given. */
  subject?: string;
  /** The certificate of the key in PEM form, whose thumbprint is sent along. */
  certificate?: string;
  /** The name of the key at the server. */
  keyId?: string;
  scope?: string;
}

/**
 * How an HTTP source is told which page is wanted. Paths lead into the answer (core/path.ts).
 *
 * - `link`: the answer's `Link` header with `rel="next"` (RFC 8288)
 * - `next`: a URL in the answer
 * - `cursor`: a text in the answer that is sent back in `parameter`
 * - `offset`: `parameter` counts people, from `first`
 * - `page`: `parameter` counts pages, from `first`; `pages` leads to the number of pages where the answer says it
 *
 * `total` leads to the number of people: fewer at the end, or a number that changes on the way, is not a roster.
 */
export type Paging =
  | { by: 'link'; total?: string }
  | { by: 'next'; path: string; total?: string }
  | { by: 'cursor'; path: string; parameter: string; in?: 'query' | 'body'; total?: string }
  | ({ by: 'offset'; parameter: string; first: number; size?: PageSize; in?: 'query' | 'body' } & Counted)
  | {
      by: 'page';
      parameter: string;
      first: number;
      size?: PageSize;
      in?: 'query' | 'body';
      pages?: string;
      total?: string;
    };

/** What else says where pages end; presets set it. */
interface Counted {
  total?: string;
  /** A header with the number of people, as `total` is one in the answer. */
  totalHeader?: string;
  /** Where the answer has a `Link` header, that says which page is next. */
  links?: true;
  /** The path to what tells people apart: one who comes twice means that pages moved. */
  key?: string;
}

/** How many people a page is asked to have. */
export interface PageSize {
  parameter: string;
  count: number;
}

/** An HTTP source. Times are in ms. */
export interface HttpSource {
  /** `https`, or this machine. It may have a query, which is never shown. */
  url: string;
  method: 'GET' | 'POST';
  /** Added to the URL's query. */
  query?: Readonly<Record<string, Secret>>;
  headers?: Readonly<Record<string, Secret>>;
  /** Sent as JSON. */
  body?: unknown;
  auth?: HttpAuth;
  /** The JSON pointer of the list of people in an answer: `/data/people`. Without it, it is found. */
  records?: string;
  paging?: Paging;
  /** The longest silence: before the answer begins, or between two parts of it. */
  timeout: number;
  /** The longest time for all of it. */
  deadline: number;
  /** Tries of one request. */
  attempts: number;
  /** The most bytes of all answers together. */
  maxBytes: number;
  /** The most pages. */
  maxPages: number;
  /** A refusal that may pass, told by what the path leads to in its JSON; presets set it. */
  busyWhen?: { status: number; path: string; is: readonly string[] };
  /** Whether the headers `x-rate-limit-remaining` and `x-rate-limit-reset` are kept to; presets set it. */
  isRateKept?: true;
}

/** A file on an SFTP server. Times are in ms. */
export interface SftpSource {
  host: string;
  port: number;
  username: string;
  password?: Secret;
  /** The key itself, in PEM or OpenSSH form. */
  privateKey?: Secret;
  privateKeyFile?: string;
  passphrase?: Secret;
  /** The host's key, as `ssh-keygen -lf` shows it (`SHA256:…`); several while it is changed. */
  fingerprint: readonly string[];
  /** The file; `*` and `?` in its name stand for any text and any character. */
  path: string;
  timeout: number;
  deadline: number;
  attempts: number;
  maxBytes: number;
}

/** A directory that speaks LDAP, over TLS only. Times are in ms. */
export interface LdapSource {
  /** `ldaps://host:636`, or `ldap://host` with `startTls`. */
  url: string;
  /** Protects the connection before anything else is said (RFC 4511, section 4.14). */
  startTls: boolean;
  /** A file with the authorities that may have signed the server's certificate, in PEM form. */
  caFile?: string;
  bindDn: string;
  password: Secret;
  /** Where people are: `OU=People,DC=acme,DC=example`. */
  base: string;
  /** Which entries are people (RFC 4515). */
  filter?: string;
  /** Attributes to read besides the usual ones. */
  attributes?: readonly string[];
  groups?: {
    base: string;
    /** Which groups count. */
    filter: string;
    /** The attribute that names a group. */
    name: string;
    /** How groups inside groups are found: by the server's own rule, by reading all groups, or not at all. */
    nested: 'auto' | 'chain' | 'walk' | 'none';
  };
  pageSize: number;
  /** The longest silence of one request. */
  timeout: number;
  deadline: number;
  attempts: number;
}

/** A query of a database. Times are in ms. */
export interface SqlSource {
  /** `postgres://`, `mysql://` or `sqlserver://`, with user name and password, and nothing after the database. */
  url: Secret;
  /** One statement that gives rows; column names are those of the roster. */
  query: string;
  /** A file with the authorities that may have signed the server's certificate, in PEM form. */
  caFile?: string;
  /** The longest time for one answer. */
  timeout: number;
  deadline: number;
  attempts: number;
}

/** The keys for an encrypted roster: exactly one of `privateKey` and `privateKeyFile`. */
export interface PgpSource {
  /** The key itself, as text. */
  privateKey?: Secret;
  privateKeyFile?: string;
  passphrase?: Secret;
  /** Public keys as text; one of them must have signed. */
  signedBy?: string;
  signedByFile?: string;
}

/** Where a roster comes from: exactly one of the places, or an API preset, which stands for `http`. */
export interface SourceLocation {
  /** A path, a pattern (`staff-*.csv`), or `-` for standard input. */
  file?: string;
  http?: HttpSource;
  sftp?: SftpSource;
  ldap?: LdapSource;
  sql?: SqlSource;
  s3?: S3Source;
  azureBlob?: AzureBlobSource;
  /** A named way to read a system's people (`roster/presets`). */
  preset?: string;
  /** The parameters of the preset: company, keys. */
  account?: Readonly<Record<string, Secret>>;
  /** Only what changed since the last run is asked for; everybody again after `fullEvery`, ms. */
  delta?: { fullEvery: number };
  /** Of several files that match, the newest, or all of them as one roster. */
  pick?: 'newest' | 'all';
  /** The time, ms, for which a file must keep its size and time before it is read. */
  settle?: number;
  /** The oldest, in ms, that the file or answer may be. */
  maxAge?: number;
  pgp?: PgpSource;
}

/** What a server said about the version of an answer, to be sent back (RFC 9110, section 13.1). */
export interface Validators {
  etag?: string;
  lastModified?: string;
}

/**
 * The source is as it was when these validators were given (HTTP 304): there is nothing to read. Not a failure: who
 * offers validators handles it.
 */
export class SourceUnchanged extends Error {
  readonly validators: Validators;
  constructor(name: string, validators: Validators) {
    super(`${name} has not changed since it was last read.`);
    this.name = 'SourceUnchanged';
    this.validators = validators;
  }
}

/** What holds for an HTTP source where its config says nothing. */
export const httpDefaults = {
  method: 'GET',
  timeout: 120_000,
  deadline: 3_600_000,
  attempts: 6,
  maxBytes: 2 * 1024 ** 3,
  maxPages: 10_000,
} as const satisfies Partial<HttpSource>;

/** What holds for an SFTP source where its config says nothing. */
export const sftpDefaults = {
  port: 22,
  timeout: 30_000,
  deadline: 3_600_000,
  attempts: 4,
  maxBytes: 8 * 1024 ** 3,
} as const satisfies Partial<SftpSource>;

/** What holds for an LDAP source where its config says nothing. */
export const ldapDefaults = {
  startTls: false,
  pageSize: 500,
  timeout: 60_000,
  deadline: 3_600_000,
  attempts: 4,
} as const satisfies Partial<LdapSource>;

/** What holds for an SQL source where its config says nothing. */
export const sqlDefaults = {
  timeout: 300_000,
  deadline: 3_600_000,
  attempts: 4,
} as const satisfies Partial<SqlSource>;
