// Changing cells of an upload before it is sent: the form of a row, and what was changed, each with a way back.
import { escapeText, type Html } from '../core/text/format.ts';
import { choice, deed, field, hidden, lines, option, row, table, wrong } from './parts.ts';
import { stepper } from './import.ts';
import { count, figure, html, t, words } from './words.ts';

/** The most characters of a cell that is changed here. */
export const mostOfCell = 1000;

interface RowView {
  upload: string;
  fileName: string;
  line: number;
  /** What goes with the form: the row, and which part of the list of people it was in. */
  fields: Readonly<Record<string, string>>;
  cells: readonly { place: number; heading: string; now: string; inFile: string; isShort: boolean }[];
}

/** A text of a cell as its field shows it, and sends it if nobody touches it. */
export function inField(cell: string): string {
  if (!cell.includes('\n')) return escapeText(cell);
  const parts = cell.replaceAll('\r\n', '\n').split(/([\n\t])/);
  return parts.map((part, at) => (at % 2 === 0 ? escapeText(part) : part)).join('');
}

const kept = words(
  'Your file stays as it is: changes are kept with this import, and listed with its run. Nothing is sent.',
);

export function changeRow({ upload, fileName, line, fields, cells }: RowView): Html {
  return html`${stepper('people', upload)}
    <h1>${rowTitle(line)}</h1>
    <p class="lead">${fileName}. ${t(kept)}</p>
    <form method="post" action="/import/${upload}/correct">
      ${hidden(fields)} ${cells.map(cellField)}
      ${choice(
        { type: 'checkbox', name: 'everywhere', isOn: false },
        t('In every row'),
        t(
          'Each other row that holds the same in a column that you change here is changed, too: of an empty cell, every empty cell.',
        ),
      )}
      <div class="row">
        <button class="dark" data-busy="Working it out …">Save the row</button
        ><a class="button" href="/import/${upload}/people">Back to everybody</a>
      </div>
    </form>`;
}

export const rowTitle = (line: number): string => t('Change line {line}', 1, { line: figure(line) });

function cellField({ place, heading, now, inFile, isShort }: RowView['cells'][number]): Html {
  const name = `cell.${place}`;
  const said = t(inFile === '' ? 'In the file: nothing' : 'In the file: “{text}”', 1, { text: inFile });
  const hint = now === inFile ? undefined : said;
  if (!isShort)
    return html`<div class="field">
      <p class="small"><b>${heading}</b></p>
      <p class="small quiet">It is too long to be changed here.</p>
    </div>`;
  if (!now.includes('\n'))
    return field(name, heading, { value: now, maxlength: String(mostOfCell) }, hint === undefined ? {} : { hint });
  // The first line break in it is not read.
  return html`<div class="field">
    <label for="${name}">${heading}</label>
    ${hint !== undefined && html`<p class="small quiet">${hint}</p>`}
    <textarea id="${name}" name="${name}" rows="3" maxlength="${mostOfCell}">${lines(`\n${now}`)}</textarea>
  </div>`;
}

export const changesTitle = words('What you changed');

interface Change {
  /** Both absent or null for every row. */
  file?: string | null;
  line?: number | null;
  column: string;
  was: string;
  value: string;
  cells: number;
}

interface ChangesView {
  upload: string;
  fileName: string;
  /** The columns by their names, in their order. */
  columns: readonly string[];
  /** Each with what it is taken back by. */
  changes: readonly (Change & { key: string })[];
  said?: string;
  /** What somebody asked for that could not be done, and why. */
  tried?: Record<'column' | 'was' | 'value' | 'problem', string>;
}

export function changesPage({ upload, fileName, columns, changes, said, tried }: ChangesView): Html {
  const action = `/import/${upload}/correct`;
  const cells = changes.reduce((sum, each) => sum + each.cells, 0);
  const done = cells === 0 ? t('Nothing is changed so far') : `${fileName}, ${count(cells, 'cell')}`;
  const { column: chosen = '', was = '', value = '', problem } = tried ?? {};
  return html`${stepper('people', upload)}
    <h1>${t(changesTitle)}</h1>
    <p class="lead">${done}. ${t(kept)}</p>
    ${said !== undefined && html`<div class="note ok" role="status" tabindex="-1" autofocus><p>${said}</p></div>`}
    ${
      changes.length > 0 &&
      changesTable(changes, ({ key }) => deed(action, t('Undo'), 'slim', { undo: key, to: 'changes' }))
    }
    <h2>Replace a value in a column</h2>
    <form method="post" action="${action}">
      ${hidden({ to: 'changes' })} ${problem !== undefined && wrong(problem)}
      <div class="field">
        <label for="place">Column</label>
        <select id="place" name="place">
          ${columns.map((column, at) => option(String(at), column, String(at) === chosen))}
        </select>
      </div>
      ${field(
        'was',
        t('What it holds now'),
        { value: was, maxlength: String(mostOfCell) },
        { isMarked: problem !== undefined, hint: t('The whole cell. Leave it empty to fill empty cells.') },
      )}
      ${field('value', t('What it becomes'), { value, maxlength: String(mostOfCell) })}
      <div class="row">
        <button data-busy="Working it out …">Replace in every row</button
        ><a class="button" href="/import/${upload}/people">Back to everybody</a>
      </div>
    </form>`;
}

/** Cells that somebody changed, each with what takes it back, where that can be done. */
export function changesTable<Of extends Change>(changes: readonly Of[], undo?: (change: Of) => Html): Html {
  const isOfSeveral = new Set(changes.flatMap(({ file }) => file ?? [])).size > 1;
  const rows = changes.map((change) => {
    const { file, line, column, was, value, cells } = change;
    const where =
      line === undefined || line === null
        ? t('Every row: [1 cell|# cells]', cells)
        : t('Line {line}', 1, { line: figure(line) });
    return row(
      html`<b>${where}</b>${isOfSeveral && html`<br /><span class="small quiet">${file ?? ''}</span>`}<br />${column}`,
      html`<del><span class="hidden">was </span>${was || t('empty')}</del> →
        <ins><span class="hidden">becomes </span>${value || t('empty')}</ins>`,
      ...(undo ? [{ act: undo(change) }] : []),
    );
  });
  const headings = [t('Row and column'), t('Change'), ...(undo ? [{ unseen: t('Undo') }] : [])];
  return table(t('Changed cells'), headings, rows);
}
