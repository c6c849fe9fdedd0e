// Recognises an answer that says there are more people than it holds.

/** Plain values of an answer that are not in a list, by JSON pointer. */
export type Beside = Map<string, unknown>;

/** What says that there is more: a way to the next page, a yes or no, or a number. */
export interface More {
  pointer: string;
  by: 'next' | 'more' | 'number';
}

/** Names as Microsoft, Google, Salesforce, HubSpot, Spring, Laravel, Django, SCIM, GraphQL and others write them, without signs. */
const names = {
  next: [
    'next',
    'nextlink',
    'odatanextlink',
    'nextpage',
    'nextpagelink',
    'nexturl',
    'nexturi',
    'nextpageurl',
    'nexthref',
  ]
    .concat(['nextpagetoken', 'nexttoken', 'nextcursor', 'nextpagecursor', 'nextoffset', 'nextrecordsurl', 'nextkey'])
    .concat(['nextmarker', 'continuationtoken', 'continuation']),
  more: [
    'hasmore',
    'hasnext',
    'hasnextpage',
    'hasmorepages',
    'hasmoreitems',
    'hasmoreresults',
    'more',
    'moreavailable',
  ].concat(['morerecords', 'moreresults', 'istruncated', 'truncated']),
  last: ['islast', 'islastpage', 'last', 'lastpage', 'done', 'isdone'],
  total: [
    'total',
    'totalresults',
    'totalcount',
    'totalsize',
    'totalrecords',
    'totalitems',
    'totalelements',
    'totalrows',
  ].concat(['totalhits', 'odatacount', 'count', 'recordstotal']),
  pages: ['totalpages', 'pagecount', 'pages', 'lastpage', 'numpages'],
  /** What is in an object named `next`. */
  link: ['href', 'url', 'uri', 'link', 'after', 'cursor', 'token'],
  envelope: [
    'meta',
    'metadata',
    'page',
    'pages',
    'paging',
    'pagination',
    'pager',
    'pageinfo',
    'links',
    'link',
    'next',
  ].concat(['cursor', 'cursors', 'responsemetadata', 'navigation']),
};

const bare = (key: string): string => key.toLowerCase().replaceAll(/[^a-z\d]/g, '');
const keysOf = (pointer: string): string[] => pointer.split('/').slice(1).map(bare);

/** Whether a name is one under which servers put the next page. They leave it out of the last one. */
export function isNextName(key: string): boolean {
  return names.next.includes(bare(key));
}

/** Whether a value at this place may say that there is more. */
export function mayTell(pointer: string): boolean {
  const [last = '', parent = ''] = keysOf(pointer).toReversed();
  const { next, more, last: ends, total, pages, link } = names;
  return (
    [next, more, ends, total, pages].some((list) => list.includes(last)) || (parent === 'next' && link.includes(last))
  );
}

/** Undefined if nothing does. `people`: where they are, and how many. */
export function saysMore(beside: Beside, people: { pointer: string; count: number }): More | undefined {
  for (const [pointer, value] of beside) {
    const around = pointer.slice(0, pointer.lastIndexOf('/'));
    // Another number, such as of a payroll, says nothing about people.
    const isBeside = `${people.pointer}/`.startsWith(`${around}/`);
    const steps = keysOf(around);
    if (!isBeside && !names.envelope.includes(steps.at(-1) ?? '')) continue;
    const by = howMore(keysOf(pointer), value, people.count);
    if (by) return { pointer, by };
  }
  return undefined;
}

function howMore(keys: readonly string[], value: unknown, count: number): More['by'] | undefined {
  const [last = '', parent = ''] = keys.toReversed();
  const { next, more, last: ends, total, pages, link } = names;
  const isNext = next.includes(last) || (parent === 'next' && link.includes(last));
  if (isNext && ((typeof value === 'string' && value.trim() !== '') || (typeof value === 'number' && value > 0))) {
    return 'next';
  }
  if ((value === true && (more.includes(last) || isNext)) || (value === false && ends.includes(last))) return 'more';
  const number = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value)) ? Number(value) : 0;
  if ((total.includes(last) && number > count) || (pages.includes(last) && number > 1)) return 'number';
  return undefined;
}

/** The plain values of an answer that may say so. */
export function besideIn(document: unknown, pointer = '', found: Beside = new Map()): Beside {
  if (Array.isArray(document)) return found;
  if (typeof document !== 'object' || document === null) {
    if (mayTell(pointer)) found.set(pointer, document);
    return found;
  }
  for (const [key, value] of Object.entries(document)) {
    besideIn(value, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, found);
  }
  return found;
}
