// What pages are made of: pills, bars, stats, tables, forms, notes, texts of several lines and links to pages.
import { Html, type HtmlPart, clockTime } from '../core/text/format.ts';
import { figure, formats, html, t, words } from './words.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { told } from './told.ts';

export type Tone = 'ok' | 'warn' | 'bad' | 'live' | 'edge' | 'mute' | 'hatch';

export function pill(word: string, tone: Tone = 'mute'): Html {
  return html`<span class="pill ${tone}">${word}</span>`;
}

/** The word of each state's pill, its tone, and the word within a sentence. */
const states: Record<RunReport['status'], [pill: string, tone: Tone, within: string]> = {
  planning: [words('Reading'), 'live', words('planning')],
  delivering: [words('Sending'), 'live', words('delivering')],
  held: [words('Held'), 'warn', words('held')],
  paused: [words('Paused'), 'bad', words('paused')],
  halted: [words('Halted'), 'bad', words('halted')],
  finished: [words('Done'), 'ok', words('finished')],
  'finished-with-failures': [words('Not all sent'), 'bad', words('finished-with-failures')],
  cancelled: [words('Cancelled'), 'mute', words('cancelled')],
  failed: [words('Failed'), 'bad', words('failed')],
};

/** A state of a run within a sentence. */
export const statusWord = (status: RunReport['status']): string => t(states[status][2]);

/** The states of runs in the words of their pills. */
export const stateWords = () => Object.entries(states).map(([state, [word]]) => [state, t(word)] as const);

/** `delivering` is said only where somebody delivers. */
export function statePill({ status, isAbandoned }: Pick<RunReport, 'status' | 'isAbandoned'>): Html {
  const [word, tone] = isAbandoned ? ([words('Interrupted'), 'bad'] as const) : states[status];
  return pill(t(word), tone);
}

export function fill(tone: Tone): Html {
  return tone === 'hatch' ? html`fill="url(#hatch)"` : html`class="fill-${tone}"`;
}

/** A part of a bar: how many, of what. */
export interface Share {
  tone: Tone;
  value: number;
  words: string;
}

export function bar(shares: readonly Share[]): Html {
  const present = shares.filter(({ value }) => value > 0);
  const total = present.reduce((sum, { value }) => sum + value, 0);
  const told = present.map(({ value, words }) => `${figure(value)} ${words}`).join(', ');
  const legend = present.map(
    ({ tone, value, words }) =>
      html`<li>
        <svg aria-hidden="true"><rect ${fill(tone)} width="10" height="10" rx="2" /></svg><b>${figure(value)}</b>
        ${words}
      </li>`,
  );
  return html`<svg class="bar" role="img" aria-label="${told}">${sideBySide(present, total, 3)}</svg>
    <ul class="legend">
      ${legend}
    </ul>`;
}

/** A bar in a table, 6 px high, of a number of people; its numbers stand beside it. */
export function tinyBar(shares: Partial<Record<Tone, number>>, of: number): Html {
  const present = (Object.entries(shares) as [Tone, number][]).filter(([, value]) => value > 0);
  const parts = present.map(([tone, value]) => ({ tone, value }));
  return html`<svg class="bar tiny" aria-hidden="true">${sideBySide(parts, of, 2)}</svg>`;
}

function sideBySide(shares: readonly Pick<Share, 'tone' | 'value'>[], of: number, digits: number): Html[] {
  let at = 0;
  return shares.map(({ tone, value }) => {
    const width = of === 0 ? 0 : (value / of) * 100;
    at += width;
    const [x, wide] = [at - width, width].map((part) => part.toFixed(digits));
    return html`<rect ${fill(tone)} x="${x}%" width="${wide}%" height="100%" />`;
  });
}

/** A part of a page that may be replaced while somebody looks at it; `grows` where new rows are only offered. */
export function part(id: string, body: HtmlPart, { grows = false }: { grows?: boolean } = {}): Html {
  return html`<div id="${id}" data-part ${grows && html` data-grows`}>${body}</div>`;
}

export function stats(values: readonly (readonly [value: number | string | Html, words: HtmlPart])[]): Html {
  return html`<div class="stats">
    ${values.map(([value, words]) => html`<div><b>${typeof value === 'number' ? figure(value) : value}</b><span>${words}</span></div>`)}
  </div>`;
}

