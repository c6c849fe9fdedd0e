// A page that is a file, such as a plan: no script, no request, written piece by piece.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Html } from '../core/text/format.ts';
import { hatch } from './layout.ts';
import { type Heading, lineByLine, pill, row, table } from './parts.ts';
import type { PlanRow, PlanSource } from '../report/plan/plan-row.ts';
import { nameCell, planned } from './people-table.ts';
import { figure, html, language, t } from './words.ts';

/** The most rows that a browser handles well. */
export const mostRows = 10_000;

/** What stands before and after its content. */
export function filePage(title: string): [before: string, after: string] {
  const content = html`<!-- content -->`;
  const whole = html`<!doctype html>
    <html lang="${language()}">
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

export async function* planHtml({ title, sentences, rows }: PlanSource): AsyncGenerator<string> {
  const [before, after] = filePage(title);
  yield before;
  yield String(
    html`<h1>${title}</h1>
      ${sentences.map((sentence) => html`<p>${sentence}</p>`)}`,
  );
  const headings = [t('Person'), t('What'), t('Groups'), t('Why'), t('Held by'), { n: t('Line') }];
  const [head, end] = longTable(t('People'), headings);
  yield head;
  let count = 0;
  for await (const person of rows) {
    count += 1;
    if (count <= mostRows) yield `${String(rowHtml(person))}\n`;
  }
  if (count === 0) {
    yield String(
      html`<tr>
        <td colspan="6">Nobody.</td>
      </tr>`,
    );
  }
  yield end;
  if (count > mostRows) {
    yield `${String(
      html`<p class="small">
        The first ${figure(mostRows)} of ${figure(count)}; a file that ends in .csv, .xlsx or .json has all.
      </p>`,
    )}\n`;
  }
  yield after;
}

function rowHtml(person: PlanRow): Html {
  const { kind, groups, changes, why, heldBy, line, column, value } = person;
  const isReject = kind === 'reject';
  const cell = { firstname: column === '' ? t('the row') : column, lastname: '', email: value };
  return row(
    nameCell(isReject ? cell : person),
    isReject ? pill(t('Rejected'), 'bad') : pill(t(planned[kind][0]), planned[kind][1]),
    lineByLine(groups),
    lineByLine([...changes, why]),
    heldBy.join(', '),
    { n: line },
  );
}
