// Texts of several lines, for where a page shows them as they are.
import { html, type Html } from '../core/text/html.ts';

/** A text in a `pre` or a `textarea`, with its line breaks and tabs; any other control character is escaped as usual. */
export function lines(text: string): Html {
  const parts = text.replaceAll('\r\n', '\n').split(/([\n\t])/);
  return html`${parts.map((part) => (part === '\n' ? lineBreak : part === '\t' ? tab : part))}`;
}

/** Each text on a line of its own. */
export function lineByLine(texts: readonly string[]): Html {
  return html`${texts.map((text, at) => (at === 0 ? text : html`<br />${text}`))}`;
}

// As references: a formatter takes a bare line break or tab for nothing.
const lineBreak = html`&#10;`;
const tab = html`&#9;`;
