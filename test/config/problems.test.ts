import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseKeptBlock, readKeptSources } from '../../config/kept-source.ts';
import { loadConfig } from '../../config/load.ts';
import { failure, load, makeFolder } from './folder.ts';

describe('what is wrong in the settings', () => {
  it('is an @ or / in a password that is not encoded, which would name another host; it says how to write it, and shows nothing', (t) => {
    const wrong: Record<string, string> = {
      REDIS_URL: 'redis://:Head@Tail/x@host',
      DATABASE_URL: 'postgres://ann:Head/Tail@host/db',
      ROSTER_SYNC__NOTIFY__SMTP: 'smtp://ann:12?Head@Tail',
    };
    for (const [name, value] of Object.entries(wrong)) {
      const said = failure(t, '', { environment: { [name]: value } });
      assert.match(said, /write an @ in user or password as %40, a \/ as %2F/, name);
      assert.doesNotMatch(said, /Head|Tail/);
    }
    const chance = failure(t, '', { environment: { DATABASE_URL: 'postgres://ann@host/db?sslmode=prefer' } });
    assert.match(chance, /must not leave TLS to chance: write sslmode=verify-full, or sslmode=disable/);
    const [DATABASE_URL, PGSSLMODE] = ['postgres://ann@host/db', 'prefer'];
    const byDriver = failure(t, '', { environment: { DATABASE_URL, PGSSLMODE } });
    assert.match(
      byDriver,
      /PGSSLMODE must not leave TLS to chance: set it to verify-full or disable, or write sslmode/,
    );
    for (const environment of [{ PGSSLMODE }, { DATABASE_URL: `${DATABASE_URL}?sslmode=disable`, PGSSLMODE }]) {
      load(t, '', { environment });
    }
  });

  it('is an alias in a kept source, since its copies could fill the memory', () => {
    const said = ['it has an alias (`*name`): write the value out'];
    assert.deepEqual(parseKeptBlock('only: &a [{ column: A, in: [b] }]\nexcept: *a\n'), { problems: said });
    assert.equal(readKeptSources('sources:\n  a: &a { only: [] }\n  b: *a\n'), said[0]);
  });

  it('is a key without a value in a kept source, which might have said who counts', () => {
    const [problem = ''] = (parseKeptBlock('members: { email: Mail }\nonly:\n') as { problems: string[] }).problems;
    assert.match(problem, /^line 2: only must be a list of conditions/);
    assert.equal(
      readKeptSources('sources:\n  a:\n  b: { only: [] }\n'),
      'it has no `sources:` with settings by their names',
    );
  });

  it('shows no secret, not even one in a wrong place that is also written elsewhere', (t) => {
    const http = '{ url: "https://hr.example.com", headers: { authorization: { value: Hush-hush-7 } } }';
    const said = failure(t, `sources:\n  staff:\n    http: ${http}\n    settle: Hush-hush-7\n`);
    assert.match(said, /sources\.staff\.settle must be a time/);
    assert.doesNotMatch(said, /Hush/);
  });

  it('is no % in a password, which stands for itself', (t) => {
    const { redisUrl, databaseUrl } = load(t, '', {
      environment: { REDIS_URL: 'redis://:100%@host', DATABASE_URL: 'postgres://a%40b:p%C3%A5%zz@host/db' },
    });
    assert.equal(redisUrl?.reveal(), 'redis://:100%25@host');
    assert.equal(databaseUrl?.reveal(), 'postgres://a%40b:p%C3%A5%25zz@host/db');
  });

  it('is reported all at once, each with its place and what to do', (t) => {
    const yaml = 'delivery:\n  rate: { limt: 5 }\n  attempts: many\n  deadline: 12 hours\nservce:\n  token: abc\n';
    const environment = {
      ROSTER_SYNC__DELIVERY__FORCESYNC: 'true',
      ROSTER_SYNC__DELIVERY__INVITE: 'yes',
      ROSTER_SYNC_DATADIR: '/data',
      REDIS_URL: 'http://cache',
    };
    const flags = [{ flag: '--rate', setting: 'delivery.rate', value: 'fast' }];
    assert.deepEqual(failure(t, yaml, { environment, flags }).split('\n'), [
      'The settings have 9 problems:',
      '  roster-sync.yaml:2: delivery.rate.limt is not a setting; did you mean delivery.rate.limit?',
      '  roster-sync.yaml:3: delivery.attempts must be a whole number from 1 to 100, not "many"',
      '  roster-sync.yaml:4: delivery.deadline must be a time like 250ms, 30s, 5m or 12h, not "12 hours"',
      '  roster-sync.yaml:5: servce is not a setting; did you mean service?',
      '  ROSTER_SYNC__DELIVERY__FORCESYNC: this variable is not a setting; did you mean ROSTER_SYNC__DELIVERY__FORCE_SYNC?',
      '  ROSTER_SYNC_DATADIR: this variable is not a setting; did you mean ROSTER_SYNC_DATA_DIR?',
      '  --rate: delivery.rate must be a rate like 200 (a second) or 300/1m',
      '  ROSTER_SYNC__DELIVERY__INVITE: delivery.invite must be true or false, not "yes"',
      '  REDIS_URL: redisUrl must be an address that begins with redis:// or rediss://',
    ]);
  });

  const wrong: [string, RegExp][] = [
    ['timeout: 5s', /yaml:1: timeout is not a setting; did you mean service\.timeout\?$/],
    ['sources: { staff: { fiel: x.csv } }', /yaml:1: sources\.staff\.fiel is not a setting; did you mean file\?$/],
    ['source: {}', /yaml:1: source is not a setting; did you mean sources/],
    ['service: https://service.example', /yaml:1: service is not one value; set service\.baseUrl, /],
    ['service: { timeout: 0 }', /service\.timeout must be a time like .*, not 0/],
    ['service: { timeout: -5s }', /service\.timeout must be a time/],
    ['service: { timeout: 99d }', /service\.timeout must be a time/],
    ['service: { timeout: [5s] }', /service\.timeout must be a time/],
    ['service: { timeout: { a: 5s } }', /service\.timeout must be a time/],
    [
      'service: { baseUrl: service.example }',
      /service\.baseUrl must be an address like https:.*, not "service\.example"/,
    ],
    ['service: { username: 42, password: x }', /service\.username must be text; put it in quotes, not 42/],
    ['delivery: { rate: { and: 5 } }', /delivery\.rate\.and must be a list of rates/],
    ['delivery: { rate: { and: [300/1m, 5/x] } }', /delivery\.rate\.and must be a rate like .*, not "5\/x"/],
    ['delivery: { rate: 5 per second }', /delivery\.rate must be a rate/],
    ['delivery: { concurrency: 1.5 }', /delivery\.concurrency must be a whole number from 1 to 1000, not 1\.5/],
    ['delivery: { backoff: { first: 9m } }', /yaml:1: delivery\.backoff\.first must not be longer/],
    ['dataDir: ""', /dataDir must not be empty/],
    ['- a\n- b', /yaml:1: this must be settings/],
    ['service:\n  ? [a, b]\n  : c', /a key must be plain text/],
    ['delivery:\n\tattempts: 1', /yaml:\d: this is not YAML as it is read here: Tabs are not allowed as indentation/],
    ['dataDir: a\ndataDir: b', /yaml:2: this is not YAML as it is read here: Map keys must be unique/],
    [
      'dataDir: &a x\nservice:\n  username: *a\n  password: y',
      /yaml:3: service\.username is an alias; write the value out/,
    ],
    ['a: &a [x]\nb: &b [*a, *a]\nservice: { <<: *b }', /yaml:3: service\.<< is not a setting/],
    ['dataDir: !custom x', /yaml:1: this is not YAML as it is read here: Unresolved tag/],
    ['dataDir: a\n---\ndataDir: b', /this is not YAML as it is read here/],
  ];
  for (const [yaml, message] of wrong) {
    it(`is explained: ${JSON.stringify(yaml)}`, (t) => assert.match(failure(t, yaml), message));
  }

  it('is placed on the line of the part that is wrong, also within a list, and said about each source', (t) => {
    const yaml = `server:
  hosts:
    - a.example
    - 5
sources:
  one:
    only:
      - column: A
      - { column: B, in: [x] }
    file: "\${A}"
  two: { file: "\${B}", fiel: "\${C}" }
service:
  tokn: "\${D}"
`;
    assert.deepEqual(failure(t, yaml).split('\n').slice(1), [
      '  roster-sync.yaml:4: server.hosts must be text; put it in quotes, not 5',
      '  roster-sync.yaml:8: sources.one.only[0] must have one of equals, in, startsWith, contains, matches, is, empty, past',
      '  roster-sync.yaml:10: sources.one.file needs the environment variable A, which is not set',
      '  roster-sync.yaml:11: sources.two.file needs the environment variable B, which is not set',
      '  roster-sync.yaml:11: sources.two.fiel needs the environment variable C, which is not set',
      '  roster-sync.yaml:13: service.tokn is not a setting; did you mean service.token?',
    ]);
  });

  it('is nothing if keys are empty, or the file has only comments', (t) => {
    for (const yaml of ['', '# nothing\n', 'service:\ndelivery:\n  rate:\n', '\ufeffdataDir: x\n']) load(t, yaml);
  });

  it('ignores the variables of other programs', (t) => {
    const environment = {
      ROSTER_SYNC_PORT: 'tcp://10.0.0.1:80',
      ROSTER_SYNC_SERVICE_HOST: '10.0.0.1',
      ROSTER_SYNC_TOKENS: 'a',
    };
    load(t, 'service: { token: "${ROSTER_SYNC_TOKENS}" }', { environment });
    assert.match(failure(t, undefined, { environment }), /^ROSTER_SYNC_TOKENS: .*did you mean ROSTER_SYNC_TOKEN\?$/);
  });
});

