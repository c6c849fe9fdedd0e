// What pages are made of: pills, bars, stats, tables, notes and links to pages.
import { html, type Html, type HtmlPart } from '../core/text/html.ts';
import { figure, moment } from '../core/text/figures.ts';
import type { RunReport } from '../report/run/run-report.ts';

/** What a colour stands for; `edge` and `mute` stand for nothing in particular. */
export type Tone = 'ok' | 'warn' | 'bad' | 'live' | 'edge' | 'mute';

/** A state in one word. */
export function pill(word: string, tone: Tone = 'mute'): Html {
  return html`<span class="pill ${tone}">${word}</span>`;
}

const states: Record<RunReport['status'], [string, Tone]> = {
  planning: ['Reading', 'live'],
  delivering: ['Sending', 'live'],
  held: ['Held', 'warn'],
  paused: ['Paused', 'bad'],
  halted: ['Halted', 'bad'],
  finished: ['Done', 'ok'],
  'finished-with-failures': ['Not all sent', 'bad'],
  cancelled: ['Cancelled', 'mute'],
  failed: ['Failed', 'bad'],
};

/** The state of a run; `delivering` is said only where somebody delivers. */
export function statePill({ status, isAbandoned }: Pick<RunReport, 'status' | 'isAbandoned'>): Html {
  const [word, tone] = isAbandoned ? (['Interrupted', 'bad'] as const) : states[status];
  return pill(word, tone);
}

/** A part of a bar: how many, of what. */
export interface Share {
  tone: Tone;
  value: number;
  words: string;
}

/** A bar with its legend in numbers; parts of nobody are left out. */
export function bar(shares: readonly Share[]): Html {
  const present = shares.filter(({ value }) => value > 0);
  const total = present.reduce((sum, { value }) => sum + value, 0);
  let at = 0;
  const rects = present.map(({ tone, value }) => {
    const width = (value / total) * 100;
    at += width;
    return html`<rect
      class="fill-${tone}"
      x="${(at - width).toFixed(3)}%"
      width="${width.toFixed(3)}%"
      height="100%"
    />`;
  });
  const told = present.map(({ value, words }) => `${figure(value)} ${words}`).join(', ');
  const legend = present.map(
    ({ tone, value, words }) =>
      html`<li>
        <svg aria-hidden="true"><rect class="fill-${tone}" width="10" height="10" rx="2" /></svg>${figure(value)}
        ${words}
      </li>`,
  );
  return html`<svg class="bar" role="img" aria-label="${told}">${rects}</svg>
    <ul class="legend">
      ${legend}
    </ul>`;
}

/** Numbers with their words, at most four. */
export function stats(values: readonly (readonly [value: number, words: string])[]): Html {
  return html`<div class="stats">
    ${values.map(([value, words]) => html`<div><b>${figure(value)}</b><span>${words}</span></div>`)}
  </div>`;
}

/** A heading of a column; `n` for figures, `late` for figures that a phone leaves out. */
export type Heading = string | { n: string } | { late: string };

/** A table with a caption for who cannot see it; each row is a finished `<tr>`. */
export function table(caption: string, headings: readonly Heading[], rows: readonly Html[]): Html {
  const heads = headings.map((heading) => {
    if (typeof heading === 'string') return html`<th scope="col">${heading}</th>`;
    if ('n' in heading) return html`<th scope="col" class="n">${heading.n}</th>`;
    return html`<th scope="col" class="n late">${heading.late}</th>`;
  });
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${caption}">
    <table>
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
    </table>
  </div>`;
}

/** A finding, and what follows from it. */
export function note(finding: string, consequence: HtmlPart, tone: 'warn' | 'bad' | 'ok' = 'warn'): Html {
  return html`<div class="note ${tone}">
    <p><b>${finding}</b></p>
    <p class="small quiet">${consequence}</p>
  </div>`;
}

/** A form that does one thing at once. */
export function deed(action: string, word: string, kind: '' | 'danger' | 'dark' = ''): Html {
  return html`<form method="post" action="${action}"><button${kind !== '' && html` class="${kind}"`}>${word}</button></form>`;
}

/** A moment, exact to the minute, in the zone of the server; scripts of readers find the exact one in it. */
export function time(iso: string): Html {
  return html`<time datetime="${iso}">${moment(iso)}</time>`;
}

/** Which part of a list is shown, and the way to the next. */
export function pages({
  from,
  shown,
  total,
  next,
}: {
  from: number;
  shown: number;
  total?: number;
  next?: string;
}): Html {
  const of = total === undefined ? '' : ` of ${figure(total)}`;
  const range = shown === 0 ? 'Nobody' : `${figure(from + 1)}–${figure(from + shown)}${of}`;
  return html`<p class="pages">
    <span>${range}</span>${next !== undefined && html`<a href="${next}" rel="next">Next</a>`}
  </p>`;
}
