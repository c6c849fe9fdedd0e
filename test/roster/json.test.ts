import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { columnsToRead } from '../../src/core/mapping/mapping-options.ts';
import { mapRow } from '../../src/core/mapping/map-row.ts';
import { resolveColumns } from '../../src/core/mapping/mapping.ts';
import type { MappingRules } from '../../src/core/mapping/mapping-rules.ts';
import { isReject } from '../../src/core/rows/row.ts';
import { openRecords, type RecordsOptions } from '../../src/roster/open-records.ts';
import { openAll } from '../../src/roster/join-rosters.ts';
import { openRoster, type OpenOptions } from '../../src/roster/open-roster.ts';
import { encode, markOf } from '../../src/roster/text/encoding.ts';
import { fileOf, read, readText, refusalOf, splitAt, streamOf } from './reading.ts';

const ann = { first: 'Ann', email: 'ann@example.com' };
const bo = { first: 'Bo', email: 'bo@example.com' };
const table = [
  ['first', 'email'],
  ['Ann', 'ann@example.com'],
  ['Bo', 'bo@example.com'],
];

function readJson(value: unknown, options?: OpenOptions) {
  return readText(JSON.stringify(value), options);
}

suite('the columns of JSON that rules name', () => {
  const person = (more: object) => ({
    firstname: 'Ann',
    lastname: 'Ek',
    email: 'ann@example.com',
    team: 'IT',
    ...more,
  });
  /** What happens to each record by rules: the address, or why not. */
  async function outcomes(records: object[], rules: MappingRules, defaults?: MappingRules) {
    const options = { groups: [], groupColumns: [], rules, ...(defaults && { defaults }) };
    const { roster, rows } = await readText(
      records.map((one) => JSON.stringify(one)).join('\n'),
      columnsToRead(options),
    );
    const mapping = resolveColumns(roster.form.header, options);
    return rows.map((row) => {
      const mapped = isReject(row) ? row : mapRow(row, mapping);
      return 'member' in mapped ? mapped.member.email : 'filtered' in mapped ? 'filtered' : 'reject';
    });
  }
  const groups = [{ column: 'TEAM' }];
  const two = [person({ contract: 'Permanent' }), person({ email: 'bo@example.com', contract: 'External' })];

  test('match whatever their case: a rule for `Contract` filters people whose `contract` says so', async () => {
    const external = [{ column: 'Contract', equals: 'External' }];
    assert.deepEqual(await outcomes(two, { groups, except: external }), ['ann@example.com', 'filtered']);
    assert.deepEqual(await outcomes(two, { groups, only: external }), ['filtered', 'bo@example.com']);
    assert.deepEqual(await outcomes(two, { groups, leavers: external }), ['ann@example.com', 'filtered']);
    const nested = [1, 2].map(() => person({ Emails: [{ Type: 'Work', Value: 'w@example.com' }], email: undefined }));
    const members = { email: 'emails[type=work].value' };
    assert.deepEqual(await outcomes(nested, { members, groups }), ['w@example.com', 'w@example.com']);
  });

  test('are refused where no record of the roster has them, wherever they are named', async () => {
    const invented = { column: 'Invented', equals: 'x' };
    for (const rules of [
      { groups, only: [invented] },
      { groups, except: [invented] },
      { groups, leavers: [invented] },
      { groups: [...groups, { add: 'A', when: invented }] },
      { groups: [{ column: 'Invented' }] },
      { groups: [{ template: '{team} {Invented}' }] },
      { groups, members: { telephone: 'Invented' } },
    ] satisfies MappingRules[])
      assert.match(await refusalOf(outcomes(two, rules)), /there is no column "?Invented"?/, JSON.stringify(rules));
  });

  test('may come late in a roster, and may be lacking where a preset knows them', async () => {
    const many = Array.from({ length: 2500 }, (_, at) => person({ email: `p${at}@example.com` }));
    const late = [...many, person({ CONTRACT: 'External' })];
    const except = [{ column: 'contract', equals: 'External' }];
    assert.equal((await outcomes(late, { groups, except })).at(-1), 'filtered');
    assert.match(await refusalOf(outcomes(many, { groups, except })), /there is no column "?contract/);
    assert.equal((await outcomes(many, { groups }, { except })).filter((one) => one === 'filtered').length, 0);
  });
});

suite('a JSON document', () => {
  test('of a server is read whatever stands beside its people', async () => {
    const { table: found } = await readText('{"total": 01, "people": [{"first":"Ann","email":"ann@example.com"}]}', {
      isAnswer: true,
    });
    assert.deepEqual(found, table.slice(0, 2));
  });

  test('that says it is one page of more is a part of the roster; one that reports errors is refused', async () => {
    for (const beside of [
      { next: 'https://hr.example.com/people?page=2' },
      { total: 250 },
      { meta: { hasMore: true } },
    ]) {
      const {
        roster: { form },
        table: found,
      } = await readJson({ ...beside, employees: [ann, bo] });
      assert.deepEqual([form.isPartial, found], [true, table], JSON.stringify(beside));
      assert.match(form.notes.join(), /says that there are more people than these/);
    }
    assert.match(
      await refusalOf(readJson({ errors: [{ message: 'x' }], employees: [ann] })),
      /gave errors beside its data/,
    );
    const last = { next: null, total: 2, page: 1, hasMore: false, errors: [], employees: [ann, bo] };
    const whole = await readJson(last);
    assert.deepEqual([whole.roster.form.isPartial, whole.roster.form.notes, whole.table], [undefined, [], table]);
  });

  const places: [pointer: string, document: unknown][] = [
    ['the document', [ann, bo]],
    ['/Report_Entry', { Report_Entry: [ann, bo] }],
    ['/root/Report_Entry', { root: { Report_Entry: [ann, bo] } }],
    ['/employees', { fields: [{ id: 'first' }], employees: [ann, bo] }],
    ['/data', { data: [ann, bo], meta: { links: [{ x: 1 }] } }],
    ['/Resources', { schemas: ['x'], totalResults: 2, Resources: [ann, bo] }],
    ['/d/results', { d: { results: [ann, bo] } }],
    ['/our~1people', { 'our/people': [ann, bo], count: 2 }],
    ['/data/users', { data: { users: [ann, bo] } }],
  ];
  for (const [pointer, document] of places) {
    test(`gives the people of ${pointer}`, async () => {
      const { roster, table: found, rows } = await readJson(document);
      assert.deepEqual(found, table);
      assert.deepEqual(
        rows.map(({ line }) => line),
        [1, 2],
      );
      assert.equal(roster.form.part, pointer);
      assert.equal(roster.form.format, 'json');
    });
  }

  test('gives the list that is named by its pointer', async () => {
    const document = { data: [{ x: 1 }], more: { people: [ann, bo] } };
    assert.deepEqual((await readJson(document, { records: '/more/people' })).table, table);
    assert.match(await refusalOf(readJson(document, { records: '/x' })), /no list at "\/x".*\/data \(1 records\)/);
  });

  test('is one person if the settings say so', async () => {
    assert.deepEqual((await readJson({ ...ann, emails: [{ a: 1 }], b: [{ c: 1 }] }, { records: '' })).table, [
      ['first', 'email', 'emails.a', 'b.c'],
      ['Ann', 'ann@example.com', '1', '1'],
    ]);
  });

  test('in which the people may be in several lists is refused with all of them', async () => {
    const message = await refusalOf(readJson({ x: [ann], y: [bo, bo] }));
    assert.match(
      message,
      /which of its values are the people.*\(read\.records\): \/x \(1 records\), \/y \(2 records\)/,
    );
    assert.match(
      await refusalOf(readJson({ a: 1 })),
      /this does not look like a list of people: it holds no list.*read\.records: ""/,
    );
  });

  test('gives nested values by their paths, and those that are asked for', async () => {
    const records = [
      { name: { given: 'Ann' }, emails: [{ type: 'work', value: 'ann@example.com' }], tags: ['x', 'y'] },
      { name: { given: 'Bo' }, late: 'z' },
    ];
    const { table } = await readJson(records, { paths: ['emails[0].value', 'name.given'], known: ['gone'] });
    assert.deepEqual(table, [
      ['name.given', 'emails[type=work].value', 'tags', 'late', 'emails[0].value', 'gone'],
      ['Ann', 'ann@example.com', 'x;y', '', 'ann@example.com', ''],
      ['Bo', '', '', 'z', '', ''],
    ]);
  });

  test('keeps every digit of a long number, and columns whose names objects have too', async () => {
    const { table } = await readText('[{"id": 12345678901234567890, "n": 1.50, "__proto__": "p", "constructor": "c"}]');
    assert.deepEqual(table, [
      ['id', 'n', '__proto__', 'constructor'],
      ['12345678901234567890', '1.5', 'p', 'c'],
    ]);
  });

  test('rejects records that are none, and reads on', async () => {
    const { rows } = await readText('[{"a": 1}, 7, {"a": 2,}, {"a": 3}, null]');
    assert.deepEqual(
      rows.map((row) => (isReject(row) ? `${row.line}: ${row.reason}: ${row.value}` : row.cells[0])),
      [
        '1',
        '2: the record is not an object with names and values: 7',
        '3: the record is not JSON: {"a": 2,}',
        '3',
        '5: the record is not an object with names and values: null',
      ],
    );
  });

  test('rejects a record that hides whose it is, and others if it was cut off', async () => {
    const { rows } = await read(await fileOf('{"a": 1}\n{"a": 2}\n7\n{"a": 3', 'x.ndjson'));
    assert.deepEqual(
      rows.map((row) => isReject(row) && [row.line, row.kind, row.hidesOthers]),
      [false, false, [3, undefined, true], [4, 'damaged', true]],
    );
  });

  test('on lines says whether the last one has a line end', async () => {
    for (const [text, isUnended] of [
      ['{"a": 1}\n{"a": 2}', true],
      ['{"a": 1}\n{"a": 2}\n', undefined],
    ] as const) {
      assert.equal((await read(await fileOf(text, 'x.ndjson'))).roster.form.isUnended, isUnended);
    }
    assert.equal((await readText('[{"a": 1}]')).roster.form.isUnended, undefined, 'a document has an end of its own');
  });

  test('is read in UTF-16, with a byte order mark, and in Windows-1252', async () => {
    const text = '[{"name": "Åse"}, {"name": "Bo"}]';
    for (const bytes of [
      Buffer.concat([markOf('utf-8'), encode(text, 'utf-8')]),
      Buffer.concat([markOf('utf-16le'), encode(text, 'utf-16le')]),
      encode(text, 'windows-1252'),
    ]) {
      assert.equal((await read(await fileOf(bytes, 'x.json'))).table[1]?.[0], 'Åse');
    }
  });

  test('holds one value after the other', async () => {
    const text = [ann, bo].map((record) => JSON.stringify(record, undefined, 2)).join('\n');
    assert.deepEqual((await readText(text)).table, table);
  });

  test('with a key for each person gives a bounded number of columns, and says so', async () => {
    const map = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`id${at}`, { name: 'x' }]));
    const { roster } = await readJson([map]);
    assert.equal(roster.form.header.length, 2000);
    assert.match(roster.form.notes.join(), /Only the first 2000 values/);
  });

  test('with a value that only a late record has gives a column for it', async () => {
    const late = { ...bo, terminationDate: '2020-01-31', job: { end: '2020-01-31' } };
    const records = [...Array.from({ length: 2500 }, () => ann), late];
    for (const text of [JSON.stringify(records), records.map((record) => JSON.stringify(record)).join('\n')]) {
      const { roster, rows } = await readText(text);
      assert.deepEqual(roster.form.header, ['first', 'email', 'terminationDate', 'job.end']);
      assert.deepEqual(rows.at(-1)?.cells, ['Bo', 'bo@example.com', '2020-01-31', '2020-01-31']);
    }
  });

  test('with a cell of very many values is read in time', { timeout: 60_000 }, async () => {
    const { table } = await readText(`[{"a": [${Array.from({ length: 150_000 }, (_, at) => at).join()}]}]`);
    assert.equal(table[1]?.[0]?.split(';').length, 150_000);
  });

  test('may be one long line', async () => {
    const records = Array.from({ length: 50_000 }, (_, at) => ({ first: `Ann ${at}`, email: `a${at}@example.com` }));
    const { rows } = await readJson({ employees: records });
    assert.equal(rows.length, 50_000);
    assert.deepEqual(rows.at(-1)?.cells, ['Ann 49999', 'a49999@example.com']);
  });

  const refused: [what: string, text: string, message: RegExp][] = [
    [
      'that is cut off',
      '{"employees": [{"a": 1}, {"a": 2}',
      /line 1: it ends in the middle: the file or download was cut off/,
    ],
    ['that is cut off in a text', '[{"a": "x', /it ends in the middle/],
    ['with something behind it', '[{"a": 1}]\n]', /line 2: "\]" stands where a value should/],
    ['with a comma too many', '{"employees": [{"a": 1}],,}', /stands where a key in quotes should/],
    ['with a colon too few', '{"employees" [{"a": 1}]}', /stands where a colon should/],
    ['without people', '{"employees": []}', /there is nobody in it/],
    ['of numbers', '{"employees": [1, 2]}', /none of its records can be read: the record is not an object/],
    ['that is deep', `{"a":`.repeat(100) + '1' + '}'.repeat(100), /more than 64 levels deep/],
    ['with a deep record', `[{"a": ${'['.repeat(1000)}${']'.repeat(1000)}}]`, /more than 64 levels deep/],
    ['that is deep and never ends', '[{'.repeat(2_000_000), /stands where a key in quotes should|more than 64 levels/],
    [
      'with a record that never ends',
      `[{"a": "${'x'.repeat(3_000_000)}"}]`,
      /one record or text is longer than 1048576/,
    ],
    ['with a key that never ends', `{"${'x'.repeat(3_000_000)}": []}`, /one record or text is longer than 1048576/],
  ];
  for (const [what, text, message] of refused) {
    test(`${what} is refused`, async () => assert.match(await refusalOf(readText(text)), message));
  }

  test('gives the same in any pieces', async () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const record = fc
      .dictionary(fc.string({ unit: 'binary', maxLength: 5 }), value, { maxKeys: 4 })
      .map((record) => ({ ...record, id: 1 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.nat(2),
        async (records, at, indent) => {
          const text = JSON.stringify(
            { skipped: [[records], 'x"[{', { y: records }], employees: records },
            undefined,
            indent,
          );
          const bytes = Buffer.from(text);
          const whole = await read(streamOf(bytes), { format: 'json', records: '/employees' });
          const inPieces = await read(streamOf(...splitAt(bytes, at)), { format: 'json', records: '/employees' });
          assert.deepEqual(inPieces.table, whole.table);
          assert.equal(whole.rows.length, records.length);
        },
      ),
      { numRuns: 150 },
    );
  });
});

