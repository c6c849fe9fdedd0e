import { escapeText } from '../core/escape.ts';

/** A text from outside as it stands in HTML: markup, control and bidirectional characters made harmless. */
export function html(text: string): string {
  return escapeText(text).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A part of a bar: its width in percent, and what it stands for. */
export interface BarPart {
  kind: 'good' | 'bad' | 'late';
  percent: number;
  title: string;
}

/** A bar; what its parts leave is nobody. */
export function bar(parts: readonly BarPart[]): string {
  const inside = parts
    .filter(({ percent }) => percent > 0)
    .map(
      ({ kind, percent, title }) =>
        `<i class="${kind}" style="width:${percent.toFixed(2)}%" title="${html(title)}"></i>`,
    );
  return `<span class="bar">${inside.join('')}</span>`;
}

/** One whole page that needs nothing else: no script, no request. `body` is HTML. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin: 2.5rem 0 0; } h3 { margin: 1.5rem 0 .25rem; font-size: 1rem; }
table { border-collapse: collapse; width: 100%; } td, th { padding: .25rem .5rem; text-align: left; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; } tr { border-bottom: 1px solid #8884; }
.bar { display: flex; height: 1rem; min-width: 8rem; background: #8883; border-radius: .25rem; overflow: hidden; }
.bar i { display: block; } .good { background: #2a7d4f; } .bad { background: #c2572b; } .late { background: #b8912b; }
.small { color: #888; font-size: .875rem; }
@media print { body { margin: 0; max-width: none; } }
</style>
</head>
<body>
${body}
</body>
</html>
`;
}
