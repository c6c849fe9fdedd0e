import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { openPlace, type Place } from '../support/cli.ts';

describe('a folder of unknown files', () => {
  let place: Place;
  before(async () => {
    place = await openPlace({}, { bare: true, here: true });
    mkdirSync(join(place.folder, 'hr'));
    place.write('hr/people.csv', 'Id,First name,Last name,Email\n1,Ann,Ek,ann@example.com\n2,Bo,Oh,bo@example.com\n');
    place.write('hr/membership.csv', 'PersonId,TeamId\n1,a\n1,b\n2,a\n');
    place.write('hr/teams.csv', 'Id,Name\na,Red\nb,Blue\n');
  });

  it('is refused with the setting that declares a join', async () => {
    for (const command of [
      ['import', 'hr', '--dry-run'],
      ['inspect', 'hr'],
      ['init', 'hr'],
    ]) {
      const { code, stderr } = await place.run(...command);
      assert.equal(code, 2);
      assert.match(stderr, /They are membership\.csv, people\.csv, teams\.csv\. Name one of them, .*read\.join/);
    }
  });

  it('is read by inspect and sync with a join that is declared', async () => {
    const membership = '{ file: membership.csv, where: PersonId, take: TeamId }';
    const teams = `teams: [{ from: Id, steps: [${membership}, { file: teams.csv, where: Id, take: Name }] }]`;
    place.write(
      'roster-sync.yaml',
      `sources: { hr: { file: hr, groups: [{ column: teams, split: ";" }], read: { join: { people: [{ file: people.csv, columns: { ${teams} } }] } } } }`,
    );
    assert.match((await place.run('inspect', 'hr')).stdout, /^teams +100% +groups +/m);
    const synced = await place.run('sync', 'hr', '--dry-run');
    assert.match(synced.stdout, /Ann Ek <ann@example\.com> -> Red, Blue/, synced.stderr);
  });
});
