import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { envOf, openPlace } from '../support/cli.ts';

const kept = `sources:
  starters:
    members: { email: Mail, firstname: First, lastname: Last }
    groups: [{ column: Team }]
    read: { delimiter: semicolon }
`;

suite('sources', () => {
  test('a source is kept from YAML, used by import --source, exported as it can be imported again, and removed', async () => {
    const place = await openPlace(envOf({ url: 'http://127.0.0.1:9', token: 'bm9ib2R5' }), { here: true });
    writeFileSync(join(place.folder, 'kept.yaml'), kept);
    const imported = await place.run('sources', 'import', 'kept.yaml');
    assert.equal(imported.code, 0, imported.stderr);
    assert.equal(imported.stdout, '1 source is kept: starters.\n');
    const listed = await place.json<{ sources: { name: string; from: string }[] }>('sources', 'list');
    assert.deepEqual(
      listed.value.sources.map(({ name, from }) => [name, from]),
      [['starters', 'ledger']],
    );
    writeFileSync(join(place.folder, 'people.csv'), 'First;Last;Mail;Team\nNia;Day;nia@example.com;Sales\n');
    const planned = await place.run('import', 'people.csv', '--source', 'starters', '--dry-run');
    assert.equal(planned.code, 0, planned.stderr);
    assert.match(planned.stdout, /Sales/);
    const exported = await place.run('sources', 'export', 'starters');
    writeFileSync(join(place.folder, 'again.yaml'), exported.stdout);
    assert.equal((await place.run('sources', 'import', 'again.yaml')).code, 0);
    assert.equal((await place.run('sources', 'export', 'starters')).stdout, exported.stdout);
    assert.equal((await place.run('sources', 'remove', 'starters')).code, 0);
    assert.match((await place.run('sources', 'export', 'starters')).stderr, /No source starters is kept/);
  });

  test('of a file with a source that needs a second person, nothing is kept', async () => {
    const place = await openPlace(envOf({ url: 'http://127.0.0.1:9', token: 'bm9ib2R5' }), { here: true });
    place.env['ROSTER_SYNC__SERVER__TWO_PEOPLE'] = 'true';
    writeFileSync(join(place.folder, 'some.yaml'), `${kept}  all: { everybody: true, groups: [{ always: All }] }\n`);
    const refused = await place.run('sources', 'import', 'some.yaml');
    assert.match(refused.stderr, /server\.twoPeople wants two people/);
    assert.match((await place.run('sources', 'list')).stdout, /There are no sources/);
  });

  test('where a source is, and variables, are refused: only the config says them; nothing of the file is kept', async () => {
    const place = await openPlace(envOf({ url: 'http://127.0.0.1:9', token: 'bm9ib2R5' }), { here: true });
    const wrong =
      'sources:\n  good: { groups: [{ column: A }] }\n  bad: { file: /etc/passwd, groups: [{ colum: A }] }\n';
    writeFileSync(join(place.folder, 'wrong.yaml'), wrong);
    const refused = await place.run('sources', 'import', 'wrong.yaml');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /bad: line \d+: file: only the config says where a source is/);
    assert.match(refused.stderr, /colum/);
    writeFileSync(join(place.folder, 'password.yaml'), 'sources: { s: { passwordFile: /etc/passwd } }\n');
    assert.match((await place.run('sources', 'import', 'password.yaml')).stderr, /passwordFile: only the config says/);
    writeFileSync(join(place.folder, 'secret.yaml'), 'sources: { s: { groups: [{ always: "${TOKEN}" }] } }\n');
    assert.match((await place.run('sources', 'import', 'secret.yaml')).stderr, /only the config has variables/);
    assert.match((await place.run('sources', 'list')).stdout, /There are no sources|There is no/);
  });
});
