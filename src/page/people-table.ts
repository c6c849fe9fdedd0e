// Shows people as a table: the rejected, who is left out, who left, and what happens to everybody else.
import type { Outcome } from '../core/call/outcome.ts';
import { type Day, dayText } from '../core/cells/days.ts';
import { sayAlike, type LeftOutRow } from '../core/inspect/census.ts';
import type { Member } from '../core/person/member.ts';
import type { Reject } from '../core/rows/row.ts';
import type { Html, HtmlPart } from '../core/text/format.ts';
import type { PersonOfRun } from '../ledger/people/people-of-run.ts';
import type { DepartedPerson } from '../ledger/people/roster-people.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { addressOf, type List, listFilters, listTable, partLinks } from './list.ts';
import { deed, pill, row, searchForm, table, timeInWords, type Tone } from './parts.ts';
import { whyRejected } from './press.ts';
import { figure, html, t, words } from './words.ts';
import { told } from './told.ts';

export interface ShownReject extends Pick<Reject, 'file' | 'line' | 'column' | 'value' | 'reason'> {
  /** Whose row it is, as far as that can be read; absent where nobody has looked. */
  name?: string;
  /** The heading of the cell in which it can be corrected; absent where the whole row is to blame. */
  cell?: string;
}

/** Everybody whom a page shows; what is left out is nobody. */
export interface ShownPeople {
  people?: readonly PersonOfRun[];
  departed?: readonly DepartedPerson[];
  leftOut?: readonly LeftOutRow[];
  rejects?: readonly ShownReject[];
  /** The upload in which rejects are corrected; absent where they are not. */
  correctIn?: string;
  /** The upload in which any row can be changed, and its file; absent where none can. */
  changeIn?: { upload: string; fileName: string };
  /** The reject whose cell has the focus: the first from this line on. */
  nextLine?: number;
  /** Whether new people get an invitation by e-mail. */
  invites: boolean;
}

/** People as a list: in parts, of one group, searched, sorted, page by page. */
export interface PeopleList extends ShownPeople {
  list: List;
  show: Show;
  counts: Partial<Record<Show, number>>;
  /** The groups to choose from. */
  groups: readonly string[];
  isSortable: boolean;
  /** How many there are, where that is not in `counts`; nobody counts further than `mostCounted`. */
  counted?: number;
  /** What the list is narrowed to, in place of its parts. */
  narrowed?: Html;
}

/** From this number of people on a narrowed list is not counted further. */
export const mostCounted = 10_000;

export function peopleList(view: PeopleList): Html {
  const { list, show, counts, groups, rejects = [], counted, narrowed, isSortable } = view;
  const { from, limit } = list;
  const text = list.asked['text'] ?? '';
  const rows = peopleRows(view, list);
  const isOfRejects = show === 'reject';
  const shown = isOfRejects ? rejects.length : rows.length;
  const isWhole = narrowed === undefined && text === '' && (list.asked['group'] ?? '') === '';
  const total = (isWhole ? counts[show] : undefined) ?? counted;
  const isMore = shown === limit && (total === undefined || total >= mostCounted || from + limit < total);
  const withoutShow = hasNoGroups(show) ? { ...list, asked: { ...list.asked, show: '' } } : list;
  const group = { name: 'group', label: t('Group'), options: [['', t('All groups')] as const, ...groups] };
  return html`<div class="people-tools">
      ${narrowed ?? showFilters(list, show, counts)} ${groups.length > 1 && listFilters(withoutShow, [group])}
      ${searchForm(list.path, { text })} ${shown > 0 && downloadPeople(list, show)}
    </div>
    ${text !== '' && shown === 0 && html`<p>Nobody here is like “${text}”.</p>`} ${rejectsTable(view)}
    ${listTable(list, {
      caption: t('Who, and what happens to each'),
      columns: [
        ...(isSortable && !isOfRejects && show !== 'out' && show !== 'departed' ? sortedHeadings() : headings()),
        ...(view.changeIn ? [{ unseen: t('Change') }] : []),
      ],
      rows,
      kind: 'everybody',
      total,
      isAtLeast: total !== undefined && total >= mostCounted && counted !== undefined,
      shown,
      isMore,
    })}`;
}

/** The same without a list around it: a few people. */
export function peopleTable(shown: ShownPeople): Html | false {
  const rows = peopleRows(shown);
  return rows.length > 0 && table(t('Who, and what happens to each'), headings(), rows, 'everybody');
}

