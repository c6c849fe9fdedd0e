// Reads user and password of an address as people write them.

/** A part of an address as it was meant: what is not well-formed, such as a `%` alone, is taken as it is written. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * An address that can be read in one way only, with a `%` alone in user or password encoded. Undefined if it cannot be
 * read, or an `@` stands anywhere but between password and host: `redis://:Head@Tail/x@host` would be asked of `Tail`.
 * Without a user, an `@` may be part of the path of a web address.
 */
export function readSecretUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null) return undefined;
  const isWeb = /^https?:$/.test(url.protocol);
  const hasUser = url.username !== '' || url.password !== '';
  const signs = text.split('@').length - 1;
  if (hasUser ? signs > 1 : signs > 0 && !isWeb) return undefined;
  url.username = encoded(url.username);
  url.password = encoded(url.password);
  return url;
}

/** A part that every driver can decode: what is not well-formed stands for itself. */
function encoded(part: string): string {
  const tidy = part.replaceAll(/%(?![\da-f]{2})/gi, '%25');
  return decoded(tidy) === tidy ? tidy.replaceAll('%', '%25') : tidy;
}

/** What to do about an address that cannot be read so. */
export const encodeHint = 'write an @ in user or password as %40, a / as %2F, a ? as %3F, a # as %23';
