import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { Paging } from '../../../src/roster/roster-file.ts';
import { findRecords, nextLink } from '../../../src/roster/fetch/answer.ts';
import { readPages, type PagedRequest } from '../../../src/roster/fetch/pages.ts';
import { PagesShifted } from '../../../src/roster/fetch/tries.ts';
import { listenHttp, sendJson, type Arrival } from '../../service/local-server.ts';
import { httpDefaults } from '../../../src/roster/fetch/http-schema.ts';
import { openSource } from '../../../src/roster/configured-source.ts';
import { all, connect, deps, refusal } from './fetching.ts';

const crowd = Array.from({ length: 23 }, (_, at) => ({ id: at }));
const limits = { name: 'staff', maxPages: 50 };

/** Serves pages of `crowd` as `page` makes them of a request. */
async function read(
  t: TestContext,
  page: (
    arrival: Arrival,
    query: URLSearchParams,
    base: string,
  ) => { answer: unknown; headers?: Record<string, string> },
  paging: Paging,
  options: Partial<PagedRequest> = {},
) {
  let base = '';
  const server = await listenHttp(t, (response, arrival) => {
    const { answer, headers } = page(arrival, new URL(arrival.path, base).searchParams, base);
    sendJson(response, answer, 200, headers);
  });
  ({ base } = server);
  const client = connect(t, `${base}/people?active=1`);
  const request: PagedRequest = { url: client.url, method: 'GET', paging, ...options };
  return { pages: all(readPages(client, request, limits)), arrivals: server.arrivals };
}

const slice = (from: number, count = 10): object[] => crowd.slice(from, from + count);

test('Link headers are followed', async (t) => {
  const { pages, arrivals } = await read(
    t,
    (_, query, base) => {
      const from = Number(query.get('from') ?? 0);
      const link = `<${base}/people?from=0>; rel="first", <${base}/people?from=${from + 10}>; title="a, b"; rel="next"`;
      return { answer: slice(from), headers: from < 20 ? { link } : {} };
    },
    { by: 'link' },
  );
  assert.deepEqual((await pages).flat(), crowd);
  assert.deepEqual(
    arrivals.map(({ path }) => path),
    ['/people?active=1', '/people?from=10', '/people?from=20'],
  );
});

test('next URLs are followed, relative ones too', async (t) => {
  const { pages } = await read(
    t,
    (_, query) => {
      const from = Number(query.get('from') ?? 0);
      return { answer: { data: slice(from), paging: { next: from < 20 ? `/people?from=${from + 10}` : null } } };
    },
    { by: 'next', path: 'paging.next' },
  );
  assert.deepEqual((await pages).flat(), crowd);
});

test('a next URL on another server fails the whole of it', async (t) => {
  const other = await listenHttp(t, (response) => sendJson(response, []));
  const { pages } = await read(t, () => ({ answer: { data: slice(0), next: `${other.base}/people` } }), {
    by: 'next',
    path: 'next',
  });
  assert.match(await refusal(pages), /leads to 127\.0\.0\.1:\d+, another server/);
  assert.equal(other.arrivals.length, 0);
});

test('cursors are sent back beside the rest of the query', async (t) => {
  const { pages, arrivals } = await read(
    t,
    (_, query) => {
      const from = Number(query.get('page[after]') ?? 0);
      return { answer: { data: slice(from), meta: { page: { nextCursor: from < 20 ? from + 10 : null }, total: 23 } } };
    },
    { by: 'cursor', path: 'meta.page.nextCursor', parameter: 'page[after]', total: 'meta.total' },
  );
  assert.deepEqual((await pages).flat(), crowd);
  assert.equal(arrivals.at(-1)?.path, '/people?active=1&page%5Bafter%5D=20');
});

