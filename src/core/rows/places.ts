// The places where the people of a source can be, of which it names one. Whatever depends on them asks this list.

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
