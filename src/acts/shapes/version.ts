// The version of the JSON documents.

/** Counted up by a release that removes, renames or redefines a field; added fields and words keep it. */
export const documentVersion = 1;

/** A document as it is written: its version first. */
export function withVersion<Document extends object>(document: Document): Document & { version: number } {
  return { version: documentVersion, ...document };
}
