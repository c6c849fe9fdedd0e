// The version of the JSON documents.

/**
 * A release that only adds fields, or values to a list of words, keeps it; one that removes, renames or redefines
 * counts it up.
 */
export const documentVersion = 1;

/** A document as it is written: its version first. */
export function withVersion<Document extends object>(document: Document): Document & { version: number } {
  return { version: documentVersion, ...document };
}