/** Who is left out, who left, and everybody else. */
function peopleRows({ people = [], departed = [], leftOut = [], invites, changeIn }: ShownPeople, list?: List): Html[] {
  const change = (of: Placed): Html | false => changeIn !== undefined && changeLink(changeIn, of, list);
  const rowOf = (who: Html, address: HtmlPart, what: Html, said: HtmlPart, of: Placed = {}): Html =>
    row(who, { address }, { what }, { said }, { 'n line': of.line ?? '' }, ...(changeIn ? [{ act: change(of) }] : []));
  return [
    ...leftOut.map((left) =>
      rowOf(html`<b>${left.name}</b>`, left.email, happens(t('Left out'), 'mute', t('not sent')), told(left.why), left),
    ),
    ...departed.map((person) =>
      rowOf(
        linkTo(person),
        person.email,
        pill(t('Left'), 'warn'),
        t('keeps {groups}', 1, { groups: person.groups.join(' · ') }),
      ),
    ),
    ...people.map((person) =>
      rowOf(linkTo(person.now), person.now.email, whatHappens(person, invites), groupsCell(person), person),
    ),
  ];
}

/** Where a row stands; of somebody who left, nowhere. */
type Placed = { file?: string | null; line?: number | null };

/** The way to the form of a row, from which one comes back to the same part of the list. */
function changeLink(
  { upload, fileName }: NonNullable<ShownPeople['changeIn']>,
  { file, line }: Placed,
  list?: List,
): Html | false {
  if (typeof line !== 'number') return false;
  const path = `/import/${upload}/rows/${line}`;
  const asked = { ...list?.asked, ...(file && file !== fileName && { file }) };
  const from = list && list.from > 0 ? String(list.from) : '';
  return html`<a href="${addressOf({ path, asked, from: 0, limit: 0 }, 'from', from)}"
    >Change<span class="hidden"> line ${line}</span></a
  >`;
}

const headings = () => [t('Person'), t('Address'), t('What happens'), t('Groups and changes'), { n: t('Line') }];
const sortedHeadings = () => [
  { sort: 'name', words: t('Person') },
  { sort: 'address', words: t('Address') },
  t('What happens'),
  t('Groups and changes'),
  { sort: 'line', words: t('Line'), kind: 'n' },
];

type Named = Pick<Member, 'firstname' | 'lastname' | 'email'>;

/** Whose row it is, in a table of their own columns. */
export const nameCell = ({ firstname, lastname, email }: Named): Html =>
  html`<b>${firstname} ${lastname}</b><span class="small">${email}</span>`;

/** The same as the way to everything that is known about them. */
export const personCell = (person: Named): Html => html`${linkTo(person)} <span class="small">${person.email}</span>`;

/** Their name as that way; their address is posted by the form `person` of every page. */
export const linkTo = ({ firstname, lastname, email }: Named): Html =>
  html`<button class="plain who-is" form="person" name="email" value="${email}">
    <b>${firstname} ${lastname}</b>
  </button>`;

/** From this number of rows with the same reason on, they are folded but for the first. */
const foldedFrom = 5;
const shownOfFolded = 2;

/** Rejected rows, each with the wrong cell in a column of its own; those that are alike are folded. */
function rejectsTable({ rejects = [], correctIn, changeIn, nextLine = Infinity }: ShownPeople): Html | false {
  if (rejects.length === 0) return false;
  const headings = [
    ...[t('Whose row'), t('Column'), t('Cell'), t('Why it is rejected')],
    ...[{ unseen: t('Correct') }, { n: t('Line') }],
  ];
  const whole = (rows: readonly Html[]): Html => table(t('Rejected rows'), headings, rows, 'everybody rejects');
  const next = rejects.findIndex(({ line }) => line >= nextLine);
  const numbered = rejects.map((reject, at) => {
    return { reject, isNext: at === next, row: rejected(reject, at, { correctIn, changeIn }, at === next) };
  });
  const alike = Map.groupBy(numbered, ({ reject: { column, reason } }) => sayAlike({ column, reason }));
  const rows = [...alike.values()].flatMap((all) => {
    if (all.length < foldedFrom) return all.map((each) => each.row);
    const further = all.slice(shownOfFolded);
    return [
      ...all.slice(0, shownOfFolded).map((each) => each.row),
      html`<tr class="folded">
        <td colspan="${headings.length}">
          <details ${further.some(({ isNext }) => isNext) && html` open`}>
            <summary>${figure(further.length)} more, all alike</summary>
            ${whole(further.map((each) => each.row))}
          </details>
        </td>
      </tr>`,
    ];
  });
  return whole(rows);
}

