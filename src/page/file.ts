// A page that is a file: it needs nothing else, no script and no request, and is written piece by piece.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Html, html } from '../core/text/html.ts';
import { hatch } from './layout.ts';
import { type Heading, table } from './parts.ts';

/** The most rows that a browser handles well. */
export const mostRows = 10_000;

/** What stands before and after its content. */
export function filePage(title: string): [before: string, after: string] {
  const content = html`<!-- content -->`;
  const whole = html`<!doctype html>
    <html lang="en">
      <head>
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
      </head>
      <body>
        <main class="wide">${content}</main>
        ${hatch}
      </body>
    </html>`;
  return around(whole, content);
}

/** A table whose rows come one by one: what stands before and after them. */
export const longTable = (caption: string, headings: readonly Heading[]): [before: string, after: string] => {
  const rows = html`<!-- rows -->`;
  return around(table(caption, headings, [rows]), rows);
};

function around(whole: Html, part: Html): [before: string, after: string] {
  const [before = '', after = ''] = String(whole).split(String(part));
  return [`${before}\n`, `\n${after}\n`];
}
