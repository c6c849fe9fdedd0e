import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inspect } from 'node:util';
import { describe, it } from 'node:test';
import { foreignEnvironment, loadConfig, requireBaseUrl, describeConfig } from '../../config/load.ts';
import { failure, load, makeFolder } from './folder.ts';

describe('the settings', () => {
  it('and proxies are what the demo sees nothing of', () => {
    const ours = { ROSTER_SYNC_TOKEN: 'a', REDIS_URL: 'b', DATABASE_URL: 'c', https_proxy: 'd', HTTP_PROXY: 'e' };
    assert.deepEqual(foreignEnvironment({ ...ours, PATH: '/bin', NO_PROXY: 'f' }), { PATH: '/bin', NO_PROXY: 'f' });
  });

  it('are the defaults of the interface when nothing is set', (t) => {
    const { service, delivery, redisUrl, file } = load(t, undefined);
    assert.deepEqual(
      { service, delivery, redisUrl, file },
      {
        service: { timeoutMs: 30_000 },
        delivery: {
          forceSync: false,
          invite: true,
          rate: { limit: 5, perMs: 1000, and: [], adaptive: true },
          concurrency: 10,
          canary: true,
          attempts: 6,
          backoff: { first: 1000, max: 300_000 },
          deadlineMs: 12 * 3_600_000,
        },
        redisUrl: undefined,
        file: undefined,
      },
    );
  });

  it('come from flags before the environment before the file before the defaults', (t) => {
    const yaml = 'delivery:\n  attempts: 2\n  concurrency: 3\n  rate: { limit: 7, per: 2s }\n';
    const environment = { ROSTER_SYNC__DELIVERY__CONCURRENCY: '4', ROSTER_SYNC__DELIVERY__RATE__LIMIT: '8' };
    const flags = [
      { flag: '--rate', setting: 'delivery.rate', value: '300/1m' },
      { flag: '--invite', setting: 'delivery.invite', value: undefined },
    ];
    const { delivery, settings } = load(t, yaml, { environment, flags });
    assert.equal(delivery.attempts, 2);
    assert.equal(delivery.concurrency, 4);
    assert.deepEqual(delivery.rate, { limit: 300, perMs: 60_000, and: [], adaptive: true });
    assert.equal(delivery.invite, true);
    const from = Object.fromEntries(settings.map((setting) => [setting.name, setting.from]));
    assert.equal(from['delivery.attempts'], 'roster-sync.yaml:2');
    assert.equal(from['delivery.concurrency'], 'ROSTER_SYNC__DELIVERY__CONCURRENCY');
    assert.equal(from['delivery.rate.limit'], '--rate');
    assert.equal(from['delivery.invite'], 'default');
    assert.equal(settings.find(({ name }) => name === 'delivery.rate.per')?.value, '1m', 'with its unit');
  });

  it('can each be set by a variable, camelCase written with an underscore', (t) => {
    const environment = {
      ROSTER_SYNC__DELIVERY__FORCE_SYNC: 'true',
      ROSTER_SYNC__DELIVERY__INVITE: 'false',
      ROSTER_SYNC__DELIVERY__RATE__AND: '300/1m,5000/h',
      ROSTER_SYNC__SERVICE__TIMEOUT: '1500',
      ROSTER_SYNC__DELIVERY__ATTEMPTS: '',
    };
    const { delivery, service } = load(t, undefined, { environment });
    assert.deepEqual([delivery.forceSync, delivery.invite, service.timeoutMs], [true, false, 1500]);
    assert.deepEqual(delivery.rate.and, [
      { limit: 300, perMs: 60_000 },
      { limit: 5000, perMs: 3_600_000 },
    ]);
    assert.equal(delivery.attempts, 6);
  });

  it('have short variables for what everybody sets', (t) => {
    const environment = {
      ROSTER_SYNC_BASE_URL: 'https://service.example/api/',
      ROSTER_SYNC_TOKEN: 'dXNlcjpwYXNz',
      ROSTER_SYNC_DATA_DIR: 'kept',
      REDIS_URL: 'redis://:hidden@cache:6380/2',
      DATABASE_URL: 'postgres://me:hidden@db/roster?password=hidden',
    };
    const cwd = makeFolder(t);
    const config = loadConfig({ environment, cwd });
    assert.equal(requireBaseUrl(config), 'https://service.example/api/');
    assert.equal(config.service.token?.reveal(), 'dXNlcjpwYXNz');
    assert.equal(config.redisUrl?.reveal(), environment.REDIS_URL);
    assert.equal(config.databaseUrl?.reveal(), environment.DATABASE_URL);
    assert.equal(config.dataDir, join(cwd, 'kept'));
  });

  it('take paths from the config file as relative to it, all others to where the command was started', (t) => {
    const cwd = makeFolder(t);
    mkdirSync(join(cwd, 'etc'));
    writeFileSync(join(cwd, 'etc/my.yaml'), 'service:\n  tokenFile: secrets/token\n');
    const fromFile = loadConfig({ cwd, configFile: 'etc/my.yaml', environment: {} });
    assert.equal(fromFile.service.tokenFile, join(cwd, 'etc/secrets/token'));
    assert.equal(fromFile.dataDir, join(cwd, 'etc/.roster-sync'));
    assert.equal(fromFile.file, join(cwd, 'etc/my.yaml'));
    const environment = { ROSTER_SYNC_CONFIG: 'etc/my.yaml', ROSTER_SYNC__SERVICE__TOKEN_FILE: 'token' };
    assert.equal(loadConfig({ cwd, environment }).service.tokenFile, join(cwd, 'token'));
    assert.equal(loadConfig({ cwd, environment: {} }).dataDir, join(cwd, '.roster-sync'));
  });

  it('say which setting is missing once the service is to be called', (t) => {
    assert.throws(() => requireBaseUrl(load(t, undefined)), /service\.baseUrl.*ROSTER_SYNC_BASE_URL/);
  });

  it('keep the variables that name a proxy, out of sight', (t) => {
    const config = load(t, undefined, { environment: { HTTPS_PROXY: 'http://me:hidden@proxy:3128', HOME: '/x' } });
    assert.equal(config.proxyEnvironment['HTTPS_PROXY'], 'http://me:hidden@proxy:3128');
    assert.equal(config.proxyEnvironment['HOME'], undefined);
    assert.doesNotMatch(JSON.stringify(config) + inspect(config, { depth: 9 }), /hidden/);
  });

  it('load the shipped example', () => {
    const environment = { ROSTER_SYNC_TOKEN: 'dXNlcjpwYXNz' };
    const config = loadConfig({ cwd: resolve(import.meta.dirname, '../../config'), environment });
    assert.match(requireBaseUrl(config), /^https:/);
    assert.equal(config.service.token?.reveal(), 'dXNlcjpwYXNz');
    const { delivery } = loadConfig({ cwd: import.meta.dirname, environment: {} });
    assert.deepEqual(config.delivery, delivery);
  });
});