test('a cursor can go into the body', async (t) => {
  const { pages, arrivals } = await read(
    t,
    ({ body }) => {
      const { after = 0 } = JSON.parse(body) as { after?: number };
      return { answer: { results: slice(after), next: after < 20 ? after + 10 : '' } };
    },
    { by: 'cursor', path: 'next', parameter: 'after', in: 'body' },
    { method: 'POST', body: { fields: ['a'] } },
  );
  assert.deepEqual((await pages).flat(), crowd);
  assert.deepEqual(JSON.parse(arrivals[1]?.body ?? ''), { fields: ['a'], after: '10' });
  assert.equal(arrivals[1]?.headers['content-type'], 'application/json');
});

test('offsets go on by what has come, however small the pages are', async (t) => {
  const { pages, arrivals } = await read(
    t,
    (_, query) => ({ answer: { Resources: slice(Number(query.get('startIndex')) - 1, 7), totalResults: 23 } }),
    {
      by: 'offset',
      parameter: 'startIndex',
      first: 1,
      size: { parameter: 'count', count: 10 },
      total: 'totalResults',
    },
  );
  assert.deepEqual((await pages).flat(), crowd);
  assert.equal(arrivals[0]?.path, '/people?active=1&startIndex=1&count=10');
  assert.equal(arrivals.length, 4);
});

test('without a total, offsets end with an empty page', async (t) => {
  const { pages, arrivals } = await read(t, (_, query) => ({ answer: slice(Number(query.get('offset'))) }), {
    by: 'offset',
    parameter: 'offset',
    first: 0,
  });
  assert.deepEqual((await pages).flat(), crowd);
  assert.equal(arrivals.length, 4);
});

test('page numbers end with the last page, or an empty one', async (t) => {
  for (const pagesPath of ['meta.pages', undefined]) {
    const { pages, arrivals } = await read(
      t,
      (_, query) => ({ answer: { data: slice((Number(query.get('page')) - 1) * 10), meta: { pages: 3 } } }),
      { by: 'page', parameter: 'page', first: 1, ...(pagesPath ? { pages: pagesPath } : {}) },
    );
    assert.deepEqual((await pages).flat(), crowd);
    assert.equal(arrivals.length, pagesPath ? 3 : 4);
  }
});

test('an empty page in the middle does not end a roster whose number of pages is known', async (t) => {
  const { pages } = await read(
    t,
    (_, query) => ({ answer: { data: query.get('page') === '2' ? [] : slice(Number(query.get('page'))), pages: 3 } }),
    { by: 'page', parameter: 'page', first: 1, pages: 'pages' },
  );
  assert.deepEqual((await pages).flat(), [...slice(1), ...slice(3)]);
});

test('a page that says it is an error is not taken for the last one', async (t) => {
  for (const said of [
    { error: 'busy' },
    { error: { code: 500 } },
    { error: true },
    { ok: false },
    { success: false },
  ]) {
    const { pages } = await read(
      t,
      (_, query) => ({ answer: query.has('c') ? { data: null, ...said } : { data: slice(0), cursor: 'next' } }),
      { by: 'cursor', path: 'cursor', parameter: 'c' },
      { records: '/data' },
    );
    assert.match(await refusal(pages), /answered that it is an error/, JSON.stringify(said));
  }
  for (const fine of [{ error: null }, { error: '' }, { error: {} }, { error: false }, { ok: true, success: true }]) {
    const { pages } = await read(t, () => ({ answer: { data: slice(0), ...fine } }), { by: 'link' });
    assert.equal((await pages).flat().length, 10, JSON.stringify(fine));
  }
});

test('a total that is no whole number ends nothing', async (t) => {
  const { pages } = await read(
    t,
    (_, query) => ({ answer: { data: slice(Number(query.get('offset'))), total: '1,000' } }),
    { by: 'offset', parameter: 'offset', first: 0, total: 'total' },
  );
  assert.deepEqual((await pages).flat(), crowd);
});

test('a page that comes twice is not taken for more people', async (t) => {
  const { pages } = await read(t, () => ({ answer: { data: slice(0) } }), { by: 'page', parameter: 'p', first: 1 });
  assert.match(await refusal(pages), /gave the same page twice/);
});

