import assert from 'node:assert/strict';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, it } from 'node:test';
import { parseKeptBlock } from '../../config/kept-source.ts';
import { describeConfig } from '../../config/load.ts';
import { nightlyLines } from '../../config/source-block.ts';
import { failure, load } from './folder.ts';

const staff = (lines: string): string => `sources:\n  staff:\n${lines.replaceAll(/^/gm, '    ')}\n`;

describe('the sources of the settings', () => {
  it('are read as they are written, with files found from the config’s folder', (t) => {
    const { sources, file = '' } = load(
      t,
      staff('file: ./people.csv\ngroups: [{ column: Team, split: ";" }]\nrename: { a: b }'),
    );
    assert.deepEqual(sources['staff'], {
      file: join(file, '../people.csv'),
      groups: [{ column: 'Team', split: ';' }],
      rename: { a: 'b' },
    });
  });

  it('may join rows that hold today, by the first day or the last one', (t) => {
    const joined = (current: string) =>
      staff(
        'file: ./export\nread: { join: { people: [{ file: p.csv, columns: { team: [{ from: Id, steps: [' +
          `{ file: c.csv, where: Id, take: Team, current: ${current} }] }] } }] } }`,
      );
    const { sources } = load(t, joined('{ start: From, end: To, order: dmy, else: newest }'));
    assert.deepEqual(sources['staff']?.read?.join?.people[0]?.columns['team']?.[0]?.steps[0]?.current, {
      ...{ start: 'From', end: 'To', order: 'dmy', else: 'newest' },
    });
    assert.match(failure(t, joined('{}')), /current must name start or end, or both/);
    assert.match(
      failure(t, joined('{ end: To, else: newest }')),
      /current must name start, by which the newest is found/,
    );
  });

  it('have patterns that can be used', (t) => {
    const wrong = (lines: string): string => failure(t, staff(`file: a.csv\n${lines}`));
    assert.match(
      wrong('renamePatterns: [{ matches: "(.+)-ACL", to: "ACL $2" }]'),
      /sources\.staff\.renamePatterns\[0\] is wrong: "ACL \$2" asks for \$2, and the pattern "\(\.\+\)-ACL" has 1 pair of parentheses/,
    );
    assert.match(wrong('renamePatterns: [{ matches: "(a", to: b }]'), /the pattern "\(a" cannot be used/);
    assert.match(
      wrong('only: [{ column: Title, matches: "[a" }]'),
      /only\[0\] is wrong: the pattern "\[a" cannot be used/,
    );
  });

  it('compare cells with text only: a code that YAML changes is refused, in values and in keys', (t) => {
    const refused = [
      ...['only: [{ column: Dept, in: [99, 01] }]', 'except: [{ column: Dept, equals: 1.10 }]'],
      ...['leavers: [{ column: Dept, startsWith: 1e3 }]', 'only: [{ column: Dept, contains: 0x1F }]'],
      ...['groups: [{ add: All, when: { column: Id, equals: 12345678901234567890 } }]', 'allow: { values: [0] }'],
      ...['only: [{ column: Active, equals: true }]', 'allow: { people: { except: [007] } }'],
      ...['allow: { groups: { only: [1] } }', 'rename: { "02": 3 }', 'members: { email: 1 }'],
    ];
    for (const lines of refused) {
      assert.match(
        failure(t, staff(`file: a.csv\n${lines}`)),
        /put it in quotes|must be a column|must be the name/,
        lines,
      );
      const kept = parseKeptBlock(lines);
      assert.ok('problems' in kept, lines);
    }
    for (const [key, read] of [
      ['02', '2'],
      ['1e3', '1000'],
      ['1.10', '1.1'],
      ['0x1F', '31'],
      ['True', 'true'],
    ] as const) {
      const message = new RegExp(`the key ${key.replace('.', '[.]')} is read as ${read}; put it in quotes`);
      assert.match(failure(t, staff(`file: a.csv\nrename: { ${key}: Two }`)), message);
      const kept = parseKeptBlock(`rename: { ${key}: Two }`);
      assert.match('problems' in kept ? kept.problems.join() : '', message);
    }
    const { sources } = load(
      t,
      staff('file: a.csv\nonly: [{ column: A, in: [yes, no, on, 2026-01-02, "01"] }]\nrename: { 99: X }'),
    );
    assert.deepEqual(sources['staff']?.only, [{ column: 'A', in: ['yes', 'no', 'on', '2026-01-02', '01'] }]);
    assert.deepEqual(sources['staff']?.rename, { 99: 'X' });
  });

  it('may be none', (t) => assert.deepEqual(load(t, undefined).sources, {}));

  it('take variables, which are secrets where the setting is one, in every output', (t) => {
    const yaml = staff(
      'http: { url: "https://x.example/p?key=S3cret1", auth: { bearer: "${TOKEN}" } }\naccount: { key: S3cret3 }',
    );
    const config = load(t, yaml, { environment: { TOKEN: 'S3cret2' } });
    assert.equal(config.sources['staff']?.http?.auth?.bearer?.reveal(), 'S3cret2');
    const shown = describeConfig(config);
    assert.match(shown, /sources\.staff .*https:\/\/x\.example\/p/);
    assert.match(shown, /roster-sync\.yaml:2/);
    for (const text of [shown, inspect(config.settings, { depth: 9 }), JSON.stringify(config.settings)])
      assert.doesNotMatch(text, /S3cret/);
  });

  it('say nothing of a secret that is wrong', (t) => {
    const message = failure(
      t,
      staff('http: { url: "https://x.example", auth: { bearer: S3cret, basic: 7 } }\naccount: [S3cret]'),
    );
    assert.doesNotMatch(message, /S3cret/);
    assert.match(message, /sources\.staff\.account/);
  });

  const wrong: [lines: string, message: RegExp][] = [
    ['fil: x', /yaml:3: sources\.staff\.fil is not a setting; did you mean file\?/],
    ['groups:\n  - { colum: x }', /yaml:4: sources\.staff\.groups\[0\]\.colum is not a setting; did you mean column\?/],
    [
      'groups: [{ column: a, always: b }]',
      /groups\[0\] must have exactly one of column, matrix, template, always and add/,
    ],
    ['groups: [{ add: a }]', /groups\[0\] needs when: for add:/],
    ['groups: [{ always: a, split: ";" }]', /split can be set only together with column/],
    ['groups: []', /groups must not be empty/],
    ['members: { email: { columns: [] } }', /members\.email\.columns must not be empty/],
    [
      'members: { telephone: { column: a, country: Denmark } }',
      /country must be two capital letters of ISO 3166, such as DK, not "Denmark"/,
    ],
    ['only: []', /staff\.only must not be empty, which would take everybody; leave it out instead/],
    ['webhook: { preset: hibob, people: { only: [] } }', /people\.only must not be empty, which would take everybody/],
    ['groups: [{ add: a, when: [] }]', /groups\[0\]\.when must not be empty, which would take everybody/],
    ['allow: { groups: { only: [] } }', /allow\.groups\.only must not be empty/],
    ['allow: { emails: { domains: [] } }', /allow\.emails\.domains must not be empty/],
    ['only: [{ column: a, in: [] }]', /only\[0\]\.in must not be empty/],
    ['only: [{ column: a, contains: "" }]', /only\[0\]\.contains must not be empty; every cell has that/],
    ['only: [{ column: a, startsWith: "" }]', /only\[0\]\.startsWith must not be empty; every cell has that/],
    ['only: [{ column: a }]', /only\[0\] must have one of equals, in,/],
    ['only: { column: a, is: true }', /only must be a list of conditions/],
    ['except: [{ equals: a }]', /except\[0\]\.column is missing/],
    ['allow: { emails: { domains: example.com } }', /domains must be a list of domains, not "example\.com"/],
    ['allow: { groups: { perPerson: 0 } }', /perPerson must be a whole number from 1/],
    ['deliver: { rate: fast }', /deliver\.rate must be a rate like/],
    ['groups: *x', /Unresolved alias|is an alias|not YAML/],
  ];
  for (const [lines, message] of wrong) {
    it(`explain what is wrong with "${lines.replaceAll('\n', ' ')}"`, (t) =>
      assert.match(failure(t, staff(lines)), message));
  }

  it('may be kept in the ledger with every rule of the config, patterns of names too', () => {
    const rules = "renamePatterns: [{ matches: '(.+)-ACL', to: 'ACL $1' }]\n";
    assert.ok('source' in parseKeptBlock(rules), inspect(parseKeptBlock(rules)));
  });

  it('name the rule for leavers as it stands, with a brace in the name of its column', () => {
    const lines = nightlyLines(['except:', '  - { column: "Left {day}", past: true } # why {not}'], 'UTC');
    assert.match(lines.join('\n'), /^# leavers: \[\{ column: "Left \{day\}", past: true \}\] # rows/m);
  });

  it('must have names that can be typed', (t) => {
    assert.match(
      failure(t, 'sources:\n  "a b": { file: x }\n'),
      /yaml:2: sources\.a b is not a name: begin with a letter or digit, continue with letters, digits and - _ \. \(at most 100 characters\)/,
    );
  });
});
