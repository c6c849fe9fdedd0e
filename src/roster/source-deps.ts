// The type of what opening a source needs from outside.
import type { OpenOptions } from './open-roster.ts';
import type { Validators } from '../core/rows/source.ts';
import type { Secret } from '../core/secrets/secret.ts';

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
