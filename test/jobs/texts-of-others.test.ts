import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { loadConfig } from '../../config/load.ts';
import { runSource } from '../../jobs/run/run-source.ts';
import { redactorOfConfig } from '../../src/wiring/configured-secrets.ts';
import { openContext } from '../../src/wiring/context.ts';
import { createLogger } from '../../src/process/logger.ts';
import { openHearing } from '../notify/hearing.ts';
import { copyEmptyDataDirectory } from '../support/empty-data-directory.ts';
import { bytesIn } from '../support/encoded-lists.ts';

const secrets = {
  query: 'qu3ry/s3cret+key',
  bearer: 'b3arer-s3cret-token',
  parameter: 'p4rameter-s3cret-token',
  account: 'acc0unt-s3cret-key',
};

/** An HR server that says back everything that it was sent, in several encodings, as a refusal or as a roster. */
async function openEchoing(t: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    const said = `${url} ${decodeURIComponent(url)} ${headers.authorization?.slice(7)} has expired`;
    if (url.startsWith('/csv')) {
      const cells = [decodeURIComponent(url), headers.authorization ?? '', 'x'];
      response.end(`${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\nAnn,Lee,ann@example.com\n`);
    } else if (url.startsWith('/names')) {
      response.end('Annabel,Person,annabel@example.com,Reindeer Herders\nBo,Other,bo@example.com,Herders\n');
    } else response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ message: said }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs each source without a terminal; gives what reached the log, the ledger, the caller and the chat. */
async function runAll(t: TestContext, sources: object): Promise<Record<string, { kept: string; chat: string }>> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-others-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { url, heard, next } = await openHearing(t);
  writeFileSync(
    join(folder, 'roster-sync.yaml'),
    JSON.stringify({ notify: { webhook: `${url}/hook`, on: ['failed'] }, sources }),
  );
  const environment = { ROSTER_SYNC_TOKEN: Buffer.from('robot:open-sesame').toString('base64') };
  const config = loadConfig({
    environment: { ...environment, ROSTER_SYNC_BASE_URL: 'http://127.0.0.1:9' },
    cwd: folder,
  });
  await copyEmptyDataDirectory(config.dataDir);
  const lines: string[] = [];
  const log = createLogger({ stream: { write: (line: string) => lines.push(line) }, redact: redactorOfConfig(config) });
  const opened = await openContext({ config, log, command: 'test', create: true });
  t.after(() => opened.close());
  const context = await opened.openDelivery(config.delivery.rate);
  const told: Record<string, { kept: string; chat: string }> = {};
  for (const source of Object.keys(sources)) {
    lines.length = 0;
    const arrived = next();
    const { runId, reason } = await runSource(context, { source, trigger: 'schedule' });
    await arrived;
    const [run] = await context.ledger.findRuns(runId);
    assert.equal(run?.status, 'failed');
    told[source] = { kept: [...lines, reason, JSON.stringify(run)].join('\n'), chat: heard.at(-1)?.body ?? '' };
  }
  return told;
}

suite('what others write', () => {
  test('a secret of a source that its server says back is in no log, no ledger, no answer and no notification', async (t) => {
    const base = await openEchoing(t);
    const told = await runAll(t, {
      query: { http: { url: `${base}/people?key=${encodeURIComponent(secrets.query)}` } },
      bearer: { http: { url: `${base}/people`, headers: { Authorization: `Bearer ${secrets.bearer}` } } },
      parameter: {
        http: { url: `${base}/people`, headers: { Authorization: `Token id=7, token="${secrets.parameter}"` } },
      },
      account: {
        preset: 'scim',
        account: { url: base, token: secrets.account },
      },
      csv: {
        http: {
          url: `${base}/csv?key=${encodeURIComponent(secrets.query)}`,
          headers: { Authorization: `Bearer ${secrets.bearer}` },
        },
      },
    });
    for (const [source, { kept, chat }] of Object.entries(told)) {
      for (const secret of Object.values(secrets)) {
        for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
          assert.equal((kept + chat).includes(form), false, `${source}: ${form} in ${kept}${chat}`);
        }
      }
      assert.match(
        kept,
        source === 'csv' ? /Columns found: \\*"…/ : /answered 401, saying .*\*\*\*.* has expired/,
        source,
      );
    }
  });

  test('a roster without a header tells log, ledger and chat nobody: they hold no cell, and notifications no line break as text', async (t) => {
    const base = await openEchoing(t);
    const { names } = await runAll(t, { names: { http: { url: `${base}/names` } } });
    assert.match(names?.kept ?? '', /Columns found: \\*"…/);
    const { text, data } = JSON.parse(names?.chat ?? '') as { text: string; data: { reason: string } };
    assert.match(text, /the file seems to have no header row/);
    assert.doesNotMatch(names?.kept ?? '', /Annabel|Person|annabel|Reindeer|Herders/);
    for (const said of [text, JSON.stringify(data)]) {
      assert.doesNotMatch(said, /Annabel|Person|annabel|Reindeer|Herders|Bo\b|Other/);
      assert.doesNotMatch(said, /\\+n/);
    }
  });

  test('words of a roster whose encoding is in question are in no log, no ledger and no notification', async (t) => {
    const file = join(mkdtempSync(join(tmpdir(), 'roster-sync-question-')), 'staff.csv');
    t.after(() => rmSync(dirname(file), { recursive: true, force: true }));
    writeFileSync(file, bytesIn('First Name;Last Name;Email\nAna;Muñoz;am@example.com\n', 'windows-1252'));
    const { night } = await runAll(t, { night: { file } });
    assert.match(night?.kept ?? '', /2 ways: as windows-1252, windows-1250\. Say which it is \(read\.encoding\)/);
    assert.doesNotMatch(`${night?.kept}${night?.chat}`, /Mu[ñń]oz/);
  });
});
