// What the openers of places get: their settings, and what all of them need.
import type { z } from 'zod';
import type { Http } from './fetch/http-schema.ts';
import type { AuthTemplate, RequestTemplate } from './presets/preset-schema.ts';
import type { Secret } from '../core/secrets/secret.ts';
import type { OpenOptions, RosterFile } from './roster-file.ts';
import type { Validators } from '../core/rows/source.ts';

type HttpSettings = z.output<typeof Http>;

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

/**
 * `by: client`: the statement says who the client is (section 2.2); `grant`: it is the grant itself (section 2.1). The
 * issuer signs, on behalf of the subject if there is one. Of a Google service account its JSON says who the issuer is.
 */
export interface SignedAuth extends Omit<NonNullable<AuthTemplate['signed']>, 'key'> {
  /** A private key in PEM form, or the JSON of a Google service account with the key in it. */
  key: Secret;
}

/** How an HTTP source is told which page is wanted: as settings say it, and more that only presets set. */
export type Paging = NonNullable<RequestTemplate['paging']>;

/** An HTTP source, with what only presets set. Times are in ms. */
export interface HttpSource
  extends
    Omit<HttpSettings, 'auth' | 'body' | 'paging'>,
    Pick<RequestTemplate, 'paging' | 'busyWhen' | 'isRateKept' | 'steps' | 'shiftedWhen' | 'absentWhen'> {
  /** Sent as JSON. */
  body?: unknown;
  auth?: HttpAuth;
  /** Its settings are somebody's own, and not a preset's. */
  isDeclared?: boolean;
}

/** Which of several files are read, when one counts as complete, and how old it may be, ms. */
export interface FileChoice {
  pick?: 'newest' | 'all';
  settle?: number;
  maxAge?: number;
}

export interface FetchedRoster extends RosterFile {
  validators?: Validators;
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