suite('records on a line each', () => {
  test('say which share of them was read, of several files too', async () => {
    const lines = `${JSON.stringify(ann)}\n`.repeat(20_000);
    const files = [await fileOf(lines, 'a.ndjson'), await fileOf(lines, 'b.ndjson')] as const;
    const roster = await openAll([...files], (file) => openRoster(file), 'both');
    const shares: number[] = [];
    for await (const _ of roster.batches()) shares.push(roster.share?.() ?? 0);
    await roster.close();
    assert.deepEqual(
      shares,
      shares.toSorted((a, b) => a - b),
    );
    assert.ok((shares[0] ?? 1) < 0.2 && shares.some((share) => share > 0.4 && share < 0.6));
    assert.equal(shares.at(-1), 1);
  });

  const lines = `${JSON.stringify(ann)}\n\n${JSON.stringify(bo)}\n`;

  test('are known by the second one, or the name', async () => {
    const { roster, rows, table: found } = await readText(lines);
    assert.equal(roster.form.format, 'ndjson');
    assert.deepEqual(found, table);
    assert.deepEqual(
      rows.map(({ line }) => line),
      [1, 3],
    );
    assert.equal((await read(await fileOf(JSON.stringify(ann), 'x.jsonl'))).rows.length, 1);
  });

  test('that are none are rejects with their line', async () => {
    const { rows } = await readText(`${lines}{"first": \n7\n{"first": "Cy"}`);
    assert.deepEqual(
      rows.map((row) => [row.line, isReject(row)]),
      [
        [1, false],
        [3, false],
        [4, true],
        [5, true],
        [6, false],
      ],
    );
  });

  test('that are too long or too deep do not take memory', async () => {
    const long = `${lines}{"a": "${'x'.repeat(5_000_000)}"}\n`;
    assert.match(await refusalOf(readText(long)), /line 4: the line is longer than 1048576/);
    const { rows } = await readText(`${lines}{"a": ${'['.repeat(10_000)}${']'.repeat(10_000)}}\n`);
    assert.match(JSON.stringify(rows.at(-1)), /more than 64 levels deep/);
  });
});

