// Formats what people read: figures, lists and times; texts of others, cut, quoted and harmless; HTML.

/**
 * What must never reach a terminal or a log as it is: control characters, line and paragraph separators,
 * unpaired surrogates, and the format characters that are invisible or turn the direction of what follows
 * (Trojan Source, CVE-2021-42574). The joiners U+200C and U+200D stay: Persian names and emoji need them.
 */
const unsafe = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffb[[\p{Cf}&&\p{DI}]--[\u200c\u200d]]]/gv;

const short: Record<string, string> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

/** Each UTF-16 unit as `\uXXXX`, which is also how JSON writes it. */
export function inJson(character: string): string {
  if (character.length === 1) return String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0');
  return Array.from({ length: character.length }, (_, at) => {
    return String.raw`\u` + character.charCodeAt(at).toString(16).padStart(4, '0');
  }).join('');
}

/**
 * Makes a text from a roster or the service safe to print on one line: control, bidirectional and invisible
 * characters become `\n`, `\r`, `\t` or `\uXXXX`. Everything else, a backslash too, stays as it is, so a
 * text that is already escaped comes back unchanged.
 */
export function escapeText(text: string): string {
  return text.replace(unsafe, (character) => short[character] ?? inJson(character));
}

/**
 * In JSON they stand only inside strings, where `\uXXXX` means the same character: the value parsed back is equal.
 */
export function escapeJson(json: string): string {
  return json.replace(unsafe, (character) => (character === '\n' ? character : inJson(character)));
}

/** What a text shows that was once UTF-8 and was read as Windows-1252: `Ã¥` for å, `â€™` for an apostrophe. */
export const mojibake = /[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘“•–—˜™š›œžŸ]|â€[\u0080-\u2122]/;

/** Signs without which no text is garbled: looking for them is faster than for what makes them so. */
const hintOfGarbled = /[ÃÂâ\ufffd]/;

/** Whether a text was decoded wrongly, or has the sign for a character that was lost. */
export function isGarbled(text: string): boolean {
  return hintOfGarbled.test(text) && (mojibake.test(text) || text.includes('\ufffd'));
}

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

const mostListed = 5;

/** Made when it is first needed, since that takes as long as to start a command. */
let thousands: Intl.NumberFormat | undefined;

/** A number with its thousands separated: `1,204`. */
export function figure(value: number): string {
  return (thousands ??= new Intl.NumberFormat('en-US')).format(value);
}

/** A number and its noun: `1 row`, `1,204 rows`; `many` where the plural is not made with an s. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${figure(value)} ${value === 1 ? one : many}`;
}

/** `22 %`; never 0 % unless it is nothing, never 100 % unless it is all. */
export function percentOf(part: number, whole: number): string {
  const percent = (part / Math.max(1, whole)) * 100;
  if (percent > 0 && percent < 1) return 'less than 1 %';
  if (percent > 99 && percent < 100) return 'more than 99 %';
  return `${Math.round(percent)} %`;
}

/** `A, B, C and 3 more` */
export function listed(items: readonly string[], most = mostListed): string {
  const left = items.length - most;
  return items.slice(0, most).join(', ') + (left > 0 ? ` and ${figure(left)} more` : '');
}

/** `A, B and C`, `A, B and 3 more` */
export function someOf(items: readonly string[], most = mostListed): string {
  if (items.length > most) return listed(items, most);
  return items.length > 1 ? `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}` : (items[0] ?? '');
}

/** In ms: `4.0 s`, `42 s`, `3 min`, `3 min 20 s`, `2 h 10 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 600) return pair(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  if (hours < 48) return pair(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  return pair(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** An estimated duration, from milliseconds: whole seconds, then whole minutes, rounded up: `4 s`, `7 min`, `2 h 10 min`. */
export function estimate(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return seconds < 60 ? `${seconds} s` : duration(Math.ceil(seconds / 60) * 60_000);
}

/** A measured rate for people, from calls per second: `50/s`, `4.2/s`, `12/min`. */
export function perSecond(rate: number): string {
  if (rate >= 9.95) return `${figure(Math.round(rate))}/s`;
  if (rate >= 0.95) return `${rate.toFixed(1).replace('.0', '')}/s`;
  return `${Math.round(rate * 60)}/min`;
}

/** A moment (ISO 8601) as `2026-01-05 14:03` in the given time zone, or the machine's. */
export function moment(iso: string, timeZone?: string): string {
  const at = new Date(iso);
  if (timeZone === undefined) {
    // A page has dozens of them, and making a formatter for each is slow.
    return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
  }
  // The Swedish locale writes dates in the order of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(at);
}

/** The time of day of a moment (ISO 8601) as `14:03:59`, in the machine's time zone. */
export function clockTime(iso: string): string {
  const at = new Date(iso);
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

const settingUnits = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

export function writeDuration(ms: number): string {
  const unit = settingUnits.find(([, size]) => ms % size === 0);
  return unit ? `${ms / unit[1]}${unit[0]}` : `${ms}ms`;
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
/** Lengths that people read easily, ms. */
const lengths = [
  ...[1, 2, 5, 10, 15, 30].map((each) => each * second),
  ...[1, 2, 5, 10, 15, 30].map((each) => each * minute),
  ...[1, 2, 4, 6, 12].map((each) => each * hour),
  ...[1, 2, 7, 14, 28].map((each) => each * day),
];

/** The shortest round length, ms, of which so many slices cover a time. Time is cut at round moments, so one slice is spare. */
export function sliceFor(spanMs: number, mostSlices: number): number {
  const found = lengths.find((length) => Math.floor(spanMs / length) + 2 <= mostSlices);
  return found ?? Math.ceil(spanMs / Math.max(1, mostSlices - 2) / day) * day;
}

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
export function html(texts: readonly string[], ...parts: readonly HtmlPart[]): Html {
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
