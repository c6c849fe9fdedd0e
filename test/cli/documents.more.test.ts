import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite, test } from 'node:test';
import { leafCommands } from '../../docs/generate.ts';
import { type DocumentName, documents } from '../../src/acts/shapes/documents.ts';
import { envOf, openPlace } from '../support/cli.ts';
import { checkDocument, checkedDocuments } from '../support/documents.ts';
import { openSandbox } from '../support/sandbox.ts';

const config = `sources:
  staff:
    file: ./staff.csv
    settle: 1ms
    snapshot: true
    groups: [{ column: Team }]
    schedule: { cron: "15 2 * * *", timezone: Europe/Copenhagen }
`;

suite('JSON documents', () => {
  test('of every command are as their schemas in docs/schemas say, the version first', async (t) => {
    const place = await openPlace(envOf(await openSandbox(t)), { here: true });
    place.write('roster-sync.yaml', config);
    const roster = (...rows: string[]) =>
      place.write('staff.csv', `First Name,Last Name,Work Email,Team\n${rows.join('\n')}\n`);
    roster('Ann,Ek,ann@example.com,Sales', 'Bob,Li,kwame.boateng@sandbox.example,Sales', 'Cy,,cy@example.com,Sales');
    place.write('kept.yaml', 'sources:\n  kept: { groups: [{ column: Team }] }\n');
    const json = async (...words: string[]): Promise<void> => {
      const ended = await place.run(...words, '--json');
      assert.match(ended.stdout, /^\{\n {2}"version": 1,\n/, `${words.join(' ')}: ${ended.stderr}`);
    };
    await json('inspect', 'staff.csv');
    await json('init', 'staff.csv', '--config', 'other.yaml');
    await json('config');
    await json('plan', 'staff');
    await json('sync', 'staff', '--dry-run');
    await json('sync', 'staff', '--yes', '--max-invitations', '1');
    await json('approve', 'latest', '--yes');
    await json('sync', 'staff', '--yes');
    roster('Ann,Ek,ann@example.com,Brand', 'Bob,Li,kwame.boateng@sandbox.example,Sales', 'Di,Ro,di@example.com,Sales');
    await json('sync', 'staff', '--yes', '--max-invitations', '0');
    await json('cancel', 'latest');
    await json('show', 'latest');
    for (const listing of ['runs', 'schedules', 'left-behind', 'doctor']) await json(listing);
    await json('person', 'ann@example.com');
    await json('resolve', 'ann@example.com', 'ann.lind@example.com', '--renamed-there');
    await json('answers', '--story', 'Fire safety', '--keep');
    await json('answers', '--history');
    await json('progress', '--story', 'Fire safety', '--source', 'staff', '--min-cell', '1');
    await json('sources', 'import', 'kept.yaml');
    await json('sources', 'list');
    await json('sources', 'remove', 'kept');
    await json('token', 'create', '--name', 'ci');
    await json('token', 'list');
    await json('token', 'revoke', 'ci');
    await json('user', 'list');
    await json('user', 'sign-out', 'mette');
    await json('prune', '--dry-run');
    const unseen = Object.keys(documents).filter((name) => !checkedDocuments.has(name as DocumentName));
    // Wherever tests run a command with --json, what it prints is checked as well: they have a file of their own.
    const others = globSync('*.test.ts', { cwd: import.meta.dirname }).filter(
      (file) => file !== basename(import.meta.filename),
    );
    const text = others.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n');
    assert.deepEqual(
      unseen.filter((name) => !new RegExp(`json(?:<[^(]*>)?\\(\\s*'${name}'|'${name}',[^;]*'--json'`).test(text)),
      [],
    );
  });

  test('are checked: a field that is missing, or that no schema names, is a fault', () => {
    const good = { version: 1, dryRun: true, answers: 0, rosters: 0, receipts: 0 };
    const check = (value: object) => () => checkDocument(['prune', '--json'], JSON.stringify(value));
    check(good)();
    const { answers: _, ...lacking } = good;
    assert.throws(check(lacking), /docs\/schemas\/prune.json.*\n.*required property 'answers'/);
    assert.throws(check({ ...good, more: 1 }), /must NOT have additional properties.*more/);
    assert.throws(check({ ...good, version: 2 }), /\/version must be equal to constant/);
  });

  test('are named by every command that has --json', () => {
    const unnamed = leafCommands().filter(([, command]) => {
      return (command.document !== undefined) !== command.options.some(({ long }) => long === '--json');
    });
    assert.deepEqual(
      unnamed.map(([words]) => words),
      [],
    );
  });
});
