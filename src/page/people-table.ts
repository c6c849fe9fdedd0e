// Shows people as a table: the rejected, who is left out, who left, and what happens to everybody else.
import type { Outcome } from '../core/call/outcome.ts';
import { dayText } from '../core/cells/days.ts';
import { sayAlike } from '../core/inspect/row-census.ts';
import type { Member } from '../core/person/member.ts';
import type { Reject } from '../core/rows/row.ts';
import { figure } from '../core/text/figures.ts';
import { html, type Html, type HtmlPart } from '../core/text/html.ts';
import type { LeftOutRow } from '../core/inspect/examiner.ts';
import type { PersonOfRun } from '../ledger/people/people-of-run.ts';
import type { DepartedPerson } from '../ledger/people/roster-people.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { deed, pill, row, table, type Tone } from './parts.ts';
import { whyRejected } from './press.ts';

export interface CorrectableReject extends Pick<Reject, 'file' | 'line' | 'value' | 'reason'> {
  /** Whose row it is, as far as that can be read. */
  name: string;
  /** The heading of the cell; absent where the whole row is to blame. */
  cell?: string;
}

/** Everybody whom a page shows; what is left out is nobody. */
export interface ShownPeople {
  people?: readonly PersonOfRun[];
  departed?: readonly DepartedPerson[];
  leftOut?: readonly LeftOutRow[];
  rejects?: readonly CorrectableReject[];
  /** The upload in which rejects are corrected; absent where they are not. */
  correctIn?: string;
  /** The reject whose cell has the focus: the first from this line on. */
  nextLine?: number;
  /** Whether new people get an invitation by e-mail. */
  invites: boolean;
}

/** From this number of rows with the same reason on, they are folded but for the first. */
const foldedFrom = 5;
const shownOfFolded = 2;

/** The rejected first, those that are alike folded; then who is left out, who left, and everybody else. */
export function peopleTable(shown: ShownPeople): Html | false {
  const { people = [], departed = [], leftOut = [], invites } = shown;
  const rows = [
    ...rejectedRows(shown),
    ...leftOut.map(({ name, email, why, line }) =>
      rowOf({ name, address: email, what: happens('Left out', 'mute', 'not sent'), said: why, line }),
    ),
    ...departed.map((person) =>
      rowOf({ ...ofMember(person), what: pill('Left', 'warn'), said: `keeps ${person.groups.join(' · ')}`, line: '' }),
    ),
    ...people.map((person) =>
      rowOf({
        ...ofMember(person.now),
        what: whatHappens(person, invites),
        said: groupsCell(person),
        line: person.line ?? '',
      }),
    ),
  ];
  return rows.length > 0 && wholeTable(rows);
}

const headings = ['Person', 'Address', 'What happens', 'Groups and changes', { n: 'Line' }];
const wholeTable = (rows: readonly Html[]): Html => table('Who, and what happens to each', headings, rows, 'everybody');

interface Cells {
  name: string;
  address: HtmlPart;
  what: Html;
  said: HtmlPart;
  line: number | '';
}

function rowOf({ name, address, what, said, line }: Cells): Html {
  return row(html`<b>${name}</b>`, { address }, { what }, { said }, { 'n line': line });
}

/** Whose row it is, in a table of their own columns. */
export function nameCell({ firstname, lastname, email }: Pick<Member, 'firstname' | 'lastname' | 'email'>): Html {
  return html`<b>${firstname} ${lastname}</b><span class="small">${email}</span>`;
}

/** The same as the way to everything that is known about them; their address is posted by the form `person` of every page. */
export function personCell({ firstname, lastname, email }: Pick<Member, 'firstname' | 'lastname' | 'email'>): Html {
  return html`${personLink(`${firstname} ${lastname}`, email)} <span class="small">${email}</span>`;
}

export const personLink = (name: string, email: string): Html =>
  html`<button class="plain who-is" form="person" name="email" value="${email}">${name}</button>`;

const ofMember = ({ firstname, lastname, email }: Pick<Member, 'firstname' | 'lastname' | 'email'>) => {
  return { name: `${firstname} ${lastname}`, address: email };
};

function rejectedRows({ rejects = [], correctIn, nextLine = Infinity }: ShownPeople): Html[] {
  const next = rejects.findIndex(({ line }) => line >= nextLine);
  const numbered = rejects.map((reject, at) => {
    return { reject, isNext: at === next, row: rejected(reject, at, correctIn, at === next) };
  });
  const alike = Map.groupBy(numbered, ({ reject: { cell = '', reason } }) => sayAlike({ column: cell, reason }));
  return [...alike.values()].flatMap((all) => {
    if (all.length < foldedFrom) return all.map(({ row }) => row);
    const further = all.slice(shownOfFolded);
    return [
      ...all.slice(0, shownOfFolded).map(({ row }) => row),
      html`<tr class="folded">
        <td colspan="5">
          <details ${further.some(({ isNext }) => isNext) && html` open`}>
            <summary>${figure(further.length)} more, all alike</summary>
            ${wholeTable(further.map(({ row }) => row))}
          </details>
        </td>
      </tr>`,
    ];
  });
}

