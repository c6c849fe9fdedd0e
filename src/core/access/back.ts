// Where somebody goes on after signing in, and the form that they had sent.

export interface Back {
  path: string;
  fields?: Record<string, string>;
}

/** Anything but a path of ours leads to the first page: a browser takes `//` for the beginning of another host. */
export function pathOfOurs(text: string): string {
  const url = URL.parse(text, 'http://ours.invalid');
  if (!text.startsWith('/') || url?.host !== 'ours.invalid' || text.length > 2000) return '/';
  return url.pathname.replace(/^\/+/, '/') + url.search;
}
