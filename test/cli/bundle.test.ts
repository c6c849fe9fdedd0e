import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
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
    const imported = await place.alone('import', 'export/users.csv', '--dry-run', '--map', 'email=username');
    assert.ok(imported.stderr.includes(`export/users.csv ${remark}`), imported.stderr);
    assert.ok((await place.alone('inspect', 'export/orgs.csv')).stderr.includes(`export/orgs.csv ${remark}`));
  });

  it('says nothing of a file beside which there is no bundle, and of the folder itself', async () => {
    for (const file of ['other/users.csv', 'export']) {
      assert.doesNotMatch((await place.alone('inspect', file)).stderr, /one file of a bundle/);
    }
  });
});
