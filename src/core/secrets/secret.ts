// The type of a secret, which never prints itself, and the redactor of texts.
import { inspect } from 'node:util';
import { beginningAtEnd, findAll } from './find-secret.ts';
import { formsOf, isWeakSecret } from './secret-forms.ts';
import { startOf, unescapeLevels } from './unescape.ts';

const mask = '***';

/** A value that must never be shown: it prints as `***` everywhere except through `reveal()`. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  /** The value itself; only for the place that puts it on the wire. */
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return mask;
  }
  toJSON(): string {
    return mask;
  }
  [inspect.custom](): string {
    return mask;
  }
}

/** `cut`: the text may end in a secret, so a beginning of one (from four characters) at its end goes too. */
export type Redact = (text: string, cut?: boolean) => string;

/**
 * Builds the function that replaces every form of the given secrets in a text by `***` (see `formsOf`), however the text
 * writes them: plain, URL-encoded, as JSON does or as HTML does, several times over, character by character. What is short or
 * a common word is replaced only where it is a whole value (`"…"`, `=…`, `:…`, or all there is). Its steps grow with the
 * length of the text, whatever is in it.
 */
export function redactor(secrets: readonly Secret[]): Redact {
  const values = secrets.map((secret) => secret.reveal());
  const found = new Set(values.flatMap(formsOf).flatMap((form) => unescapeLevels(form).map(({ text }) => text)));
  const forms = [...found].map((form) => ({ form, isWeak: isWeakSecret(form) }));
  if (forms.length === 0) return (text) => text;
  return (text, cut = false) => {
    const spans: [from: number, to: number][] = [];
    for (const level of unescapeLevels(text)) {
      for (const { form, isWeak } of forms) {
        for (const at of findAll(level.text, form, isWeak)) {
          spans.push([startOf(level, at), startOf(level, at + form.length)]);
        }
        const begun = cut && !isWeak ? beginningAtEnd(level, form) : undefined;
        if (begun !== undefined) spans.push([startOf(level, begun), text.length]);
      }
    }
    return spans.length === 0 ? text : withoutSpans(text, spans);
  };
}

function withoutSpans(text: string, spans: [from: number, to: number][]): string {
  const parts: string[] = [];
  let end = 0;
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    if (from >= end) parts.push(text.slice(end, from), mask);
    end = Math.max(end, to);
  }
  return parts.join('') + text.slice(end);
}
