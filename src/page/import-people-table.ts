// Shows the people of an import as a table: rejected, left out, and what happens to everybody else.
import { sayAlike } from '../core/inspect/row-census.ts';
import { figure } from '../core/text/figures.ts';
import { html, type Html } from '../core/text/html.ts';
import type { Reject } from '../core/rows/row.ts';
import type { PersonOfRun } from '../ledger/people/people-of-run.ts';
import { pill, type Tone } from './parts.ts';
import { whatToPress } from './press.ts';

export interface CorrectableReject extends Pick<Reject, 'file' | 'line' | 'value' | 'reason'> {
  /** Whose row it is, as far as that can be read. */
  name: string;
  /** The heading and 0-based place of the cell; absent where the whole row is to blame. */
  cell?: { heading: string; column: number };
}

export interface LeftOutRow {
  name: string;
  email: string;
  why: string;
  line: number;
}

export interface PeopleOfImport {
  upload: string;
  rejects: readonly CorrectableReject[];
  leftOut: readonly LeftOutRow[];
  people: readonly PersonOfRun[];
}

/** From this number of rows with the same reason on, they are folded but for the first. */
const foldedFrom = 5;
const shownOfFolded = 2;

/** The rejected first, those that are alike folded; then who is left out, then everybody else. */
export function peopleTable(
  { upload, rejects, people, leftOut }: PeopleOfImport,
  isCorrectable: boolean,
): Html | false {
  if (rejects.length + people.length + leftOut.length === 0) return false;
  const numbered = rejects.map((reject, at) => ({ reject, at }));
  const alike = [
    ...Map.groupBy(numbered, ({ reject: { cell, reason } }) => sayAlike({ column: cell?.heading ?? '', reason })),
  ].map(([, all]) => all);
  const row = ({ reject, at }: (typeof numbered)[number]): Html => rejected(upload, reject, at, isCorrectable);
  return wholeTable([
    ...alike.flatMap((all) => {
      if (all.length < foldedFrom) return all.map(row);
      const further = all.slice(shownOfFolded);
      return [
        ...all.slice(0, shownOfFolded).map(row),
        html`<tr class="folded">
          <td colspan="5">
            <details>
              <summary>${figure(further.length)} more, all alike</summary>
              ${wholeTable(further.map(row))}
            </details>
          </td>
        </tr>`,
      ];
    }),
    ...leftOut.map(outLine),
    ...people.map((each) => line(each)),
  ]);
}

function outLine({ name, email, why, line }: LeftOutRow): Html {
  return html`<tr>
    <th scope="row"><b>${name}</b></th>
    <td class="address">${email}</td>
    <td class="what">${pill('Left out')}<span class="quiet">not sent</span></td>
    <td class="said">${why}</td>
    <td class="n line">${line}</td>
  </tr>`;
}

function wholeTable(rows: readonly Html[]): Html {
  return html`<table class="everybody">
    <caption class="hidden">
      Everybody in the file, and what happens to each
    </caption>
    <thead>
      <tr>
        <th scope="col">Person</th>
        <th scope="col">Address</th>
        <th scope="col">What happens</th>
        <th scope="col">Groups and changes</th>
        <th scope="col" class="n">Line</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

/** The wrong cell is a field; its form stands in the last cell, since a row cannot be one. */
function rejected(
  upload: string,
  { name, file, line, value, reason, cell }: CorrectableReject,
  at: number,
  isCorrectable: boolean,
): Html {
  const form = `correct-${at}`;
  const field =
    cell && isCorrectable
      ? html`<input
          type="text"
          form="${form}"
          name="value"
          value="${value}"
          aria-label="${cell.heading} of ${name}"
          aria-invalid="true"
          aria-describedby="${form}-why"
          autocomplete="off"
          maxlength="1000"
        />`
      : html`${value}`;
  const said =
    cell && isCorrectable
      ? html`<form id="${form}" method="post" action="/import/${upload}/correct">
          <input type="hidden" name="file" value="${file}" /><input type="hidden" name="line" value="${line}" /><input
            type="hidden"
            name="column"
            value="${cell.column}"
          /><input type="hidden" name="name" value="${name}" /><button>Correct</button>
        </form>`
      : '';
  return html`<tr>
    <th scope="row"><b>${name}</b></th>
    <td class="address">${field}</td>
    <td class="what">${pill('Rejected', 'bad')}<span class="quiet">not sent</span></td>
    <td class="said">
      <span class="wrong" id="${form}-why">${cell && `${cell.heading}: `}${whatToPress(reason, '')}</span> ${said}
    </td>
    <td class="n line">${line}</td>
  </tr>`;
}

const happens: Record<PersonOfRun['action'], [word: string, tone: Tone, consequence: string]> = {
  new: ['New', 'live', 'invitation'],
  changed: ['Changed', 'mute', 'no e-mail'],
  again: ['Again', 'mute', 'no e-mail'],
  unchanged: ['Unchanged', 'mute', 'not sent'],
  later: ['Later', 'mute', 'not sent'],
  departed: ['Left', 'warn', 'not in this file'],
};

function line(person: PersonOfRun): Html {
  const { now, action, startsOn } = person;
  const [word, tone, consequence] = happens[action];
  const then = startsOn ? `from ${startsOn}` : consequence;
  return html`<tr>
    <th scope="row"><b>${now.firstname} ${now.lastname}</b></th>
    <td class="address">${now.email}</td>
    <td class="what">${pill(word, tone)}<span class="quiet">${action === 'later' ? then : consequence}</span></td>
    <td class="said">${changes(person)}</td>
    <td class="n line">${person.line ?? ''}</td>
  </tr>`;
}

/** Groups with what is new of them in bold; what changed besides, old and new. */
function changes({ now, before }: PersonOfRun): Html {
  const had = new Set(before?.groups);
  const lost = before?.groups.filter((group) => !now.groups.includes(group)) ?? [];
  const groups = now.groups.map((group, at) => {
    const shown = before && !had.has(group) ? html`<ins>${group}</ins>` : html`${group}`;
    return html`${at > 0 && ' · '}${shown}`;
  });
  const old = lost.map((group) => html`<del><span class="hidden">was </span>${group}</del> → `);
  const pairs = before
    ? [
        [`${before.firstname} ${before.lastname}`, `${now.firstname} ${now.lastname}`],
        [before.telephone ?? '', now.telephone ?? ''],
      ].filter(([was, is]) => was !== is)
    : [];
  const others = pairs.map(
    ([was, is]) => html`<br /><del><span class="hidden">was </span>${was || 'none'}</del> → <ins>${is || 'none'}</ins>`,
  );
  const stays =
    lost.length > 0 &&
    !now.forceSync &&
    html`<br /><span class="small quiet"
        >Stays in ${lost.join(', ')} as well: nobody can be taken out from here.</span
      >`;
  return html`${old}${groups}${others}${stays}`;
}
