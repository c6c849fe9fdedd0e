import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { mapRow } from '../../src/core/mapping/map-row.ts';
import { describeMapping, resolveColumns } from '../../src/core/mapping/mapping.ts';
import type { MappingOptions } from '../../src/core/mapping/mapping-options.ts';
import { isReject } from '../../src/core/rows/row.ts';
import { read, readText, refusalOf } from './reading.ts';

const data = join(import.meta.dirname, '../../../shared/data');
const skip = existsSync(data) ? false : 'the samples in ../shared/data are not here';

suite('csv-spectrum', { skip }, async () => {
  const folder = join(data, 'csv-spectrum');
  const names = skip ? [] : (await readdir(join(folder, 'csvs'))).map((name) => name.replace(/\.csv$/, ''));
  for (const name of names) {
    test(`${name} is equal to its JSON`, async () => {
      const json = JSON.parse(await readFile(join(folder, `json/${name}.json`), 'utf8')) as unknown;
      const expected = (Array.isArray(json) ? json : [json]) as Record<string, string>[];
      const text = await readFile(join(folder, `csvs/${name}.csv`), 'utf8');
      // The copies of the _crlf cases have lost their carriage returns.
      const [header = [], ...rows] = (await readText(name.endsWith('_crlf') ? text.replace(/\r?\n/g, '\r\n') : text))
        .table;
      const found = rows.map((cells) => Object.fromEntries(header.map((column, at) => [column, cells[at]])));
      // In the copies of this case, the number was made unrecognisable in the JSON only.
      const number = 'Contact Phone Number';
      assert.deepEqual(
        found,
        expected.map((row, at) => (number in row ? { ...row, [number]: found[at]?.[number] } : row)),
      );
    });
  }
});

suite('csvkit', { skip }, () => {
  const tables: [name: string, encoding: string, table: string[][]][] = [
    [
      'test_utf8.csv',
      'utf-8',
      [
        ['foo', 'bar', 'baz'],
        ['1', '2', '3'],
        ['4', '5', 'ʤ'],
      ],
    ],
    [
      'test_utf8_bom.csv',
      'utf-8',
      [
        ['foo', 'bar', 'baz'],
        ['1', '2', '3'],
        ['4', '5', 'ʤ'],
      ],
    ],
    [
      'test_utf16_big.csv',
      'utf-16be',
      [
        ['a', 'b', 'c'],
        ['1', '2', '3'],
        ['4', '5', 'ʤ'],
      ],
    ],
    [
      'test_utf16_little.csv',
      'utf-16le',
      [
        ['a', 'b', 'c'],
        ['1', '2', '3'],
        ['4', '5', 'ʤ'],
      ],
    ],
    [
      'test_latin1.csv',
      'windows-1252',
      [
        ['a', 'b', 'c'],
        ['1', '2', '3'],
        ['4', '5', '©'],
      ],
    ],
    [
      'mac_newlines.csv',
      'utf-8',
      [
        ['a', 'b', 'c'],
        ['1', '2', '3'],
        ['Once upon\ra time', '5', '6'],
      ],
    ],
    [
      'dummy.tsv',
      'utf-8',
      [
        ['a', 'b', 'c'],
        ['1', '2', '3'],
      ],
    ],
    [
      'test_skip_lines.csv',
      'utf-8',
      [
        ['a', 'b', 'c'],
        ['1', '2', '3'],
      ],
    ],
    [
      'test_header_newline.csv',
      'utf-8',
      [
        ['\t\n\v\f\r start \t\n\v\f\r end \t\n\v\f\r', 'b', 'c'],
        ['d', 'e', 'f'],
      ],
    ],
    [
      'test_locale.csv',
      'utf-8',
      [
        ['a', 'b', 'c'],
        ['1,7', '200.000.000', ''],
      ],
    ],
    [
      'blanks.csv',
      'utf-8',
      [
        ['a', 'b', 'c', 'd', 'e', 'f'],
        ['', 'NA', 'N/A', 'NONE', 'NULL', '.'],
      ],
    ],
    [
      'test_empty_columns.csv',
      'utf-8',
      [
        ['a', 'b', 'c', '', ''],
        ['a', '', '', '', ''],
        ['', '', 'c', '', ''],
      ],
    ],
  ];
  for (const [name, encoding, table] of tables) {
    test(`${name} is read as ${encoding}`, async () => {
      const found = await read(join(data, 'csvkit-encodings', name));
      assert.deepEqual(found.table, table);
      assert.equal(found.roster.form.encoding, encoding);
    });
  }

  test('ragged rows are filled or rejected', async () => {
    const { rows } = await read(join(data, 'csvkit-encodings/bad.csv'));
    assert.deepEqual(
      rows.map((row) => [row.line, isReject(row), row.cells.length]),
      [
        [2, true, 4],
        [3, false, 3],
        [4, false, 3],
      ],
    );
  });

  const refused: [name: string, message: RegExp][] = [
    ['null_byte.csv', /line 2: there is a NUL byte/],
    ['sheets.xlsx', /several sheets\. Name one, .*\n.*"data": 5 rows, 7 columns.*\n.*"ʤ": 1 row/],
    ['test_empty_columns_long_row.csv', /nobody below it/],
    ['test_empty_columns_short_row.csv', /nobody below it/],
  ];
  for (const [name, message] of refused) {
    test(`${name} is refused`, async () => {
      assert.match(await refusalOf(read(join(data, 'csvkit-encodings', name))), message);
    });
  }
});