suite('records that come one after the other', () => {
  async function open(records: unknown[], options: Partial<RecordsOptions> = {}) {
    async function* come() {
      yield* records;
    }
    return openRecords(come(), { name: 'hr', ...options });
  }

  test('are a roster, which can be read twice', async () => {
    const now = new Date('2026-03-01T08:00:00Z');
    const roster = await open([ann, bo], { now: () => now, known: ['late'] });
    for (let pass = 0; pass < 2; pass++) {
      const rows = [];
      for await (const batch of roster.batches()) rows.push(...batch);
      assert.deepEqual(
        rows.map(({ file, line, cells }) => [file, line, ...cells]),
        [
          ['hr', 1, 'Ann', 'ann@example.com', ''],
          ['hr', 2, 'Bo', 'bo@example.com', ''],
        ],
      );
    }
    const { format, notes, header } = roster.form;
    assert.deepEqual({ format, notes, header }, { format: 'json', notes: [], header: ['first', 'email', 'late'] });
    assert.deepEqual(roster.modifiedAt, now);
    const text = `${JSON.stringify(ann)}\n${JSON.stringify(bo)}\n`;
    assert.equal(roster.checksum(), createHash('sha256').update(text).digest('hex'));
    await roster.close();
  });

  test('that are none are refused, and so is one without end', async () => {
    assert.match(await refusalOf(open([])), /hr: it gave no records at all/);
    assert.match(await refusalOf(open([{ a: 'x'.repeat(2_000_000) }])), /hr, record 1: it is longer than/);
    assert.match(await refusalOf(open([ann], { limits: { bytes: 10 } })), /more than 10 bytes/);
  });

  test('that cannot be stored are rejects', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const roster = await open([ann, circle, undefined]);
    const rows = [];
    for await (const batch of roster.batches()) rows.push(...batch);
    assert.deepEqual(rows.map(isReject), [false, true, true]);
    await roster.close();
  });
});
