import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { rejectKinds } from '../../src/core/rows/row.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { listenHttp, sendJson } from '../service/local-server.ts';
import { openPlace } from '../support/cli.ts';
import { followGuide, type Names } from '../support/guide.ts';
import { without } from '../support/server-process.ts';

const recorded = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../fixtures/presets/${name}`, import.meta.url), 'utf8'));

/** Follows a guide with a service of its own. */
async function follow(
  t: TestContext,
  page: string,
  env: Record<string, string> = {},
  names: Names = {},
): Promise<void> {
  const sandbox = await startSandbox();
  t.after(() => sandbox.close());
  const place = await openPlace(
    { ROSTER_SYNC_BASE_URL: sandbox.url, ROSTER_SYNC_TOKEN: sandbox.token, ...env },
    { here: true },
  );
  await followGuide(page, place, { [sandbox.url]: 'https://service.example.com', ...names });
}

/** The address of a server that gives recorded answers. */
async function answering(t: TestContext, file: (path: string) => string): Promise<string> {
  const { base } = await listenHttp(t, (response, { path }) => sendJson(response, recorded(file(path))));
  return base;
}

/** With its scheme and without. */
const named = (base: string, host: string): Names => ({ [base]: `https://${host}`, [new URL(base).host]: host });

describe('the guides print what the program prints', () => {
  it('to import a CSV', async (t) => follow(t, 'import-a-csv.md'));

  it('with BambooHR every night', async (t) => {
    const hr = await answering(t, (path) => `bamboohr-employees-${path.includes('after') ? 2 : 1}.json`);
    await follow(t, 'bamboohr-every-night.md', { BAMBOOHR_API_KEY: 'key' }, named(hr, 'acme.bamboohr.com'));
  });

  it('with a Workday export every night', async (t) => {
    const workday = await answering(t, () => 'workday.json');
    await follow(
      t,
      'workday-every-night.md',
      { WORKDAY_PASSWORD: 'secret' },
      named(workday, 'wd3-services1.workday.com'),
    );
  });

  it('in troubleshooting', async (t) => follow(t, 'troubleshooting.md'));

  it('with a held run', async (t) => follow(t, 'review-a-held-run.md'));

  it('in production', { skip: without('curl') }, async (t) => follow(t, 'run-it-in-production.md'));

  it('with Entra ID by SCIM', { skip: without('curl') }, async (t) => follow(t, 'entra-id-by-scim.md'));
});

describe('troubleshooting', () => {
  const root = join(import.meta.dirname, '../..');
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');

  it('has each code of an error, each exit code and each kind of reject', () => {
    const files = [
      'src/core/errors.ts',
      'src/ledger/directory/owner.ts',
      ...globSync('src/server/**/*.ts', { cwd: root }),
    ];
    const codes = files.flatMap((file) =>
      [...read(file).matchAll(/(?:RequestError\(\s*\d+,\s*|\bcode\b[^\n'=]*[:=] )'([A-Z_]{4,})'/g)].map(
        ([, code]) => code,
      ),
    );
    const exits = read('docs/commands.md').matchAll(/^\| (\d+) \|/gm);
    const wanted = [
      ...codes.map((code) => `\`${code}\``),
      ...[...exits].slice(1).map(([, code]) => `| ${code} |`),
      ...rejectKinds.map((kind) => `| \`${kind}\` |`),
    ];
    const page = read('docs/guides/troubleshooting.md');
    assert.ok(wanted.length > 40, 'it finds what it looks for');
    assert.deepEqual(
      wanted.filter((text) => !page.includes(text)),
      [],
    );
  });
});