/** Facts: the name of each, and what it is. */
export function list(rows: readonly (readonly [HtmlPart, HtmlPart])[]): Html {
  return html`<dl>
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

/** A heading of a column; `n` for figures, `late` for figures that a phone leaves out, `wide` for texts that it leaves out, `unseen` where what stands below says enough. */
export type Heading = string | { n: string } | { late: string } | { wide: string } | { unseen: string };

/** A table with a caption for who cannot see it; each row is a finished `<tr>`, a heading may be a finished `<th>`. */
export function fixedTable(
  caption: string,
  headings: readonly (Heading | Html)[],
  rows: readonly Html[],
  kind = '',
): Html {
  const heads = headings.map((heading) => {
    if (heading instanceof Html) return heading;
    if (typeof heading === 'string') return html`<th scope="col">${heading}</th>`;
    if ('n' in heading) return html`<th scope="col" class="n">${heading.n}</th>`;
    if ('wide' in heading) return html`<th scope="col" class="late">${heading.wide}</th>`;
    if ('unseen' in heading) return html`<th scope="col"><span class="hidden">${heading.unseen}</span></th>`;
    return html`<th scope="col" class="n late">${heading.late}</th>`;
  });
  return html`<table ${kind !== '' && html` class="${kind}"`}>
    <caption class="hidden">
      ${caption}
    </caption>
    <thead>
      <tr>
        ${heads}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

/** The same in a part that scrolls by itself where it is too wide. */
export const table = (...made: Parameters<typeof fixedTable>): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="${made[0]}">${fixedTable(...made)}</div>`;

/** A cell of a row: what stands in it, or that by its classes, such as `n` for figures. */
export type Cell = HtmlPart | Readonly<Record<string, HtmlPart>>;

const isByClass = (cell: Cell): cell is Readonly<Record<string, HtmlPart>> =>
  typeof cell === 'object' && cell !== null && !Array.isArray(cell) && !(cell instanceof Html);

/** A row of a table; its first cell says what it is about. */
export const row = (head: HtmlPart, ...cells: readonly Cell[]): Html =>
  html`<tr>
    <th scope="row">${head}</th>
    ${cells.map(cellOf)}
  </tr>`;

/** A row of which no cell says what it is about. */
export const plainRow = (...cells: readonly Cell[]): Html =>
  html`<tr>
    ${cells.map(cellOf)}
  </tr>`;

function cellOf(cell: Cell): Html | Html[] {
  if (!isByClass(cell)) return html`<td>${cell}</td>`;
  return Object.entries(cell).map(([classes, part]) => html`<td class="${classes}">${part}</td>`);
}

/** Fields of a form that nobody sees. */
export const hidden = (fields: Readonly<Record<string, string>>): Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);

export const option = (value: string, words: string, isChosen: boolean): Html =>
  html`<option value="${value}" ${isChosen && html` selected`}>${words}</option>`;

/** Something to choose in a form, and what follows from it. */
export function choice(
  { type, name, value, isOn }: { type: 'radio' | 'checkbox'; name: string; value?: string; isOn: boolean },
  words: HtmlPart,
  consequence: HtmlPart,
  kind = 'option',
): Html {
  return html`<label class="${kind}"
    ><input
      type="${type}"
      name="${name}"
      ${value !== undefined && html` value="${value}"`}
      ${isOn && html` checked`}
    />${words}<span>${consequence}</span></label
  >`;
}

/** Why a form was not taken; `isWrong` marks the field that it is about. */
export const wrong = (why: HtmlPart): Html => html`<p class="wrong" role="alert" id="wrong">${toldOf(why)}</p>`;
const toldOf = (part: HtmlPart): HtmlPart => (typeof part === 'string' ? told(part) : part);
export const isWrong = html` aria-invalid="true" aria-describedby="wrong"`;

/** A field of a form with its label: a text unless `attributes` say otherwise; `hint` and why it was not taken stand between. `isMarked` where that stands elsewhere. */
export function field(
  name: string,
  label: HtmlPart,
  attributes: Readonly<Record<string, string>>,
  { hint, why, isMarked = why !== undefined }: { hint?: string; why?: string | undefined; isMarked?: boolean } = {},
): Html {
  const all = Object.entries({ type: 'text', id: name, name, autocomplete: 'off', ...attributes });
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint !== undefined && html`<p class="small quiet">${hint}</p>`} ${why !== undefined && wrong(why)}
    <input ${all.map(([key, value]) => html` ${key}="${value}"`)} ${isMarked && isWrong} />
  </div>`;
}

