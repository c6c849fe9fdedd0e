import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { openPlace, type Place } from '../support/cli.ts';

const users = 'sourcedId,username,givenName,familyName\n1,ann@school.example,Ann,Ek\n2,bo@school.example,Bo,Ek\n';

describe('one file of a bundle', () => {
  let place: Place;
  before(async () => {
    place = await openPlace({}, { bare: true, here: true });
    for (const folder of ['export', 'other']) mkdirSync(join(place.folder, folder));
    place.write('export/users.csv', users);
    place.write('export/orgs.csv', 'sourcedId,name,type\no,North,school\n');
    place.write('export/roles.csv', 'userSourcedId,orgSourcedId,role\n1,o,student\n2,o,teacher\n');
    place.write('other/users.csv', users);
    place.write('other/notes.csv', 'a,b\n1,2\n');
  });

  it('says that its folder can be read, and what that adds', async () => {
    const remark =
      'is one file of a bundle (Microsoft SDS v2.1). Name its folder, `export`, to read it as one roster, ' +
      'with orgs and roles from the files beside it.';
    const imported = await place.run('import', 'export/users.csv', '--dry-run', '--map', 'email=username');
    assert.ok(imported.stderr.includes(`export/users.csv ${remark}`), imported.stderr);
    assert.ok((await place.run('inspect', 'export/orgs.csv')).stderr.includes(`export/orgs.csv ${remark}`));
  });

  it('says nothing of a file beside which there is no bundle, and of the folder itself', async () => {
    for (const file of ['other/users.csv', 'export']) {
      assert.doesNotMatch((await place.run('inspect', file)).stderr, /one file of a bundle/);
    }
  });
});

describe('a folder of unknown files', () => {
  let place: Place;
  before(async () => {
    place = await openPlace({}, { bare: true, here: true });
    mkdirSync(join(place.folder, 'hr'));
    place.write('hr/people.csv', 'Id,First name,Last name,Email\n1,Ann,Ek,ann@example.com\n2,Bo,Oh,bo@example.com\n');
    place.write('hr/membership.csv', 'PersonId,TeamId\n1,a\n1,b\n2,a\n');
    place.write('hr/teams.csv', 'Id,Name\na,Red\nb,Blue\n');
  });

  it('is refused by import, which names the command that proposes a join', async () => {
    const { code, stderr } = await place.run('import', 'hr', '--dry-run');
    assert.equal(code, 2);
    assert.match(stderr, /say with join: how they belong together, which `roster-sync inspect` of the folder proposes/);
  });

  it('gets a join that init writes with its evidence, and that sync then reads', async () => {
    const { code, stdout, stderr } = await place.run('init', 'hr');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /! teams would be joined from other files by values that match: 100% of 2 values of PersonId/);
    const config = readFileSync(join(place.folder, 'roster-sync.yaml'), 'utf8');
    assert.match(
      config,
      /read: # the join is a proposal\n +# 100% of 2 values of PersonId in membership\.csv are in Id of people\.csv/,
    );
    const { stdout: inspected } = await place.run('inspect', 'hr');
    assert.match(inspected, /^teams +100% +groups +/m);
    const synced = await place.run('sync', 'hr', '--dry-run');
    assert.match(synced.stdout, /Ann Ek <ann@example\.com> -> Red, Blue/, synced.stderr);
  });
});
