// Quotes texts of rosters and servers in messages: cut, safe to print, removable.
import { escapeText } from './escape.ts';

/** As much of a text of others as a message shows: names of columns and groups, values, what servers say. */
const mostShown = 80;

/** The beginning of a text of others, whole characters, with `…` where it goes on. */
export function cutText(text: string, most = mostShown): string {
  if (text.length <= most) return text;
  const code = text.charCodeAt(most - 1);
  return `${text.slice(0, code >= 0xd800 && code <= 0xdbff ? most - 1 : most)}…`;
}

/** A text of others, safe to print and cut: the name of a group or column, a value, what a server says. */
export function shownText(text: string, most = mostShown): string {
  return escapeText(cutText(text, most));
}

/**
 * All that a roster or a server wrote is in these, its own become others: so `withoutQuotes` can take it out again.
 */
export function quote(text: string, most = mostShown): string {
  return `"${shownText(text, most).replaceAll('"', '\u201d')}"`;
}

/** A message without what others wrote: `there is no column "…"`. A quote that does not end hides the rest. */
export function withoutQuotes(message: string): string {
  const parts = message.split('"');
  return parts
    .map((part, at) => (at % 2 === 0 ? part : '\u2026'))
    .join('"')
    .concat(parts.length % 2 === 0 ? '"' : '');
}
