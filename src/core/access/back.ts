// Where somebody goes on after signing in, and the form that they had sent.

/** Where somebody wanted to go when they had to sign in. */
export interface Back {
  /** A path of the pages, with its query. */
  path: string;
  /** The fields of the form that was sent there; absent where it was only opened. */
  fields?: Record<string, string>;
}

/**
 * A path of ours, whatever somebody wrote into an address: anything else leads to the first page. Without its dots it has
 * one slash in front, since a browser takes `//` for the beginning of another host.
 */
export function pathOfOurs(text: string): string {
  const url = URL.parse(text, 'http://ours.invalid');
  if (!text.startsWith('/') || url?.host !== 'ours.invalid' || text.length > 2000) return '/';
  return url.pathname.replace(/^\/+/, '/') + url.search;
}