test('more pages than allowed are refused', async (t) => {
  let at = 0;
  const { pages, arrivals } = await read(t, () => ({ answer: [{ id: (at += 1) }] }), {
    ...{ by: 'page', parameter: 'p', first: 1 },
  });
  assert.match(await refusal(pages), /more than 50 pages/);
  assert.equal(arrivals.length, 50);
});

test('fewer people than stated, or another number on the way, mean that somebody may be missing', async (t) => {
  const paging: Paging = { by: 'offset', parameter: 'offset', first: 0, total: 'total' };
  const fewer = await read(
    t,
    (_, query) => ({ answer: { data: slice(Number(query.get('offset'))), total: 24 } }),
    paging,
  );
  await assert.rejects(
    fewer.pages,
    (error) => error instanceof PagesShifted && /said 24 people and gave 23/.test(error.message),
  );
  const moving = await read(
    t,
    (_, query) => ({
      answer: { data: slice(Number(query.get('offset'))), total: query.get('offset') === '0' ? 23 : 22 },
    }),
    paging,
  );
  await assert.rejects(
    moving.pages,
    (error) => error instanceof PagesShifted && /had 23 people, and then 22/.test(error.message),
  );
});

test('a page that fails after others came through fails the whole of it', async (t) => {
  const server = await listenHttp(t, (response, _, count) => {
    if (count === 1) sendJson(response, { data: slice(0), next: '/people?page=2' });
    else sendJson(response, {}, 404);
  });
  const client = connect(t, `${server.base}/people`);
  const request: PagedRequest = { url: client.url, method: 'GET', paging: { by: 'next', path: 'next' } };
  assert.match(await refusal(all(readPages(client, request, limits))), /answered 404/);
});

test('what is no JSON is refused, and none of it is shown', async (t) => {
  for (const [body, message] of [
    ['<html>geheim', /a web page or XML: is a login in between/],
    ['{"data":[{"geheim":', /gave no JSON/],
    ['{"people":"geheim"}', /no list of people was found/],
    [`${'['.repeat(50_000)}${']'.repeat(50_000)}`, /gave values nested more than 64 levels deep/],
  ] as const) {
    const { base } = await listenHttp(t, (response) => response.writeHead(200).end(body));
    const client = connect(t, base);
    const refused = await refusal(all(readPages(client, { url: client.url, method: 'GET' }, limits)));
    assert.match(refused, message);
    assert.doesNotMatch(refused, /geheim/);
  }
});

