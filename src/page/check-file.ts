// The file of an upload: how it was read, what each column becomes and why, and what can be changed.
import { html, type Html, count } from '../core/text/format.ts';
import type { CheckReading, CheckView, CheckColumn } from '../intake/check-view.ts';
import { choice, field, fixedTable, note, option } from './parts.ts';
import type { ColumnUse } from '../core/mapping/column-uses.ts';

const delimiters: Record<string, string> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

export function reading(view: CheckView): Html {
  const { read, names, readNotes } = view;
  return html`<section id="reading">
    <h2>Names</h2>
    ${names.length > 0 && html`<p class="names">${names.join(' · ')}</p>`}
    <p class="small quiet">${names.length > 0 && 'Do these names look right? '}${read && sentence(read)}</p>
    ${readNotes.map((text) => note(text, ''))}
    <details ${read === undefined && html` open`}>
      <summary>${read === undefined ? 'How it is written' : 'They look wrong'}</summary>
      ${view.readings.length > 0 && encodings(view)} ${view.sheets.length > 0 && sheets(view)} ${others(view)}
      <button name="do" value="again">Read it again</button>
    </details>
  </section>`;
}

function sentence({ format, encoding, delimiter, headerLine, part }: CheckReading): string {
  const said = [
    format === 'csv' ? `Read as ${encoding.toUpperCase()}` : `Read as ${format.toUpperCase()}`,
    ...(part === undefined ? [] : [part]),
    ...(format === 'csv' ? [`fields between ${delimiters[delimiter] ?? `“${delimiter}”`}`] : []),
    ...(headerLine > 0 ? [`headings in line ${headerLine}`] : []),
  ];
  return `${said.join(', ')}.`;
}

function encodings({ readings, given, read, names }: CheckView): Html {
  const now = given.encoding ?? read?.encoding;
  const all = [...(read ? [{ encoding: read.encoding, names }] : []), ...readings];
  const options = all.map(({ encoding, names }) =>
    choice({ type: 'radio', name: 'encoding', value: encoding, isOn: encoding === now }, names.join(' · '), encoding),
  );
  const found = given.encoding === undefined ? read?.encoding : undefined;
  return html`<fieldset>
    <legend class="small">Which line is right?</legend>
    ${found !== undefined && html`<input type="hidden" name="encoding.found" value="${found}" />`} ${options}
  </fieldset>`;
}

function sheets({ sheets, given }: CheckView): Html {
  const options = sheets.map(({ name, words }) =>
    choice({ type: 'radio', name: 'sheet', value: name, isOn: name === given.sheet }, name, words),
  );
  return html`<fieldset>
    <legend class="small">On which sheet are the people?</legend>
    ${options}
  </fieldset>`;
}

function others({ given, readings, sheets, read }: CheckView): Html {
  const isText = read === undefined || read.format === 'csv';
  const how = (name: keyof CheckView['given'], label: string, more: Record<string, string> = {}): Html =>
    field(name, label, { value: given[name] ?? '', maxlength: '100', ...more });
  return html`<div class="row">
    ${isText && readings.length === 0 && how('encoding', 'Encoding', { placeholder: 'detected' })}
    ${
      isText &&
      html`<div class="field">
        <label for="delimiter">Between fields</label
        ><select id="delimiter" name="delimiter">
          <option value="">detected</option>
          ${Object.entries(delimiters).map(([sign, words]) => option(words, words, sign === given.delimiter))}
        </select>
      </div>`
    }
    ${!isText && sheets.length === 0 && how('sheet', 'Sheet')}
    ${how('headerLine', 'Headings in line', { inputmode: 'numeric', placeholder: 'detected' })}
  </div>`;
}

/** The sign between fields that a form names; undefined to have it found. */
export function delimiterNamed(words: string): string | undefined {
  return Object.entries(delimiters).find(([, each]) => each === words)?.[0];
}

const uses: readonly [use: ColumnUse, words: string][] = [
  ['', 'Not sent'],
  ['firstname', 'First name'],
  ['lastname', 'Last name'],
  ['fullname:First Last', 'Whole name, first name first'],
  ['fullname:Last First', 'Whole name, last name first'],
  ['fullname', 'Whole name, by its comma'],
  ['email', 'E-mail'],
  ['telephone', 'Telephone'],
  ['employeeId', 'Employee number'],
  ['group', 'Group'],
  ['mark', 'Group of those with a mark'],
  ['startDate', 'First day'],
  ['startDate:dmy', 'First day, day before month'],
  ['startDate:mdy', 'First day, month before day'],
];

export function checkColumns({ columns }: CheckView): Html {
  const used = columns.filter(({ use }) => use !== '').length;
  return html`<section id="columns">
    <h2>
      Columns<small
        >${used} of ${count(columns.length, 'column')} are used. Change what is wrong<noscript
          >, then work it out again</noscript
        >.</small
      >
    </h2>
    ${fixedTable('Columns of the file', ['In the file', 'Becomes', 'Why'], columns.map(line), 'columns-table')}
  </section>`;
}

/** The options that every column has, made once for each that is selected: a file may have ten thousand columns. */
const usualOptions = (use: string): Html => {
  const selected = uses.some(([value]) => value === use) ? use : 'none of these';
  const made =
    madeOptions.get(selected) ?? html`${uses.map(([value, words]) => option(value, words, value === selected))}`;
  madeOptions.set(selected, made);
  return made;
};
const madeOptions = new Map<string, Html>();

function line({ index, name, samples, use, why, doubt, more }: CheckColumn): Html {
  const shown = name === '' ? `Column ${index + 1}` : name;
  const others = more.filter((each) => !uses.some(([usual]) => usual === each.use));
  return html`<tr ${doubt !== undefined && html` class="doubtful"`}>
    <th scope="row"><b>${shown}</b><span class="samples">${samples.join(', ')}</span></th>
    <td>
      <select name="column.${index}" aria-label="${shown} becomes">
        ${usualOptions(use)} ${others.map((each) => option(each.use, each.words, each.use === use))}
      </select>
    </td>
    <td class="why">${doubt !== undefined && html`<b>${doubt}</b>`}${why}</td>
  </tr>`;
}
