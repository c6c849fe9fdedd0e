import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession } from '../../src/cli/frame/session.ts';

const config = `
service: { baseUrl: "http://127.0.0.1:9", username: robot, password: service-pass }
sources:
  one:
    http:
      url: "https://hr.example/people?key=key-in-address"
      headers: { authorization: Bearer header-token, accept: json }
      query: { apikey: key-in-query }
      auth: { basic: { username: reader, password: s3cret-basic } }
  two:
    http: { url: "https://hr.example/people", auth: { bearer: bearer-token } }
  three:
    http: { url: "https://hr.example/", auth: { oauth2: { tokenUrl: "https://hr.example/t", clientId: id, clientSecret: client-secret } } }
  four:
    sftp: { host: h, username: u, password: sftp-pass, fingerprint: ["SHA256:uNiVztksCsDhcc0u9e8BrrKXVL5vwrjp5gmQxRVXUdg"], path: /a.csv }
  five:
    preset: hibob
    account: { serviceUserId: service-user, token: account-token }
`;

it('no secret of the service or of any source gets into the log', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-session-'));
  const file = join(folder, 'roster-sync.yaml');
  writeFileSync(file, config);
  let logged = '';
  context.mock.method(process.stderr, 'write', (text: string) => {
    logged += text;
    return true;
  });
  const secrets = [
    ...[
      'service-pass',
      'key-in-address',
      'header-token',
      'key-in-query',
      's3cret-basic',
      'bearer-token',
      'client-secret',
    ],
    ...['sftp-pass', 'account-token', Buffer.from('reader:s3cret-basic').toString('base64')],
  ];
  try {
    const { log } = openSession({ config: file });
    log.error(new Error(`it said ${secrets.map((secret) => `<${secret}>`).join(' ')} and json`));
  } finally {
    context.mock.restoreAll();
    rmSync(folder, { recursive: true });
  }
  const { err } = JSON.parse(logged) as { err: { message: string } };
  assert.equal(err.message, `it said ${secrets.map(() => '<***>').join(' ')} and json`);
});