describe('credentials', () => {
  it('are refused when there are two kinds of them, wherever they come from', (t) => {
    const message = failure(t, 'service:\n  token: abcd-hidden\n', {
      environment: { ROSTER_SYNC__SERVICE__USERNAME: 'u', ROSTER_SYNC__SERVICE__PASSWORD: 'p-hidden' },
    });
    assert.match(
      message,
      /keep only one of service\.token \(roster-sync\.yaml:2\) and service\.username \(ROSTER_SYNC__SERVICE__USERNAME\)/,
    );
    assert.doesNotMatch(message, /hidden/);
    const both = failure(t, 'service: { token: abcd-hidden, tokenFile: token }');
    assert.match(both, /keep only one of service\.token \(.*\) and service\.tokenFile/);
  });

  it('are refused when one half is missing', (t) => {
    assert.match(failure(t, 'service: { username: u }'), /service\.username needs service\.password/);
    assert.match(failure(t, 'service: { password: p }'), /service\.password needs service\.username/);
  });

  it('are refused when a short variable and its long form disagree', (t) => {
    const environment = { ROSTER_SYNC_TOKEN: 'hidden-a', ROSTER_SYNC__SERVICE__TOKEN: 'hidden-b' };
    assert.equal(
      failure(t, undefined, { environment }),
      'ROSTER_SYNC_TOKEN: ROSTER_SYNC__SERVICE__TOKEN sets service.token to something else; keep one of them.',
    );
    load(t, undefined, { environment: { ...environment, ROSTER_SYNC_TOKEN: 'hidden-b' } });
  });

  it('are never shown, wherever they stand', (t) => {
    const shown = [
      failure(t, 'service:\n  token: hidden-token\n  timeout: hidden-token\n'),
      failure(t, 'service:\n  token: hidden: token\n'),
      failure(t, 'service:\n  token: [hidden\n'),
      failure(t, 'service:\n  token: *hidden\n'),
      failure(t, 'service:\n  baseUrl: https://me:hidden@service.example\n'),
      failure(t, undefined, { environment: { DATABASE_URL: 'mysql://me:hidden@db' } }),
    ];
    for (const message of shown) assert.doesNotMatch(message, /hidden/);
  });
});

