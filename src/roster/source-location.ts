// Where a roster comes from: the settings of a source, and what presets add to those of HTTP.
import type { SourceSettings } from '../../config/fetch-schema.ts';
import type { Step } from '../../config/preset-schema.ts';
import type { Secret } from '../core/secrets/secret.ts';
import type { OpenOptions } from './open-roster.ts';
import type { Validators } from '../core/rows/source.ts';
import type { Shifted } from './fetch/http-message.ts';

type HttpSettings = NonNullable<SourceSettings['http']>;

/** Proof of who asks an HTTP source: exactly one of these. */
export interface HttpAuth extends NonNullable<HttpSettings['auth']> {
  /** Every request is signed with the keys of an account of AWS (signature version 4); the S3 source sets it. */
  aws?: { accessKeyId: string; secretAccessKey: Secret; sessionToken?: Secret; region: string };
  /** Every request is signed with the key of an Azure storage account; the Azure source sets it. */
  azure?: { account: string; key: Secret };
  /** Every request is signed by OAuth 1.0a with HMAC-SHA256, without a token (RFC 5849); presets set it. */
  oauth1?: { consumerKey: string; consumerSecret: Secret };
  /** OAuth 2.0 with a signed statement in place of a secret (RFC 7523); presets set it. */
  signed?: SignedAuth;
}

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
  | Exclude<NonNullable<HttpSettings['paging']>, { by: 'offset' }>
  | (Extract<HttpSettings['paging'], { by: 'offset' }> & Counted);

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

/** An HTTP source. Times are in ms. */
export interface HttpSource extends Omit<HttpSettings, 'auth' | 'body' | 'paging'> {
  /** Sent as JSON. */
  body?: unknown;
  auth?: HttpAuth;
  paging?: Paging;
  /** A refusal that may pass, told by what the path leads to in its JSON; presets set it. */
  busyWhen?: { status: number; path: string; is: readonly string[] };
  /** Whether the headers `x-rate-limit-remaining` and `x-rate-limit-reset` are kept to; presets set it. */
  isRateKept?: true;
  /** What is fetched besides the people; presets set it. */
  steps?: readonly Step[];
  /** Answers by which all pages must be read again; presets set it. */
  shiftedWhen?: readonly Shifted[];
  /** An answer without a list is one of nobody where this path leads to this text; presets set it. */
  absentWhen?: { path: string; is: string };
  /** Its settings are somebody's own, and not a preset's. */
  isDeclared?: boolean;
}

/** Where a roster comes from: exactly one of the places, or an API preset, which stands for `http`. Times are in ms. */
export interface SourceLocation extends Omit<SourceSettings, 'http'> {
  http?: HttpSource;
}

export interface SourceDeps {
  /** The source's name in the config, for messages. */
  name: string;
  /** How to read what was fetched, if it is not to be detected: encoding, delimiter, format, paths, limits. */
  open?: OpenOptions;
  /** What else must not be shown of the source, such as what its preset was told. */
  secrets?: readonly Secret[];
  /** The data directory, where refresh tokens are kept. */
  dataDir?: string;
  /** Where proxies are named: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`. */
  environment: Readonly<Record<string, string | undefined>>;
  /** `roster-sync/<version>`. */
  userAgent: string;
  now(): Date;
  /** In [0, 1); spreads the retries. */
  random(): number;
  /** Waits for `ms`; rejects with the signal's reason when that is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Only the people of these ids; for a preset that can be asked for them. */
  employees?: readonly string[];
  signal?: AbortSignal;
  /** What was last seen of this source. Where it is the same still, opening throws `SourceUnchanged`. */
  validators?: Validators;
  /** Gets what takes time: waiting for a file to settle, or before another try. */
  onWait?(what: string, ms: number): void;
}
