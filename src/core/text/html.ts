// HTML as a value: a template that escapes whatever is put into it.
import { escapeText } from './escape.ts';

/** Only `html` makes it, so that a text from outside can never be taken for it. */
export class Html {
  readonly #markup: string;
  constructor(markup: string) {
    this.#markup = markup;
  }
  toString(): string {
    return this.#markup;
  }
}

/** What may stand in a template: texts and numbers are escaped, markup stays, nothing is left out. */
export type HtmlPart = Html | string | number | false | null | undefined | readonly HtmlPart[];

/** Control and bidirectional characters become harmless. `false`, `null`, `undefined` are nothing; lists are joined. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(texts.map((text, at) => text + written(parts[at])).join(''));
}

function written(part: HtmlPart): string {
  if (part === undefined || part === null || part === false) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escapeHtml(part);
  return part.map(written).join('');
}

export function escapeHtml(text: string): string {
  return escapeText(text).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