/** A search for people, posted so that no name gets into an address. With a heading it stands beside it. */
export function searchForm(
  action: string,
  { text = '', heading, label = t('Name or address') }: { text?: string; heading?: string; label?: string } = {},
): Html {
  return html`<form class="row ${heading !== undefined && 'find'}" method="post" action="${action}" role="search">
    ${heading !== undefined && html`<h2>${heading}</h2>`}
    <label for="text" class="hidden">${label}</label
    ><input
      type="search"
      id="text"
      name="text"
      value="${text}"
      placeholder="${label}"
      maxlength="200"
      autocomplete="off"
    /><button>Search</button>
  </form>`;
}

/** A finding, and what follows from it. */
export function note(finding: HtmlPart, consequence: HtmlPart, tone: 'warn' | 'bad' | 'ok' = 'warn'): Html {
  return html`<div class="note ${tone}">
    <p><b>${toldOf(finding)}</b></p>
    <p class="small quiet">${toldOf(consequence)}</p>
  </div>`;
}

/** A form that does one thing at once; `fields` go with it, and what names the form by its id. */
export function deed(
  action: string,
  word: HtmlPart,
  kind: '' | 'danger' | 'dark' | 'main' | 'slim' = '',
  fields: Readonly<Record<string, string>> = {},
  id = '',
): Html {
  return html`<form${id !== '' && html` id="${id}"`} method="post" action="${action}">${hidden(fields)}<button${kind !== '' && html` class="${kind}"`}>${word}</button></form>`;
}

/** The days beside today, by how far they are; the script has them too. */
export const days = (): Partial<Record<number, string>> => ({ [-1]: t('yesterday'), 0: t('today'), 1: t('tomorrow') });
const midnight = (at: Date): number => new Date(at).setHours(0, 0, 0, 0);

/** The forms of a moment, each as people say it: `today 02:15`, `26 Nov, 02:15`, of another year with that; the same with its date; a clock with seconds; a day; a day of this year. */
const forms = {
  moment(at: Date, now: Date): string {
    const word = days()[Math.round((midnight(at) - midnight(now)) / 86_400_000)];
    if (word === undefined && at.getFullYear() !== now.getFullYear()) return forms.full(at);
    return `${word ?? `${forms.month(at)},`} ${forms.minute(at)}`;
  },
  full: (at: Date): string => `${forms.day(at)}, ${forms.minute(at)}`,
  clock: (at: Date): string => clockTime(at.toISOString()),
  minute: (at: Date): string => forms.clock(at).slice(0, 5),
  day: (at: Date): string => `${forms.month(at)} ${at.getFullYear()}`,
  month: (at: Date): string => formats().month.format(at),
};
export type TimeForm = keyof typeof forms;

/** A moment (ISO 8601) in words, in the zone of the server. */
export const timeInWords = (iso: string, form: TimeForm = 'moment', now = new Date()): string =>
  forms[form](new Date(iso), now);

/** The same on a page, whose script changes it to the zone of the viewer. */
export function time(iso: string, form: TimeForm = 'moment'): Html {
  return html`<time datetime="${iso}" data-form="${form}">${timeInWords(iso, form)}</time>`;
}

/** What was said below, in which moments are written in UTC, with each of them in the viewer's zone, as all others of a page. */
export const localMoments = (text: string): Html =>
  html`${told(text)
    .split(/(\d{4}-\d\d-\d\d \d\d:\d\d) UTC/)
    .map((part, at) => {
      if (at % 2 === 0) return part;
      const iso = `${part.replace(' ', 'T')}:00Z`;
      return Number.isNaN(Date.parse(iso)) ? `${part} UTC` : time(iso);
    })}`;

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