describe('a config file', () => {
  it('must be there when it is named', (t) => {
    assert.equal(failure(t, undefined, { configFile: 'no.yaml' }), 'There is no config file no.yaml.');
    assert.equal(
      failure(t, undefined, { environment: { ROSTER_SYNC_CONFIG: 'no.yaml' } }),
      'There is no config file no.yaml.',
    );
  });

  it('must be a file of text, and not a large one', (t) => {
    const cwd = makeFolder(t);
    mkdirSync(join(cwd, 'roster-sync.yaml'));
    assert.throws(() => loadConfig({ cwd, environment: {} }), /roster-sync\.yaml cannot be read: EISDIR/);
    assert.match(failure(t, Buffer.from([0x61, 0x3a, 0xff, 0xfe])), /not UTF-8/);
    assert.match(failure(t, Buffer.alloc(300 * 1024, '#')), /larger than 256 KiB/);
  });

  it('that nests endlessly is refused', (t) => {
    assert.match(failure(t, 'service: { token: ' + '['.repeat(100_000)), /YAML|not a setting|must be/);
  });

  it('may be called .yml as well', (t) => {
    const cwd = makeFolder(t);
    writeFileSync(join(cwd, 'roster-sync.yml'), 'dataDir: kept\n');
    assert.equal(loadConfig({ cwd, environment: {} }).dataDir, join(cwd, 'kept'));
  });
});
