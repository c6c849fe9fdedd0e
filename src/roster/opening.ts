// The options for opening a roster, where detection is overridden.
import type { ReadSettings } from '../../config/read-schema.ts';
import type { Day } from '../core/cells/days.ts';
import { defined } from '../core/defined.ts';
import type { Secret } from '../core/secrets/secret.ts';
import type { JoinSpec } from './bundle/join-index.ts';
import type { ReadLimits } from './files/limits.ts';
import type { AskedPaths } from './json/json-reader.ts';
import type { PgpKeys } from './pgp/decrypt.ts';

export interface OpenOptions extends Omit<ReadSettings, 'join' | 'limits'>, AskedPaths {
  /** Of a folder or an archive, how its files belong together, where it is no bundle that is known. */
  join?: JoinSpec;
  /** The day by which rows of a join hold or do not; that of this machine unless given. */
  today?: Day;
  /** The keys for what is encrypted with PGP. */
  pgp?: PgpKeys;
  /** That of a workbook which is locked. */
  password?: Secret;
  /** It is the answer of a server: JSON that says it is not all is refused. */
  isAnswer?: boolean;
  limits?: Partial<ReadLimits>;
  now?: () => Date;
  /** What standard input, streams, and files under a name of no meaning are called in rows and messages. */
  name?: string;
}

export interface Opening {
  options: OpenOptions;
  limits: ReadLimits;
  now: () => Date;
  unpacked: number;
  /** It must be encrypted, since only then a signature is checked. */
  mustBeSigned: boolean;
}

/** The same for a file inside a folder or archive of files: what was said about the whole does not hold for it, but its password. */
export function openingInside(opening: Opening): Opening {
  const { encoding, delimiter, password } = opening.options;
  const options = defined({ encoding, delimiter, password });
  return { ...opening, options };
}
