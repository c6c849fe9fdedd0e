// Builds an HTML page without scripts or requests, and escapes what goes into it.
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
    ${style}
  </head>`;
  return `<!doctype html>\n<html lang="en">\n${String(head)}\n<body>\n`;
}

/** What stands after it. */
export const endPage = '</body>\n</html>\n';

const styles = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif;
  --paper: #fff; --ink: #1c2430; --quiet: #5b6675; --line: #dfe3e8; --card: #f5f7f9;
  --good: #2a7d4f; --bad: #b3401f; --late: #8a6410; --odd: #6b4aa0; --idle: #a9b2bd; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181e; --ink: #e4e8ed; --quiet: #9aa5b3; --line: #2c343e; --card: #1c222a;
  --good: #57b884; --bad: #e8805c; --late: #d6ab4a; --odd: #b79ae0; --idle: #5b6675; } }
* { box-sizing: border-box; }
body { max-width: 72rem; margin: 2rem auto 4rem; padding: 0 1rem; background: var(--paper); color: var(--ink); overflow-wrap: anywhere; }
h1 { margin: 0 0 .25rem; font-size: 1.75rem; line-height: 1.25; } h2 { margin: 2.5rem 0 .5rem; font-size: 1.25rem; }
h3 { margin: 1.5rem 0 .25rem; font-size: 1rem; }
table { border-collapse: collapse; width: 100%; } td, th { padding: .3rem .6rem .3rem 0; text-align: left; vertical-align: top; }
th { font-weight: 600; font-size: .8125rem; color: var(--quiet); } tr { border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; overflow-wrap: normal; }
.bar { display: flex; height: .875rem; min-width: 8rem; background: var(--line); border-radius: .25rem; overflow: hidden; }
.bar i { display: block; min-width: 2px; } .good { background: var(--good); } .bad { background: var(--bad); } .late { background: var(--late); }
.odd { background: var(--odd); } .idle { background: var(--idle); } .small { color: var(--quiet); font-size: .875rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem; margin: 1.5rem 0; }
.tile { padding: .75rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
.tile b { display: block; font-size: 1.5rem; line-height: 1.2; font-variant-numeric: tabular-nums; } .tile span { color: var(--quiet); font-size: .875rem; }
.state { display: inline-block; padding: .1rem .6rem; border-radius: 1rem; color: #fff; font-size: .875rem; font-weight: 600; vertical-align: .2em; }
.key { display: inline-block; width: .75rem; height: .75rem; margin: 0 .25rem 0 .75rem; border-radius: .2rem; vertical-align: -.05rem; }
.key:first-child { margin-left: 0; } .commands td { border: 0; padding-top: .1rem; padding-bottom: .1rem; } .facts td:first-child { width: 9rem; color: var(--quiet); white-space: nowrap; }
code { font: .875em ui-monospace, monospace; } .scroll { overflow-x: auto; overflow-wrap: break-word; }
.scroll td.t { min-width: 8rem; max-width: 22rem; } .scroll td.b { width: 35%; min-width: 6rem; vertical-align: middle; }
.people td { font-size: .8125rem; } .people td.t { max-width: 16rem; } .people code { display: block; width: 8.5rem; overflow-wrap: anywhere; }
.people tr.more { border-bottom-color: transparent; } .mark { padding: 0 .35rem; border-radius: .25rem; color: #fff; white-space: nowrap; }
@media (prefers-color-scheme: dark) { .state, .mark { color: #14181e; } .state.idle, .mark.idle { color: #e4e8ed; } }
@media print { body { margin: 0; max-width: none; font-size: 10pt; } .tile, tr, h2 { break-inside: avoid; } h2 { break-after: avoid; }
  thead { display: table-header-group; } .bar, .bar i, .state, .mark, .key { print-color-adjust: exact; -webkit-print-color-adjust: exact; } .scroll { overflow: visible; } }
`;
const style = new Html(`<style>\n${styles}</style>`);
