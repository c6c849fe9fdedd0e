// The file of an upload: how it was read, what each column becomes and why, and what can be changed.
import type { Html } from '../core/text/format.ts';
import type { CheckReading, CheckView, CheckColumn } from '../intake/check-view.ts';
import { choice, field, fixedTable, note, option } from './parts.ts';
import type { ColumnUse } from '../core/mapping/column-uses.ts';
import { told } from './told.ts';
import { html, language, t, words } from './words.ts';

const delimiters: Record<string, string> = {
  ',': words('commas'),
  ';': words('semicolons'),
  '\t': words('tabs'),
  '|': words('vertical bars'),
};

export function reading(view: CheckView): Html {
  const { read, names, readNotes } = view;
  return html`<section id="reading">
    <h2>Names</h2>
    ${names.length > 0 && html`<p class="names">${names.join(' · ')}</p>`}
    <p class="small quiet">${names.length > 0 && t('Do these names look right?')} ${read && sentence(read)}</p>
    ${readNotes.map((text) => note(text, ''))}
    <details ${read === undefined && html` open`}>
      <summary>${t(read === undefined ? 'How it is written' : 'They look wrong')}</summary>
      ${view.readings.length > 0 && encodings(view)} ${view.sheets.length > 0 && sheets(view)} ${others(view)}
      <button name="do" value="again">Read it again</button>
    </details>
  </section>`;
}

function sentence({ format, encoding, delimiter, headerLine, part }: CheckReading): string {
  const sign = delimiters[delimiter];
  const signs = sign === undefined ? `“${delimiter}”` : t(sign);
  const said = [
    t('Read as {format}', 1, { format: (format === 'csv' ? encoding : format).toUpperCase() }),
    ...(part === undefined ? [] : [part]),
    ...(format === 'csv' ? [t('fields between {signs}', 1, { signs })] : []),
    ...(headerLine > 0 ? [t('headings in line {line}', 1, { line: headerLine })] : []),
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
    choice({ type: 'radio', name: 'sheet', value: name, isOn: name === given.sheet }, name, told(words)),
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
    ${isText && readings.length === 0 && how('encoding', t('Encoding'), { placeholder: t('detected') })}
    ${
      isText &&
      html`<div class="field">
        <label for="delimiter">Between fields</label
        ><select id="delimiter" name="delimiter">
          <option value="">detected</option>
          ${Object.entries(delimiters).map(([sign, words]) => option(words, t(words), sign === given.delimiter))}
        </select>
      </div>`
    }
    ${!isText && sheets.length === 0 && how('sheet', t('Sheet'))}
    ${how('headerLine', t('Headings in line'), { inputmode: 'numeric', placeholder: t('detected') })}
  </div>`;
}

/** The sign between fields that a form names; undefined to have it found. */
export function delimiterNamed(words: string): string | undefined {
  return Object.entries(delimiters).find(([, each]) => each === words)?.[0];
}

const uses: readonly [use: ColumnUse, words: string][] = [
  ['', words('Not sent')],
  ['firstname', words('First name')],
  ['lastname', words('Last name')],
  ['fullname:First Last', words('Whole name, first name first')],
  ['fullname:Last First', words('Whole name, last name first')],
  ['fullname', words('Whole name, by its comma')],
  ['email', words('E-mail')],
  ['telephone', words('Telephone')],
  ['employeeId', words('Employee number')],
  ['group', words('Group')],
  ['mark', words('Group of those with a mark')],
  ['startDate', words('First day')],
  ['startDate:dmy', words('First day, day before month')],
  ['startDate:mdy', words('First day, month before day')],
];

export function checkColumns({ columns }: CheckView): Html {
  const used = columns.filter(({ use }) => use !== '').length;
  const headings = [t('In the file'), t('Becomes'), t('Why')];
  return html`<section id="columns">
    <h2>
      Columns<small
        >${t('{used} of [1 column|# columns] are used.', columns.length, { used })} Change what is wrong<noscript
          >, then work it out again</noscript
        >.</small
      >
    </h2>
    ${fixedTable(t('Columns of the file'), headings, columns.map(line), 'columns-table')}
  </section>`;
}

/** The options of every column, made once for each that is selected, by language: a file may have 10,000 columns. */
const usualOptions = (use: string): Html => {
  const selected = uses.some(([value]) => value === use) ? use : 'none';
  const key = `${language()} ${selected}`;
  const made =
    madeOptions.get(key) ?? html`${uses.map(([value, words]) => option(value, t(words), value === selected))}`;
  madeOptions.set(key, made);
  return made;
};
const madeOptions = new Map<string, Html>();

function line({ index, name, samples, use, why, doubt, more }: CheckColumn): Html {
  const shown = name === '' ? t('Column {number}', 1, { number: index + 1 }) : name;
  const others = more.filter((each) => !uses.some(([usual]) => usual === each.use));
  return html`<tr ${doubt !== undefined && html` class="doubtful"`}>
    <th scope="row"><b>${shown}</b><span class="samples">${samples.join(', ')}</span></th>
    <td>
      <select name="column.${index}" aria-label="${shown} becomes">
        ${usualOptions(use)} ${others.map((each) => option(each.use, told(each.words), each.use === use))}
      </select>
    </td>
    <td class="why">${doubt !== undefined && html`<b>${told(doubt)}</b>`}${told(why)}</td>
  </tr>`;
}
