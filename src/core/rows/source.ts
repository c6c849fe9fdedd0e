// What a source may be called, and what its server says about a version.
import { TextHash } from '../hashing/text-set.ts';
import { escapeText } from '../text/format.ts';

/** What a server said about the version of an answer, to be sent back (RFC 9110, section 13.1). */
export interface Validators {
  etag?: string;
  lastModified?: string;
}

/** HTTP 304: there is nothing to read. Not a failure: who offers validators handles it. */
export class SourceUnchanged extends Error {
  readonly validators: Validators;
  constructor(name: string, validators: Validators) {
    super(`${name} has not changed since it was last read.`);
    this.name = 'SourceUnchanged';
    this.validators = validators;
  }
}

const longest = 100;
const beginning = String.raw`^(?=.{1,${longest}}$)[\p{L}\p{N}]`;

/** Names of sources in the config: letters, digits, and - _ . */
export const configuredSourceName = new RegExp(String.raw`${beginning}[\p{L}\p{M}\p{N}._-]*$`, 'u');

/** Names of sources that are files or come from `--source`: as people name files. Nothing that parts a path or a link. */
const sourceName = new RegExp(String.raw`${beginning}[\p{L}\p{M}\p{N} ._()&+,'-]*(?<! )$`, 'u');

const sourceNameRule =
  "the name of a source begins with a letter or digit, continues with letters, digits, spaces and . _ - ( ) & + , ' and has " +
  `at most ${longest} characters`;

export function sourceNameProblem(name: string): string | undefined {
  return sourceName.test(name)
    ? undefined
    : `"${escapeText(name.slice(0, longest))}" cannot name a source: ${sourceNameRule}`;
}

/** What every file system takes as it is, and none takes for another. */
const plainFileName = /^[a-z0-9][a-z0-9_-]*$/;
/** Devices, not files, on Windows, whatever follows after a dot. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** The source's own, or one like it with a hash: Windows and macOS take `Staff` and `staff` for one file. */
export function fileNameOf(source: string): string {
  if (plainFileName.test(source) && !deviceName.test(source)) return source;
  const hash = new TextHash();
  hash.take(source);
  const readable = source.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, '-');
  return `${readable}-${hash.high.toString(16).padStart(8, '0')}`;
}
