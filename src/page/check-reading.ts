// How a file was read: the oddest of its names, and what can be said if they look wrong.
import { html, type Html } from '../core/text/html.ts';
import type { CheckReading, CheckView } from '../intake/check-view.ts';
import { note } from './parts.ts';

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
  const options = all.map(
    ({ encoding, names }) =>
      html`<label class="option"
        ><input
          type="radio"
          name="encoding"
          value="${encoding}"
          ${encoding === now && html` checked`}
        />${names.join(' · ')}<span>${encoding}</span></label
      >`,
  );
  const found = given.encoding === undefined ? read?.encoding : undefined;
  return html`<fieldset>
    <legend class="small">Which line is right?</legend>
    ${found !== undefined && html`<input type="hidden" name="encoding.found" value="${found}" />`} ${options}
  </fieldset>`;
}

function sheets({ sheets, given }: CheckView): Html {
  const options = sheets.map(
    ({ name, words }) =>
      html`<label class="option"
        ><input type="radio" name="sheet" value="${name}" ${name === given.sheet && html` checked`} />${name}<span
          >${words}</span
        ></label
      >`,
  );
  return html`<fieldset>
    <legend class="small">On which sheet are the people?</legend>
    ${options}
  </fieldset>`;
}

function others({ given, readings, sheets, read }: CheckView): Html {
  const isText = read === undefined || read.format === 'csv';
  const field = (name: keyof CheckView['given'], label: string, more: Html): Html =>
    html`<div class="field">
      <label for="${name}">${label}</label
      ><input
        type="text"
        id="${name}"
        name="${name}"
        value="${given[name] ?? ''}"
        maxlength="100"
        autocomplete="off"
        ${more}
      />
    </div>`;
  return html`<div class="row">
    ${isText && readings.length === 0 && field('encoding', 'Encoding', html` placeholder="detected"`)}
    ${
      isText &&
      html`<div class="field">
        <label for="delimiter">Between fields</label
        ><select id="delimiter" name="delimiter">
          <option value="">detected</option>
          ${Object.entries(delimiters).map(([sign, words]) => html`<option value="${words}" ${sign === given.delimiter && html` selected`}>${words}</option>`)}
        </select>
      </div>`
    }
    ${!isText && sheets.length === 0 && field('sheet', 'Sheet', html``)}
    ${field('headerLine', 'Headings in line', html` inputmode="numeric" placeholder="detected"`)}
  </div>`;
}

/** The sign between fields that a form names; undefined to have it found. */
export function delimiterNamed(words: string): string | undefined {
  return Object.entries(delimiters).find(([, each]) => each === words)?.[0];
}
