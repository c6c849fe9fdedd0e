import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { loadConfig } from '../../config/load.ts';
import { tryChannels } from '../../src/cli/commands/doctor.ts';
import { openHearing, openMailServer } from '../notify/hearing.ts';
import { csvOf, envOf, openPlace } from '../support/cli.ts';
import { openSandbox } from '../support/sandbox.ts';

const variables = (notify: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(notify).map(([name, value]) => [`ROSTER_SYNC__NOTIFY__${name}`, value]));

suite('notifications from the command line', () => {
  test('doctor --notify sends a test to everybody, and says what came back', async (t) => {
    const { url, heard } = await openHearing(t, (nth) => (nth === 1 ? 200 : 404));
    const { port, mails } = await openMailServer(t);
    const environment = variables({
      WEBHOOK: `${url}/hook`,
      SMTP: `smtp://127.0.0.1:${port}`,
      FROM: 'sync@a.example',
      TO: 'it@b.example,hr@b.example',
    });
    const host = new URL(url).host;
    const findings = await tryChannels(loadConfig({ environment, cwd: import.meta.dirname }));
    assert.deepEqual(
      findings.map(({ what, state }) => [what, state]),
      [
        ['webhook', 'ok'],
        ['mail', 'ok'],
      ],
    );
    assert.match(heard[0]?.body ?? '', /This is a test of roster-sync/);
    assert.deepEqual(mails[0]?.to, ['it@b.example', 'hr@b.example']);
    const dead = loadConfig({ environment: variables({ HEARTBEAT: `${url}/ping/secret` }), cwd: import.meta.dirname });
    assert.deepEqual(await tryChannels(dead), [
      { what: 'heartbeat', state: 'problem', text: `HTTP 404 from ${host}: no ***` },
    ]);
    const nobody = await tryChannels(loadConfig({ environment: {}, cwd: import.meta.dirname }));
    assert.deepEqual(
      nobody.map(({ state }) => state),
      ['remark'],
    );
  });

  test('a run calls the heartbeat; a webhook that is dead neither harms nor delays it, nor shows its secret', async (t) => {
    const sandbox = await openSandbox(t);
    const { url, heard } = await openHearing(t);
    const notify = variables({
      HEARTBEAT: `${url}/ping/{source}`,
      WEBHOOK: 'http://127.0.0.1:9/T0/secretpath',
      ON: 'finished',
    });
    const place = await openPlace({ ...envOf(sandbox), ...notify }, { here: true });
    place.write('people.csv', csvOf(3));
    const { code, stdout, stderr } = await place.run('import', 'people.csv', '--yes');
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      heard.map(({ path }) => path),
      ['/ping/people'],
    );
    assert.match(stderr, /a notification could not be sent/);
    assert.doesNotMatch(stdout + stderr, /secretpath/);
  });

  test('a sync without a terminal whose roster is missing or cannot be used tells that it failed', async (t) => {
    const sandbox = await openSandbox(t);
    const { url, heard } = await openHearing(t);
    const place = await openPlace({ ...envOf(sandbox), ...variables({ WEBHOOK: `${url}/hook` }) }, { here: true });
    place.write('roster-sync.yaml', 'sources: { staff: { file: staff.csv, settle: 10ms } }');
    assert.equal((await place.run('sync', 'staff', '--yes')).code, 2);
    place.write('staff.csv', 'garbage');
    assert.equal((await place.run('sync', 'staff', '--yes')).code, 2);
    const told = heard.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    assert.deepEqual(told, ['run.failed', 'run.failed']);
    assert.deepEqual(
      (await place.listRuns()).map(({ status }) => status),
      ['failed', 'failed'],
    );
  });

  test('mail without a sender or somebody who gets it, and a secret that cannot sign, are refused in words', () => {
    const refuse = (notify: Record<string, string>, message: RegExp): void => {
      assert.throws(() => loadConfig({ environment: variables(notify), cwd: import.meta.dirname }), message);
    };
    refuse({ SMTP: 'smtp://mail.example' }, /notify\.smtp needs notify\.from and notify\.to as well/);
    refuse({ WEBHOOK_SECRET: 'hush-hush' }, /notify\.webhookSecret must be `whsec_`/);
    refuse({ TO: 'it@b.example\r\nBcc: c@d.example' }, /notify\.to/);
    refuse({ ON: 'held,finish' }, /must be one of held, halted/);
    const toNobody = loadConfig({
      configFile: 'roster-sync.yaml',
      cwd: join(import.meta.dirname, '../../config'),
      environment: { ROSTER_SYNC_TOKEN: 'x' },
    });
    assert.deepEqual(toNobody.notify.to, []);
    refuse({ WEBHOOK: 'ftp://a.example' }, /notify\.webhook must be an address that begins with https/);
  });
});