/** What comes of two pages of ten, and then of `last`: an answer, or no content. */
async function endingWith(
  t: TestContext,
  last: object | undefined,
  paging: Paging,
  options: { records?: string; beside?: object } = { records: '/data' },
): Promise<string | number> {
  const { beside = {}, ...more } = options;
  const { base } = await listenHttp(t, (response, _, count) => {
    if (count <= 2) sendJson(response, { data: slice(count * 10 - 10), cursor: `c${count}`, next: '/x', ...beside });
    else if (last) sendJson(response, last);
    else response.writeHead(204).end();
  });
  const client = connect(t, `${base}/people`, { attempts: 1 });
  const pages = all(readPages(client, { url: client.url, method: 'GET', paging, ...more }, limits));
  return pages.then(
    (read) => read.flat().length,
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

const byPage: Paging = { by: 'page', parameter: 'page', first: 1 };
const byOffset: Paging = { by: 'offset', parameter: 'offset', first: 0 };
const byCursor: Paging = { by: 'cursor', path: 'cursor', parameter: 'cursor' };
const byNext: Paging = { by: 'next', path: 'next' };
const everyPaging = [byPage, byOffset, byCursor, byNext];

test('a last page that says it is an error under status 200 ends nothing', async (t) => {
  for (const paging of everyPaging) {
    for (const said of [
      ...[{ code: 404 }, { status: 'error' }, { status: 'FAILED' }, { statusCode: '403 Forbidden' }, { success: 0 }],
      ...[{ errors: { rate: 'limit' } }, { errors: 'text' }, { errors: 2 }, { fault: { faultstring: 'quota' } }],
      ...[{ code: 429, message: 'Too many requests' }, { error_code: '503' }, { error: ['busy'] }],
      ...[{ meta: { code: 400 } }, { status: { code: 401 } }, { imsx_codeMajor: 'failure' }, { success: 'false' }],
    ]) {
      const end = await endingWith(t, { data: [], hasMore: false, cursor: null, ...said }, paging);
      assert.match(String(end), /InputError: .*answered that it is an error/, `${paging.by} ${JSON.stringify(said)}`);
    }
    for (const fine of [{ code: 200 }, { status: 'success' }, { code: 0, errors: 0 }, { errors: {} }, { code: 20000 }])
      assert.equal(await endingWith(t, { data: [], cursor: null, ...fine }, paging), 20, JSON.stringify(fine));
  }
});

test('a last page that says there is more is not the last', async (t) => {
  for (const paging of everyPaging) {
    for (const said of [
      { hasMore: true },
      { total: 208, has_more: true },
      { paging: { next: { after: 'x' } } },
      { isLast: false },
    ]) {
      const end = await endingWith(t, { data: [], cursor: null, ...said }, paging);
      assert.match(String(end), /PagesShifted: .*ended with a page that says there is more/, JSON.stringify(said));
    }
    for (const fine of [{ hasMore: false }, { meta: { page: 3, pages: 3, total: 999 } }, { next: null, last: true }])
      assert.equal(await endingWith(t, { data: [], cursor: null, ...fine }, paging), 20, JSON.stringify(fine));
  }
  const pages: Paging = { ...byPage, pages: 'pages' };
  const third = { data: slice(20), pages: 3 };
  assert.match(
    String(await endingWith(t, { ...third, hasMore: true }, pages, { beside: { pages: 3 } })),
    /says there is more \("\/hasMore"\)/,
  );
  assert.equal(await endingWith(t, third, pages, { beside: { pages: 3 } }), 23);
});

const doubtful = /PagesShifted: .*ended with a page that has nobody and does not say it is the last/;

test('no content, or null for a list, ends pages after one that was not full, and else only where it says so', async (t) => {
  for (const last of [undefined, { data: null, message: 'Too many requests' }]) {
    for (const paging of everyPaging) assert.match(String(await endingWith(t, last, paging)), doubtful, paging.by);
    const total: Paging = { ...byOffset, total: 'total' };
    assert.equal(await endingWith(t, last, total, { records: '/data', beside: { total: 20 } }), 20);
    for (const [sizes, size, end] of [
      [[10, 10, 3], undefined, 23],
      [[10], 20, 10],
      [[10], 10, doubtful],
      [[10], undefined, doubtful],
      [[10, 10], 100, doubtful],
    ] as const) {
      let from = 0;
      const { base } = await listenHttp(t, (response, _, count) => {
        const data = slice(from, sizes[count - 1] ?? 0);
        from += data.length;
        if (data.length > 0) sendJson(response, { data });
        else if (last) sendJson(response, last);
        else response.writeHead(204).end();
      });
      const client = connect(t, base);
      const paging: Paging = { ...byOffset, ...(size && { size: { parameter: 'limit', count: size } }) };
      const read: Promise<unknown[][]> = all(readPages(client, { url: client.url, method: 'GET', paging }, limits));
      if (typeof end === 'number') assert.equal((await read).flat().length, end);
      else await assert.rejects(read, (error) => end.test(String(error)));
    }
  }
  for (const fine of [{ hasMore: false }, { next: null }, { total: 20 }])
    for (const paging of everyPaging)
      assert.equal(await endingWith(t, { data: null, ...fine }, paging), 20, JSON.stringify(fine));
});

test('an empty page without the cursor or number of pages of the others is not the last', async (t) => {
  assert.match(String(await endingWith(t, { data: [] }, byCursor)), doubtful);
  assert.match(
    String(await endingWith(t, { data: [] }, { ...byPage, pages: 'pages' }, { beside: { pages: 3 } })),
    doubtful,
  );
  // Servers leave out a next page, and a cursor beside the last people.
  assert.equal(await endingWith(t, { data: [] }, byNext), 20);
  assert.equal(await endingWith(t, { data: slice(20) }, byCursor), 23);
});

test('people of later pages are where those of the first one were', async (t) => {
  const end = await endingWith(t, { errorCode: 'E0000047', errorCauses: [] }, byPage, {});
  assert.match(String(end), /InputError: .*there is no list of people at "\/data"/);
});

test('records are found where they are said to be, else where they usually are', () => {
  assert.deepEqual(findRecords({ a: { 'b/c': [1] } }, '/a/b~1c', ''), [1]);
  assert.deepEqual(findRecords([1], '', ''), [1]);
  assert.deepEqual(findRecords({ a: null }, '/a', ''), []);
  assert.deepEqual(findRecords({ fields: [1], employees: [2] }, undefined, ''), [2]);
  assert.deepEqual(findRecords({ staff: [3], count: 1 }, undefined, ''), [3]);
  assert.throws(() => findRecords({ a: [1], b: [2] }, undefined, 'x'), /x: no list of people was found/);
  assert.throws(() => findRecords({}, '/constructor', 'x'), /there is no list of people at "\/constructor"/);
});

test('whatever an answer is, it is a list or a refusal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.option(fc.string(), { nil: undefined }), (document, pointer) => {
      try {
        assert.ok(Array.isArray(findRecords(document, pointer === undefined ? undefined : `/${pointer}`, 'x')));
      } catch (error) {
        assert.match(String(error), /^InputError: x: /);
      }
    }),
  );
});