/** The wrong cell is a field; its form stands in the last cell, since a row cannot be one. */
function rejected(
  { name, file, line, value, reason, cell = '' }: CorrectableReject,
  at: number,
  correctIn: string | undefined,
  isNext: boolean,
): Html {
  const form = `correct-${at}`;
  const isCorrectable = cell !== '' && correctIn !== undefined;
  const field = html`<input
    type="text"
    form="${form}"
    name="value"
    value="${value}"
    aria-label="${cell} of ${name}"
    aria-invalid="true"
    aria-describedby="${form}-why"
    autocomplete="off"
    maxlength="1000"
    ${isNext && html` autofocus`}
  />`;
  const why = html`<span class="wrong" id="${form}-why">${cell && `${cell}: `}${whyRejected(reason)}</span>`;
  const fields = { file, line: String(line), column: cell, name };
  return rowOf({
    name,
    address: isCorrectable ? field : value,
    what: happens('Rejected', 'bad', 'not sent'),
    said: html`${why} ${isCorrectable && deed(`/import/${correctIn}/correct`, 'Correct', '', fields, form)}`,
    line,
  });
}

export const outcomes: Record<Outcome, [string, Tone]> = {
  succeeded: ['Delivered', 'ok'],
  partial: ['Partial', 'warn'],
  failed: ['Failed', 'bad'],
  unknown: ['Unknown', 'warn'],
  superseded: ['Superseded', 'mute'],
  cancelled: ['Cancelled', 'mute'],
};

export function outcomePill(outcome: Outcome | null): Html {
  const [word, tone] = outcome === null ? (['To go', 'mute'] as const) : outcomes[outcome];
  return pill(word, tone);
}

export const planned: Record<PersonOfRun['action'], [word: string, tone: Tone, then: string]> = {
  new: ['New', 'live', 'no e-mail'],
  changed: ['Changed', 'live', 'no e-mail'],
  again: ['Again', 'live', 'the last call for them did not succeed'],
  unchanged: ['Unchanged', 'mute', 'has everything already'],
  later: ['Later', 'mute', 'not sent yet'],
  departed: ['Left', 'warn', 'not in the file'],
};

function whatHappens({ action, outcome, reason, isHeld, startsOn }: PersonOfRun, invites: boolean): Html {
  if (outcome !== null) {
    return html`${outcomePill(outcome)} <span class="quiet">${outcome !== 'succeeded' && reason}</span>`;
  }
  const [word, tone, usual] = planned[action];
  const then =
    action === 'new' && invites ? 'invitation' : action === 'later' && startsOn ? `from ${dayText(startsOn)}` : usual;
  return happens(word, tone, then, isHeld);
}

function happens(word: string, tone: Tone, then: string, isHeld = false): Html {
  return html`${pill(word, tone)}${isHeld && pill('Held', 'warn')}<span class="quiet then">${then}</span>`;
}

/** Groups, what is new of them in bold, what they lose struck through; without forceSync they keep it at the service. */
function groupsCell({ now, before }: PersonOfRun): Html {
  const had = new Set(before?.groups);
  const lost = before?.groups.filter((group) => !now.groups.includes(group)) ?? [];
  const parts = [
    ...lost.map((group) => html`<del><span class="hidden">was </span>${group}</del>`),
    ...now.groups.map((group) =>
      before && !had.has(group) ? html`<ins><span class="hidden">becomes </span>${group}</ins>` : html`${group}`,
    ),
  ];
  const list = parts.map((part, at) => html`${at > 0 && ' · '}${part}`);
  const keeps = lost.length > 0 && !now.forceSync;
  return html`${list}${keeps && html`<br /><span class="small quiet">keeps ${lost.join(', ')} at the service</span>`}${changes(before, now)}`;
}

function changes(before: Member | null, now: Member): Html[] {
  const pairs = before
    ? [
        [`${before.firstname} ${before.lastname}`, `${now.firstname} ${now.lastname}`],
        [before.telephone ?? '', now.telephone ?? ''],
      ].filter(([was, is]) => was !== is)
    : [];
  return pairs.map(
    ([was, is]) => html`<br /><del><span class="hidden">was </span>${was || 'none'}</del> → <ins>${is || 'none'}</ins>`,
  );
}

/** The parts of a list of people, in the words of the links to them. */
const shows = {
  everybody: 'Everybody',
  new: 'New',
  changed: 'Changed',
  again: 'Again',
  later: 'Later',
  unchanged: 'Unchanged',
  departed: 'Left',
  reject: 'Rejected',
  out: 'Left out',
  failed: 'Failed',
  partial: 'Partial',
  unknown: 'Unknown',
  undelivered: 'Not delivered',
  open: 'To go',
} as const;
export type Show = keyof typeof shows;

export const countsOfPlan = ({ plan, roster }: RunReport): Partial<Record<Show, number>> => {
  const { new: fresh, changed, again, later } = plan;
  return { new: fresh, changed, again, later, reject: roster.rejects };
};

/** The links to parts of a list: those with anybody in them, and the one that is shown. */
export function showFilters({
  current,
  counts,
  to,
}: {
  current: Show;
  counts: Partial<Record<Show, number>>;
  to: (show: Show) => string;
}): Html {
  const links = (Object.keys(shows) as Show[])
    .filter((show) => show === 'everybody' || show === current || (counts[show] ?? 0) > 0)
    .map((show) => {
      const number = counts[show];
      return html`<a href="${to(show)}" ${show === current && html` aria-current="true"`}
        >${shows[show]}${number !== undefined && ` ${figure(number)}`}</a
      >`;
    });
  return html`<nav class="filters" aria-label="Who is shown">${links}</nav>`;
}

/** The file has everybody whom the list has, on all of its pages. */
export function downloadPeople(path: string, asked: Readonly<Record<string, string>>): Html {
  const { show, text, ...narrow } = asked;
  const isAll = show === 'everybody' && text === '' && Object.keys(narrow).length === 0;
  const word = isAll ? 'Download everybody' : show === 'reject' ? 'Download rejects' : 'Download these people';
  return deed(`${path}/download`, word, '', asked);
}
