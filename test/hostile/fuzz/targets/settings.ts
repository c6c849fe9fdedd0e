import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeConfig, loadConfig } from '../../../../config/load.ts';
import type { FuzzTarget } from '../target.ts';

const root = join(import.meta.dirname, '../../../..');
/** Some settings want 32 bytes in Base64. */
const secret = Buffer.from('a secret that is never shown, 32').toString('base64');
const sources = `service: { baseUrl: https://service.example, token: "\${TOKEN}", timeout: 30s }
delivery: { rate: 300/1m, concurrency: 4, backoff: { first: 1s, max: 5m }, canary: true }
sources:
  staff:
    file: ./people.csv
    schedule: { cron: "0 5 * * 1-5", timezone: Europe/Berlin }
    groups: [{ column: Team, split: ";", when: { column: Status, matches: "^act" } }, { template: "All {Site}" }]
    renamePatterns: [{ matches: "(.+)-ACL", to: "ACL $1" }]
    members: { email: "{First}.{Last}@example.com", telephone: { column: Phone, country: DE } }
    only: [{ column: Status, in: [active, leave] }, { column: End, past: false, order: dmy }]
  hr:
    http: { url: "https://hr.example/people?x=1", auth: { bearer: "\${TOKEN}" }, headers: { a: b } }
    webhook: { preset: bamboohr, secret: "\${TOKEN}", quiet: 10s }
  directory: { ldap: { url: ldaps://ldap.example, base: "dc=example", bindDn: "cn=a", password: "\${TOKEN}", filter: "(&(objectClass=person)(!(x=1)))" } }
  idp: { scim: {} }
notify: { webhook: "https://chat.example/x" }
retention: { answers: 30d, receipts: forever }
`;
const keys = JSON.stringify(JSON.parse(readFileSync(join(root, 'config/roster-sync.schema.json'), 'utf8')));
const names = [...new Set(Array.from(keys.matchAll(/"(\w{2,24})":\{/g), ([, name = '']) => name))];
const examples = globSync('{examples/**/*.yaml,config/roster-sync.yaml}', {
  cwd: root,
  exclude: ['**/kubernetes/**', '**/observability/**'],
});
const texts = [sources, ...examples.toSorted().map((file) => readFileSync(join(root, file), 'utf8'))];
/** Each variable that they name. */
const environment = Object.fromEntries(
  texts
    .flatMap((text) => Array.from(text.matchAll(/\$\{(\w+)\}/g), ([, name = '']) => name))
    .map((name) => {
      const scheme = /REDIS/.test(name) ? 'redis' : /DATABASE/.test(name) ? 'postgres' : 'https';
      const address = `${scheme}://${scheme === 'https' ? '' : `u:${encodeURIComponent(secret)}@`}host.example`;
      return [name, name.endsWith('URL') ? address : secret];
    }),
);

/** Config files. */
export const settings: FuzzTarget = {
  name: 'settings',
  good: texts.map((text) => Buffer.from(text)),
  words: [
    ...names.map((name) => `${name}: `),
    ...[
      '&a ',
      '*a',
      '<<: *a',
      '!!binary ',
      '!x ',
      '|-\n',
      '>\n',
      '? ',
      '- ',
      '---\n',
      '...',
      '%YAML 1.1\n',
      '\t',
      '${TOKEN}',
      '${NONE}',
      '$${',
      '${',
      '"',
      "'",
      '{',
      '}',
      '[',
      ']',
      ': ',
      '#',
      '~',
      'null',
    ],
    ...[
      '30s',
      '1e3',
      '300/1m',
      '0x10',
      '-1',
      '.inf',
      '5%',
      'forever',
      '* * * * *',
      '0 0 30 2 *',
      'Europe/Berlin',
      '(a+)+$',
      '[a',
      '$9',
      '{{',
      '{A}',
      'http://[::1',
      '2001-01-01',
      '__proto__: ',
    ],
  ],
  form: 'lines',
  read: (bytes) => {
    const folder = mkdtempSync(join(tmpdir(), 'fuzz-config-'));
    const file = join(folder, 'roster-sync.yaml');
    try {
      writeFileSync(file, bytes);
      const config = loadConfig({ environment, cwd: folder, configFile: file });
      // As `config` and `doctor` do.
      describeConfig(config);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