test('a Link header is read to its end whatever it says', () => {
  const next = '<https://hr.example/people?page=2>';
  for (const header of [
    `${next}; rel="next"`,
    `<https://hr.example/a,b>; rel="first"; title="a, <b>", ${next}; title="x \\" y"; REL=next`,
    `<x>; rel="last", ${next}; rel="alternate next"`,
  ]) {
    assert.equal(nextLink(header), 'https://hr.example/people?page=2');
  }
  for (const header of [undefined, '', '<x>; rel="nextish"', '<x>; title="rel=next"', next, '>;rel="next";']) {
    assert.equal(nextLink(header), undefined);
  }
  // The pattern that read this before took exponential time.
  assert.equal(nextLink(`<x>${';a=""'.repeat(200_000)}!`), undefined);
});

test('without paging, an answer that says there is more is refused, and what is not about pages is not', async (t) => {
  const people = slice(0).map((one) => ({ ...one, email: 'a@example.com' }));
  const refused: [answer: object, said: RegExp, records?: string][] = [
    [
      { value: people, '@odata.nextLink': 'https://graph.example/next' },
      /"\/@odata\.nextLink".*Set paging: \{ by: next/,
    ],
    [{ people, next: '/people?page=2' }, /"\/next"/],
    [{ people, has_more: true }, /"\/has_more"/],
    [{ people, total: 11 }, /"\/total"/],
    [{ Resources: people, totalResults: '23', itemsPerPage: 10 }, /"\/totalResults"/],
    [{ users: people, nextPageToken: 'x' }, /"\/nextPageToken"/],
    [{ values: people, isLast: false }, /"\/isLast"/],
    [{ data: people, meta: { pagination: { page: 1, total_pages: 3 } } }, /"\/meta\/pagination\/total_pages"/],
    [{ results: people, paging: { next: { after: '100' } } }, /"\/paging\/next\/after"/],
    [{ records: people, done: false }, /"\/done"/],
    [{ data: { users: { nodes: people, pageInfo: { hasNextPage: true } } } }, /"\/data\/users\/pageInfo\/hasNextPage"/],
    [{ data: { people }, errors: [{ message: 'one failed' }] }, /gave errors beside its data/, '/data/people'],
  ];
  const fine = [
    { people, total: 10, next: null, has_more: false, isLast: true, nextPageToken: '', page: 1, total_pages: 1 },
    { people, errors: [], payroll: { total: 99, next: 'friday' } },
    people.map((one) => ({ ...one, total: 99, hasMore: true })),
  ];
  let body: unknown;
  let headers: Record<string, string> = {};
  const { base } = await listenHttp(t, (response) => sendJson(response, body, 200, headers));
  const open = async (records?: string) => {
    const source = { http: { ...httpDefaults, url: base, ...(records !== undefined && { records }) } };
    const roster = await openSource(source, deps());
    const rows = (await all(roster.batches())).flat().length;
    await roster.close();
    return rows;
  };
  for (const [answer, said, records] of refused) {
    body = answer;
    assert.match(await refusal(open(records)), said);
  }
  for (body of fine) assert.equal(await open(), 10);
  headers = { link: `<${base}/people?page=2>; rel="next"` };
  assert.match(await refusal(open()), /its Link header names a next one\. Set paging: \{ by: link \}/);
});

test('paths of paging that lead to nothing in the first answer are refused, dotted or as JSON pointers', async (t) => {
  const people = slice(0);
  const answer = { data: { people }, paging: { after: 'x' }, count: 10 };
  const asked = (paging: Paging, more: object = {}) =>
    read(t, () => ({ answer: { ...answer, ...more } }), paging, { isDeclared: true, records: '/data/people' }).then(
      ({ pages }) => refusal(pages),
    );
  const nothing = /paging\.path \("pagin\.after"\) is not in the first answer/;
  assert.match(await asked({ by: 'cursor', path: 'pagin.after', parameter: 'after' }), nothing);
  assert.match(await asked({ by: 'next', path: '/paging/nxt' }), /is not in the first answer/);
  assert.match(
    await asked({ by: 'next', path: 'nextLink' }, { '@odata.nextLink': '/people?page=2' }),
    /is not in the answer, which says that there is more \("\/@odata\.nextLink"\)/,
  );
  assert.match(await asked({ by: 'link' }, { next: '/people?page=2' }), /has no Link header.*"\/next"/);
  assert.match(
    await asked({ by: 'page', parameter: 'p', first: 1, total: 'paging.total' }),
    /paging\.total .* is not in the first answer/,
  );
  assert.match(
    await asked({ by: 'page', parameter: 'p', first: 1, pages: '/paging/pages' }),
    /paging\.pages .* is not in the first answer/,
  );
  assert.match(
    await asked({ by: 'next', path: '/paging/next' }, { errors: [{ message: 'no' }] }),
    /gave 1 errors beside/,
  );
  for (const path of ['/meta/next~1page', 'meta.next/page']) {
    const { pages } = await read(
      t,
      (_, query) => {
        const page = Number(query.get('page') ?? 0);
        return { answer: { items: slice(page * 10), meta: { 'next/page': page < 2 ? page + 1 : null, n: 23 } } };
      },
      { by: 'cursor', path, parameter: 'page', total: '/meta/n' },
      { isDeclared: true },
    );
    assert.deepEqual((await pages).flat(), crowd);
  }
  // Servers leave this one out of the last page, which may be the first.
  const { pages } = await read(
    t,
    () => ({ answer }),
    { by: 'cursor', path: 'nextPageToken', parameter: 'p' },
    { isDeclared: true, records: '/data/people' },
  );
  assert.equal((await pages).flat().length, 10);
  const only = await read(
    t,
    () => ({ answer: { data: people } }),
    { by: 'cursor', path: 'paging.next.after', parameter: 'after' },
    { isDeclared: true },
  );
  assert.equal((await only.pages).flat().length, 10);
});
