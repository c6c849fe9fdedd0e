// A list of which a page shows a part: headings that sort it, filters that apply at once, and the ways on and back.
import type { Html, HtmlPart } from '../core/text/format.ts';
import { type Heading, hidden, option, table } from './parts.ts';
import { figure, html, t } from './words.ts';

/** Where a list is, and which part of it a page shows. */
export interface List {
  path: string;
  /** What is asked for, by its name: filters, `sort` (`-name` for the other direction), and `text`. An empty text asks for nothing. */
  asked: Readonly<Record<string, string>>;
  /** How many come before those on the page. */
  from: number;
  /** The most on a page. */
  limit: number;
}

/** A heading that sorts; `kind` is `n` for figures, `late` for what a phone leaves out. */
export interface Sorting {
  sort: string;
  words: string;
  kind?: string;
}

/** A filter: its name, what it is called, and what can be chosen, with other words than its own or without; the first choice leaves nobody out. */
export interface Filter {
  name: string;
  label: string;
  options: readonly (string | readonly [value: string, words: string])[];
}

/** Without what is searched for: that names people, and is only ever posted. */
function narrowOf({ asked }: List): Record<string, string> {
  return Object.fromEntries(Object.entries(asked).filter(([name, value]) => name !== 'text' && value !== ''));
}

const textOf = ({ asked }: List): string => asked['text'] ?? '';

/** The address of a list with another filter, order or part. */
export function addressOf(list: List, name: string, value: string): string {
  const { [name]: _, ...others } = narrowOf(list);
  const query = new URLSearchParams({ ...others, ...(value !== '' && { [name]: value }) }).toString();
  return query === '' ? list.path : `${list.path}?${query}`;
}

/** The way to another part of a list; where somebody searches, a button that looks like a link and posts it. */
function way(list: List, [name, value]: readonly [string, string], words: HtmlPart, attributes: Html | '' = ''): Html {
  if (textOf(list) === '') return html`<a href="${addressOf(list, name, value)}" ${attributes}>${words}</a>`;
  return html`<button class="plain" form="list" name="${name}" value="${value}" ${attributes}>${words}</button>`;
}

/** The headings of a table; those that sort are ways to the same list in that order, or the other direction of it. */
function headingsOf(list: List, columns: readonly (Heading | Sorting)[]): (Heading | Html)[] {
  const now = list.asked['sort'] ?? '';
  return columns.map((column) => {
    if (typeof column === 'string' || !('sort' in column)) return column;
    const { sort, words, kind = '' } = column;
    const isUp = now === sort;
    const isDown = now === `-${sort}`;
    const direction = isUp ? 'ascending' : isDown ? 'descending' : undefined;
    const arrow = direction && html`<span aria-hidden="true"> ${isUp ? '↑' : '↓'}</span>`;
    return html`<th scope="col" class="sorts ${kind}" ${direction && html` aria-sort="${direction}"`}>
      ${way(list, ['sort', isUp ? `-${sort}` : sort], html`${words}${arrow}`)}
    </th>`;
  });
}

/** A part of a list: its value, what it is called, and how many are in it where that is known. */
interface ListPart {
  of: List;
  value: string;
  words: string;
  isShown: boolean;
  count: number | undefined;
}

/** The links to parts of a list of people, of which one is shown. */
export function partLinks(name: string, parts: readonly ListPart[]): Html {
  const links = parts.map(
    ({ of, value, words, isShown, count }) =>
      html`<a href="${addressOf(of, name, value)}" ${isShown && html` aria-current="true"`}
        >${words}${count !== undefined && ` ${figure(count)}`}</a
      >`,
  );
  return html`<nav class="filters" aria-label="Who is shown">${links}</nav>`;
}

export interface ListTable {
  caption: string;
  columns: readonly (Heading | Sorting)[];
  rows: readonly Html[];
  kind?: string;
  /** How many there are; undefined where nobody knows. */
  total: number | undefined;
  /** Whether nobody counted further than `total`. */
  isAtLeast?: boolean;
  /** How many the page shows, unless each has a row. */
  shown?: number;
  /** Whether there are some behind it. */
  isMore: boolean;
}

/** The part of a list that a page shows, as a table, with its range and the ways on and back: "51–100 of 206". */
export function listTable(
  list: List,
  { caption, columns, rows, kind = 'lines', total, isAtLeast = false, shown = rows.length, isMore }: ListTable,
): Html {
  const { from, limit } = list;
  const range = `${figure(from + 1)}–${figure(from + shown)}`;
  const said = { range, total: total === undefined ? '' : figure(total) };
  const ofTotal = isAtLeast ? t('{range} of at least {total}', 1, said) : t('{range} of {total}', 1, said);
  const before = from > limit ? String(from - limit) : '';
  return html`${textOf(list) !== '' && html`<form id="list" method="post" action="${list.path}" hidden>${hidden(list.asked)}</form>`}
    ${rows.length > 0 && table(caption, headingsOf(list, columns), rows, kind)}
    <p class="pages">
      <span>${shown === 0 ? t('Nobody') : total === undefined ? range : ofTotal}</span>
      ${from > 0 && way(list, ['from', before], t('Previous'), html` rel="prev"`)}
      ${isMore && way(list, ['from', String(from + limit)], t('Next'), html` rel="next"`)}
    </p>`;
}

/** Filters of a list: they apply when one is changed, or with a button where no script runs. */
export function listFilters(list: List, filters: readonly Filter[]): Html {
  const names = filters.map(({ name }) => name);
  const others = Object.fromEntries(Object.entries(list.asked).filter(([name]) => !names.includes(name)));
  const isSearched = textOf(list) !== '';
  return html`<form class="row" method="${isSearched ? 'post' : 'get'}" action="${list.path}" data-applies>
    ${hidden(isSearched ? others : narrowOf({ ...list, asked: others }))}
    ${filters.map(
      ({ name, label, options }) =>
        html`<label for="filter-${name}" class="hidden">${label}</label
          ><select id="filter-${name}" name="${name}">
            ${options.map((each) => {
              const [value, words] = typeof each === 'string' ? [each, each] : each;
              return option(value, words, value === (list.asked[name] ?? ''));
            })}
          </select>`,
    )}<button>Show</button>
  </form>`;
}
