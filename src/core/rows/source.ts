// What says that a source has not changed, and what holds for a source where its config says nothing.

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

export const httpDefaults = {
  method: 'GET',
  timeout: 120_000,
  deadline: 3_600_000,
  attempts: 6,
  maxBytes: 2 * 1024 ** 3,
  maxPages: 10_000,
} as const;

export const sftpDefaults = {
  port: 22,
  timeout: 30_000,
  deadline: 3_600_000,
  attempts: 4,
  maxBytes: 8 * 1024 ** 3,
} as const;

export const ldapDefaults = {
  startTls: false,
  pageSize: 500,
  timeout: 60_000,
  deadline: 3_600_000,
  attempts: 4,
} as const;

export const sqlDefaults = {
  timeout: 300_000,
  deadline: 3_600_000,
  attempts: 4,
} as const;

export const storeDefaults = { timeout: 120_000, deadline: 3_600_000, attempts: 6, maxBytes: 2 * 1024 ** 3 } as const;

/** By their keys in the settings, how people call them; a file is called by its name. */
export const places = {
  file: 'a file',
  http: 'HTTP',
  sftp: 'SFTP',
  ldap: 'LDAP',
  sql: 'SQL',
  s3: 'S3',
  azureBlob: 'Azure Blob',
} as const;

export type Place = keyof typeof places;

/** The places that a source names. */
export const placesOf = (source: { readonly [Name in Place]?: unknown }): Place[] =>
  (Object.keys(places) as Place[]).filter((place) => source[place] !== undefined);
