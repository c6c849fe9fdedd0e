// Builds an HTML page without scripts or requests, and escapes what goes into it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Html, html } from '../../core/text/html.ts';

/** A part of a bar: its width in percent, and what it stands for. */
export interface BarPart {
  kind: 'good' | 'bad' | 'late' | 'odd' | 'idle';
  percent: number;
  title: string;
}

export function bar(parts: readonly BarPart[]): Html {
  const inside = parts
    .filter(({ percent }) => percent > 0)
    .map(
      ({ kind, percent, title }) => html`<i class="${kind}" style="width:${percent.toFixed(2)}%" title="${title}"></i>`,
    );
  return html`<span class="bar">${inside}</span>`;
}

export function lineByLine(texts: readonly string[]): Html {
  return html`${texts.map((text, at) => (at === 0 ? text : html`<br />${text}`))}`;
}

/** What stands before the body of a page that needs nothing else: no script, no request. It is written piece by piece. */
export function beginPage(title: string): string {
  const head = html`<head>
    <meta charset="utf-8" />
    <meta
      http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <meta name="referrer" content="no-referrer" />
    <title>${title}</title>
    <style>
      ${new Html(readFileSync(join(import.meta.dirname, 'page.css'), 'utf8'))}
    </style>
  </head>`;
  return `<!doctype html>\n<html lang="en">\n${String(head)}\n<body>\n`;
}

/** What stands after it. */
export const endPage = '</body>\n</html>\n';