async function people(name: string, options: Partial<MappingOptions> = {}) {
  const { roster, rows } = await read(join(data, name));
  const mapping = resolveColumns(roster.form.header, { groups: ['All'], groupColumns: [], file: name, ...options });
  const results = rows.map((row) => (isReject(row) ? row : mapRow(row, mapping)));
  const members = results.flatMap((result) => ('member' in result ? [result.member] : []));
  return { mapping, members, rejects: results.filter(isReject) };
}

suite('real rosters', { skip }, () => {
  test('adobe user-sync gives three people their groups', async () => {
    const { members, rejects } = await people('adobe-user-sync/users-file.csv', { groups: [] });
    assert.equal(rejects.length, 0);
    assert.deepEqual(
      members.map(({ email, groups }) => [email, groups]),
      ['jsmith', 'jdoe', 'rroe'].map((name) => [`${name}@example.com`, ['AdobeCC-All']]),
    );
  });

  test('rows without groups are rejects where the groups column is all there is', async () => {
    const { rejects } = await people('adobe-user-sync/users-file-with-custom-attributes-and-mappings.csv', {
      groups: [],
    });
    assert.deepEqual(
      rejects.map(({ line, reason }) => [line, reason]),
      [2, 3, 4].map((line) => [line, 'no group: groups is empty']),
    );
  });

  test('both exports of Google Workspace are understood', async () => {
    const download = await people('vendor-doc-examples/google-workspace-download.csv');
    assert.deepEqual(
      download.members.map(({ email }) => email),
      ['john.doe@company.com', 'jane.smith@company.com'],
    );
    const upload = await people('vendor-doc-examples/google-workspace-upload.csv', {
      groups: [],
      groupColumns: ['Department'],
    });
    assert.deepEqual(
      describeMapping(upload.mapping).map(({ column }) => column),
      [
        'First Name [Required]',
        'Last Name [Required]',
        'Email Address [Required]',
        'Work Phone',
        'Employee ID',
        'Department',
      ],
    );
  });

  test('names in Japanese come through', async () => {
    const { members } = await people('vendor-doc-examples/oneroster-japan-profile-users.csv');
    assert.deepEqual([members[0]?.firstname, members[0]?.lastname], ['太郎', '山田']);
  });

  test('people without addresses are refused as a whole, with the columns found', async () => {
    const refused = people('midpoint-hogwarts/accounts.csv', { groups: [] });
    assert.match(
      await refusalOf(refused),
      /no column gives the e-mail[^]*"login", "firstname", "lastname", "memberOf"/,
    );
  });

  test('a header alone does not mean that nobody is left', async () => {
    assert.match(await refusalOf(read(join(data, 'midpoint-csv/midpoint-groups.csv'))), /a header and nobody below it/);
  });

  test('every CSV file of the samples is read or refused', async () => {
    const files = await readdir(data, { recursive: true });
    const csv = files.filter((name) => /\.(csv|tsv)$/.test(name));
    assert.ok(csv.length > 40);
    for (const name of csv) {
      await read(join(data, name)).then(
        ({ rows }) => assert.ok(rows.length > 0, name),
        (error: unknown) => refusalOf(Promise.reject(error)),
      );
    }
  });
});