/** The wrong cell is a field where it can be corrected; its form stands in a later cell, since a row cannot be one. */
function rejected(
  { name, file, line, column, value, reason, cell = '' }: ShownReject,
  at: number,
  { correctIn, changeIn }: { [Name in 'correctIn' | 'changeIn']: ShownPeople[Name] | undefined },
  isNext: boolean,
): Html {
  const form = `correct-${at}`;
  const whose = name ?? t('Line {line}', 1, { line });
  const isCorrectable = cell !== '' && correctIn !== undefined;
  const field = html`<input
    type="text"
    form="${form}"
    name="value"
    value="${value}"
    aria-label="${cell} of ${whose}"
    aria-invalid="true"
    aria-describedby="${form}-why"
    autocomplete="off"
    maxlength="1000"
    ${isNext && html` autofocus`}
  />`;
  const why = html`<span class="wrong" id="${form}-why">${told(whyRejected(reason))}</span>`;
  const fields = { file, line: String(line), column: cell, name: whose };
  return row(
    html`<b>${name ?? file}</b>`,
    { column },
    { address: isCorrectable ? field : value },
    { said: why },
    {
      act: html`${isCorrectable && deed(`/import/${correctIn}/correct`, t('Correct'), '', fields, form)}
      ${changeIn && changeLink(changeIn, { file, line })}`,
    },
    { 'n line': line },
  );
}

export const outcomes: Record<Outcome, [string, Tone]> = {
  succeeded: [words('Delivered'), 'ok'],
  partial: [words('Partial'), 'warn'],
  failed: [words('Failed'), 'bad'],
  unknown: [words('Unknown'), 'warn'],
  superseded: [words('Superseded'), 'mute'],
  cancelled: [words('Cancelled'), 'mute'],
};

export function outcomePill(outcome: Outcome | null): Html {
  const [word, tone] = outcome === null ? ([words('To go'), 'mute'] as const) : outcomes[outcome];
  return pill(t(word), tone);
}

export const planned: Record<PersonOfRun['action'], [word: string, tone: Tone, then: string]> = {
  new: [words('New'), 'live', words('no e-mail')],
  changed: [words('Changed'), 'live', words('no e-mail')],
  again: [words('Again'), 'live', words('the last call for them did not succeed')],
  unchanged: [words('Unchanged'), 'mute', words('has everything already')],
  later: [words('Later'), 'mute', words('not sent yet')],
  departed: [words('Left'), 'warn', words('not in the file')],
};

function whatHappens({ action, outcome, reason, isHeld, startsOn }: PersonOfRun, invites: boolean): Html {
  if (outcome !== null) {
    return html`${outcomePill(outcome)} <span class="quiet">${outcome !== 'succeeded' && reason}</span>`;
  }
  const [word, tone, usual] = planned[action];
  const from = action === 'later' && startsOn && t('from {day}', 1, { day: sayDay(startsOn) });
  return happens(t(word), tone, action === 'new' && invites ? t('invitation') : from || t(usual), isHeld);
}

/** A day of a calendar is the same in every zone. */
const sayDay = (day: Day): string => timeInWords(`${dayText(day)}T12:00`, 'day');

function happens(word: string, tone: Tone, then: string, isHeld = false): Html {
  return html`${pill(word, tone)}${isHeld && pill(t('Held'), 'warn')}<span class="quiet then">${then}</span>`;
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
  const none = t('none');
  return pairs.map(
    ([was, is]) => html`<br /><del><span class="hidden">was </span>${was || none}</del> → <ins>${is || none}</ins>`,
  );
}

/** The parts of a list of people, in the words of the links to them. */
const shows = {
  everybody: words('Everybody'),
  new: words('New'),
  changed: words('Changed'),
  again: words('Again'),
  later: words('Later'),
  unchanged: words('Unchanged'),
  departed: words('Left'),
  reject: words('Rejected'),
  out: words('Left out'),
  failed: words('Failed'),
  partial: words('Partial'),
  unknown: words('Unknown'),
  undelivered: words('Not delivered'),
  open: words('To go'),
} as const;
export type Show = keyof typeof shows;

export const countsOfPlan = ({ plan, roster }: RunReport): Partial<Record<Show, number>> => {
  const { new: fresh, changed, again, later } = plan;
  return { new: fresh, changed, again, later, reject: roster.rejects };
};

/** Rows that are in no group, or whose groups are not asked for. */
const hasNoGroups = (show: Show): boolean => show === 'reject' || show === 'out' || show === 'departed';

/** The links to parts of a list: those with anybody in them, and the one that is shown. */
function showFilters(list: List, current: Show, counts: Partial<Record<Show, number>>): Html {
  const shown = (Object.keys(shows) as Show[]).filter(
    (show) => show === 'everybody' || show === current || (counts[show] ?? 0) > 0,
  );
  const links = shown.map((show) => ({
    of: hasNoGroups(show) ? { ...list, asked: {} } : list,
    value: show === 'everybody' ? '' : show,
    words: t(shows[show]),
    isShown: show === current,
    count: counts[show],
  }));
  return partLinks('show', links);
}

/** The file has everybody whom the list has, on all of its pages. */
function downloadPeople({ path, asked }: List, show: Show): Html {
  const isAll = Object.entries(asked).every(([name, value]) => name === 'sort' || value === '');
  const ofPart = show === 'reject' ? t('Download rejects') : t('Download these people');
  return deed(`${path}/download`, isAll ? t('Download everybody') : ofPart, '', asked);
}
