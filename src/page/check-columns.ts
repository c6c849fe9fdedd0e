// The columns of a file: what each becomes, to change by a select, and why.
import { count } from '../core/text/figures.ts';
import { html, type Html } from '../core/text/html.ts';
import type { ColumnUse } from '../core/mapping/column-uses.ts';
import type { CheckColumn, CheckView } from '../intake/check-view.ts';

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
        >${used} of ${count(columns.length, 'column')} are used. Change what is wrong, then work it out again.</small
      >
    </h2>
    <table class="columns-table">
      <caption class="hidden">
        Columns of the file
      </caption>
      <thead>
        <tr>
          <th scope="col">In the file</th>
          <th scope="col">Becomes</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        ${columns.map(line)}
      </tbody>
    </table>
  </section>`;
}

const option = (value: string, words: string, selected: string): Html =>
  html`<option value="${value}" ${value === selected && html` selected`}>${words}</option>`;

/** The options that every column has, made once for each that is selected: a file may have ten thousand columns. */
const usualOptions = (use: string): Html => {
  const selected = uses.some(([value]) => value === use) ? use : 'none of these';
  const made = madeOptions.get(selected) ?? html`${uses.map(([value, words]) => option(value, words, selected))}`;
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
        ${usualOptions(use)} ${others.map((each) => option(each.use, each.words, use))}
      </select>
    </td>
    <td class="why">${doubt !== undefined && html`<b>${doubt}</b>`}${why}</td>
  </tr>`;
}
