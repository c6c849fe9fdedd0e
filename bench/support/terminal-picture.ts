/** A piece of a line with one look: its first column, its text, and the SGR codes in force. */
interface Run {
  column: number;
  text: string;
  look: string;
}

/** What stands in one cell of the screen. */
interface Cell {
  sign: string;
  look: string;
}

const ground = '#0d1117';
/** The colours of `src/report/terminal/style.ts` on a dark ground. */
const inks: Record<string, string> = { '31': '#ff7b72', '32': '#3fb950', '33': '#d29922' };
const sign = { width: 7.8, height: 18, size: 13 };
const margin = { side: 18, top: 46, bottom: 18 };

/** The lines that a terminal shows at the end of `output`: line breaks, returns, erased lines and colours are applied. */
function screenOf(output: string): Cell[][] {
  const lines: Cell[][] = [[]];
  let row = 0;
  let column = 0;
  let look = '';
  // An escape sequence with its arguments and its letter, or one character.
  // oxlint-disable-next-line no-control-regex -- a terminal is controlled by these
  for (const [whole, args, letter] of output.matchAll(/\u001b\[\??([\d;]*)([A-Za-z])|\u001b[78]|[^]/gu)) {
    const line = (lines[row] ??= []);
    if (letter === 'm') look = args === '' || args === '0' ? '' : /^(22|39)$/.test(args ?? '') ? '' : `${look} ${args}`;
    else if (letter === 'K' || letter === 'J') line.splice(args === '2' ? 0 : column);
    else if (letter === 'G') column = Math.max(Number(args) - 1, 0);
    else if (letter === 'A') row = Math.max(row - Number(args || 1), 0);
    else if (whole === '\n') row += 1;
    else if (whole === '\r') column = 0;
    else if (!whole.startsWith('\u001b')) {
      while (line.length < column) line.push({ sign: ' ', look: '' });
      line[column] = { sign: whole, look };
      column += 1;
    }
  }
  return lines;
}

/** The runs of a line; several spaces end one, so that nothing depends on how spaces are drawn. */
function runsOf(line: readonly Cell[]): Run[] {
  const runs: Run[] = [];
  for (const [column, { sign: text, look }] of line.entries()) {
    const last = runs.at(-1);
    if (last && last.look === look && !(text === ' ' && last.text.endsWith(' '))) last.text += text;
    else runs.push({ column, text, look });
  }
  return runs
    .map(({ column, text, look }) => ({
      column: column + text.length - text.trimStart().length,
      text: text.trim(),
      look,
    }))
    .filter(({ text }) => text !== '');
}

function styleOf(look: string): string {
  const codes = look.split(' ');
  const ink = codes.map((code) => inks[code]).findLast((found) => found !== undefined);
  return [
    ...(ink === undefined ? [] : [` fill="${ink}"`]),
    ...(codes.includes('1') ? [' font-weight="bold"'] : []),
    ...(codes.includes('2') ? [' opacity="0.65"'] : []),
  ].join('');
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * An SVG of a terminal window that shows `command` and what it printed. It has a dark ground of its own, so it is readable
 * on light and dark pages. Each run of text has its place and length, so that columns stay columns in any font.
 */
export function pictureOf(command: string, output: string, columns: number): string {
  const lines = screenOf(`\u001b[1m$ ${command}\u001b[0m\r\n${output.trimEnd()}`);
  const width = Math.ceil(columns * sign.width + 2 * margin.side);
  const height = margin.top + lines.length * sign.height + margin.bottom;
  const texts = lines.flatMap((line, row) =>
    runsOf(line).map(({ column, text, look }) => {
      const x = (margin.side + column * sign.width).toFixed(1);
      const y = margin.top + (row + 0.75) * sign.height;
      const length = (text.length * sign.width).toFixed(1);
      return `<text x="${x}" y="${y}" textLength="${length}"${styleOf(look)}>${escaped(text)}</text>`;
    }),
  );
  const lights = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, at) => `<circle cx="${margin.side + 4 + at * 20}" cy="20" r="6" fill="${fill}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(command)}</title>`,
    `<rect width="${width}" height="${height}" rx="10" fill="${ground}"/>`,
    ...lights,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${sign.size}" fill="#e6edf3">`,
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}
