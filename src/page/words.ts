// What pages say, in the language of whoever looks: English, and what src/data/page-languages has.
import { AsyncLocalStorage } from 'node:async_hooks';
import { html as markup, type Html, type HtmlPart } from '../core/text/format.ts';
import { filled, pageLanguages } from '../core/words/say.ts';
import { translate, type Translated } from './template.ts';

const asked = new AsyncLocalStorage<string>();

/** The language in which a page is made: `en`, `de`. */
export const language = (): string => asked.getStore() ?? 'en';

/** Does something whose pages are in a language. */
export const inLanguage = <Result>(language: string, act: () => Result): Result => asked.run(language, act);

/** The language that a browser wishes for most (`Accept-Language`) of those that there are; English where it wishes for none. */
export function wishedLanguage(wishes = ''): string {
  const wished = wishes.split(',').map((wish) => {
    const [tag = '', weight = ''] = wish.split(/; *q=/i);
    return { language: tag.trim().slice(0, 2).toLowerCase(), weight: weight === '' ? 1 : Number(weight) || 0 };
  });
  const known = wished.filter(
    ({ language, weight }) => weight > 0 && (language === 'en' || language in pageLanguages()),
  );
  return known.toSorted((one, other) => other.weight - one.weight)[0]?.language ?? 'en';
}

/** A message in the language of the page; undefined where the catalogue has none. */
export const messageOf = (english: string): string | undefined => pageLanguages()[language()]?.[english];

const translated = new WeakMap<object, Map<string, Translated>>();

/** As `html` of all texts, in the language of the page. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  if (language() === 'en') return markup(texts, ...parts);
  const known = translated.get(texts) ?? new Map<string, Translated>();
  translated.set(texts, known);
  const template = known.get(language()) ?? translate(texts, (message) => messageOf(message) ?? message);
  known.set(language(), template);
  return markup(template.texts, ...template.order.map((at) => parts[at]));
}

/** Marks English words that `t` says later, where they are used. */
export const words = <Text extends string>(text: Text): Text => text;

/**
 * A message in the language of the page, in the notation of src/data/sentences: `#` is the number, `[is|are]` depends on it,
 * `{name}` is filled in.
 */
export function t(text: string, count = 1, said: Readonly<Record<string, string | number | undefined>> = {}): string {
  const isOne = formats().plural.select(count) === 'one';
  return filled(messageOf(text) ?? text, isOne, figure(count), said);
}

/** A number and its noun: `1 row`, `1,204 rows`; `many` where the plural is not made with an s. */
export const count = (value: number, one: string, many = `${one}s`): string => t(`[1 ${one}|# ${many}]`, value);

/** What Intl has for a language; making it anew for each number is slow. */
interface Formats {
  number: Intl.NumberFormat;
  plural: Intl.PluralRules;
  /** `A, B and C` */
  list: Intl.ListFormat;
  /** `A, B or C` */
  either: Intl.ListFormat;
  month: Intl.DateTimeFormat;
}
const made = new Map<string, Formats>();

export function formats(): Formats {
  const key = language();
  const known = made.get(key);
  if (known) return known;
  // Days before months, and no comma before "and".
  const locale = key === 'en' ? 'en-GB' : key;
  const fresh = {
    number: new Intl.NumberFormat(locale),
    plural: new Intl.PluralRules(locale),
    list: new Intl.ListFormat(locale),
    either: new Intl.ListFormat(locale, { type: 'disjunction' }),
    month: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }),
  };
  made.set(key, fresh);
  return fresh;
}

/** A number with its thousands separated: `1,204`. */
export const figure = (value: number): string => formats().number.format(value);