describe('the printed settings', () => {
  it('hold no secret, and say of each where it was set', (t) => {
    const yaml = 'service:\n  baseUrl: https://service.example\n  username: robot\n  password: hidden-1\n';
    const environment = { DATABASE_URL: 'postgres://me:hidden-2@db:5433/roster?password=hidden-3' };
    const config = load(t, yaml, { environment });
    const text = describeConfig(config);
    assert.doesNotMatch(text + JSON.stringify(config) + inspect(config, { depth: 9 }), /hidden/);
    assert.match(text, /^service\.password +\*\*\* +roster-sync\.yaml:4$/m);
    assert.match(text, /^databaseUrl +postgres:\/\/db:5433\/roster +DATABASE_URL$/m);
    assert.match(text, /^delivery\.deadline +12h +default$/m);
    assert.match(text, /^redisUrl +\(not set\) +default$/m);
  });
});

/** Has a variable in everything that a server, and nobody who looks, needs. */
const secretive = `service: { baseUrl: "\${U}", username: me, password: "\${P}", timeout: 7s }
notify: { webhook: "\${H}", smtp: "smtps://me:\${P}@mail.example", from: it@example.com, to: [it@example.com] }
sources:
  staff:
    file: ./staff.csv
    schedule: { cron: "15 2 * * *", timezone: Europe/Rome }
    sftp: { host: h, username: u, password: "\${P}", fingerprint: "SHA256:uNiVztksCsDhcc0u9e8BrrKXVL5vwrjp5gmQxRVXUdg", path: /a.csv }
    webhook: { preset: bamboohr, secret: "\${P}" }
`;

describe('${NAME} in the file', () => {
  it('is replaced by the variable, as text that is never read as YAML', (t) => {
    const yaml = 'service:\n  username: ${ME}\n  password: "a${SECRET}z"\ndelivery:\n  rate: { limit: "${LIMIT}" }\n';
    const environment = { ME: '{ x: [1] }', SECRET: '": # \n- ${LIMIT}', LIMIT: '9' };
    const { service, delivery } = load(t, yaml, { environment });
    assert.equal(service.username, '{ x: [1] }');
    assert.equal(service.password?.reveal(), 'a": # \n- ${LIMIT}z');
    assert.equal(delivery.rate.limit, 9);
  });

  it('stands for itself after another dollar sign', (t) => {
    assert.equal(load(t, 'service: { username: "$${ME}", password: x }').service.username, '${ME}');
  });

  it('is an error naming setting, variable, file and line when the variable is not set', (t) => {
    assert.equal(
      failure(t, 'service:\n  token: ${MY_TOKEN}\n'),
      'roster-sync.yaml:2: service.token needs the environment variable MY_TOKEN, which is not set.',
    );
    assert.match(failure(t, 'service:\n  token: ""\n'), /service\.token must not be empty/);
  });

  it('is an error for each variable that is not set, and for nothing that follows from that', (t) => {
    const yaml = 'service: { username: me, password: "${A}" }\nsources:\n  staff:\n    sftp: { host: "${B}" }\n';
    assert.equal(
      failure(t, yaml),
      'The settings have 2 problems:\n' +
        '  roster-sync.yaml:1: service.password needs the environment variable A, which is not set\n' +
        '  roster-sync.yaml:4: sources.staff.sftp.host needs the environment variable B, which is not set',
    );
    const environment = { B: 'host', ROSTER_SYNC__SERVICE__PASSWORD: 'x' };
    assert.match(
      failure(t, yaml, { environment }),
      /sftp\.username is missing/,
      'what is set elsewhere needs no variable',
    );
  });

  it('may be missing in service, notify and sources for commands that only ask the ledger', (t) => {
    const config = load(t, secretive, { onlyLedger: true });
    assert.deepEqual(config.service, { username: 'me', timeoutMs: 7000 });
    assert.deepEqual([config.notify.webhook, config.notify.to], [undefined, ['it@example.com']]);
    const { staff } = config.sources;
    assert.deepEqual(Object.keys(staff ?? {}).toSorted(), ['file', 'schedule']);
    assert.equal(staff?.schedule?.timezone, 'Europe/Rome');
    assert.throws(() => requireBaseUrl(config), {
      message: 'roster-sync.yaml:1: service.baseUrl needs the environment variable U, which is not set.',
    });
    const whole = load(t, secretive, {
      onlyLedger: true,
      environment: { U: 'https://s.example', P: 'p', H: 'https://h' },
    });
    assert.equal(requireBaseUrl(whole), 'https://s.example');
    assert.equal(whole.notify.webhook?.reveal(), 'https://h');
  });

  it("must be set for the ledger's place, retention and schedules", (t) => {
    for (const yaml of ['databaseUrl: ${X}', 'dataDir: ${X}', 'redisUrl: ${X}', 'retention: { answers: "${X}" }']) {
      assert.match(
        failure(t, yaml, { onlyLedger: true }),
        /yaml:1: [\w.]+ needs the environment variable X, which is not/,
      );
    }
    const due = 'sources:\n  a: { file: "${F}", schedule: { cron: "${X}", timezone: UTC } }';
    assert.match(failure(t, due, { onlyLedger: true }), /sources\.a\.schedule\.cron needs the environment variable X/);
  });

  it('is an error where it is not just a name', (t) => {
    for (const value of ['${A-b}', '${A', '${}', '${A:-x}']) {
      assert.match(
        failure(t, `service:\n  username: "${value}"\n`, { environment: { A: 'x' } }),
        /yaml:2: service\.username has/,
      );
    }
  });
});
