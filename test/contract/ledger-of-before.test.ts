import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Migrator } from 'kysely/migration';
import { databaseOver } from '../../src/ledger/database/database.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { migrations } from '../../src/ledger/database/migrations.ts';
import { type Home, homes } from './homes.ts';

/** What a version wrote that had no columns for it. */
const written = `
  insert into runs (id, source, service, trigger, status, status_reason, settings, worker) values
    ('first', 'staff', 'http://127.0.0.1:9', 'sync', 'cancelled', 'replaced by run second', '{}', 'w'),
    ('second', 'staff', 'http://127.0.0.1:9', 'sync', 'cancelled', 'replaced by run third', '{}', 'w'),
    ('third', 'staff', 'http://127.0.0.1:9', 'sync', 'held', '3 of 3 held', '{}', 'w'),
    ('ended', 'staff', 'http://127.0.0.1:9', 'sync', 'cancelled', 'cancelled by a person', '{}', 'w');
  insert into deliveries (run_id, service, person_key, action, state, outcome, alike) values
    ('ended', 'http://127.0.0.1:9', 'ann@example.com', 'new', 'done', 'failed', 'rejected 400'),
    ('ended', 'http://127.0.0.1:9', 'bob@example.com', 'new', 'done', 'failed', 'not-sent'),
    ('ended', 'http://127.0.0.1:9', 'cy@example.com', 'new', 'done', 'superseded', '');
  insert into rejects (run_id, file, line, column_name, value, reason, cells) values
    ('ended', 'a.csv', 2, 'Email', 'b@example.com', 'employee 7 was a@example.com until now: waits for \`roster-sync resolve a@example.com b@example.com --renamed-there\` where it was', '[]'),
    ('ended', 'a.csv', 3, 'Email', 'c@example.com', 'this address was employee 1''s and is employee 7''s now: waits for \`roster-sync resolve c@example.com c@example.com --new-account\` where they are two', '[]'),
    ('ended', 'a.csv', 4, 'Email', '', 'Email is empty', '[]');
`;

/** What was pushed when the number of an employee was the identity: by number, by neither, by a column, and not pushed. */
const pushed = `
  insert into pushed (source, id, kind, name, keys, resource) values
    ('scim', 'id-ann', 'User', 'ann', '["ann@example.com"]', '{"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"employeeNumber":"17"}}'),
    ('scim', 'id-bob', 'User', 'bob', '["bob@example.com"]', '{}'),
    ('scim', 'id-cy', 'User', 'cy', '["cy@example.com"]', '{"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"employeeNumber":"19"}}'),
    ('scim', 'id-group', 'Group', 'dee', '["dee@example.com"]', '{}'),
    ('other', 'id-eve', 'User', 'eve', '["eve@example.com"]', '{}');
  insert into people (service, source, person_key, employee_id, last_outcome, last_run) values
    ('s', 'scim', 'ann@example.com', '17', 'succeeded', 'ended'),
    ('s', 'scim', 'bob@example.com', null, 'succeeded', 'ended'),
    ('s', 'scim', 'cy@example.com', 'C-3', 'succeeded', 'ended'),
    ('s', 'scim', 'dee@example.com', null, 'succeeded', 'ended'),
    ('s', 'scim', 'eve@example.com', '21', 'succeeded', 'ended');
`;

for (const { name, skip, open } of homes) {
  suite(`a ledger of an earlier version, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      await home.pool.query('drop schema public cascade; create schema public');
      const provider = { getMigrations: () => Promise.resolve(migrations) };
      const migrator = new Migrator({ db: databaseOver(home.pool), provider });
      assert.equal((await migrator.migrateTo('004-left-behind')).error, undefined);
      await home.pool.query(written);
      assert.equal((await migrator.migrateTo('018-no-kept-reads')).error, undefined);
      await home.pool.query(pushed);
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    test('knows which run took the place of another', async () => {
      assert.deepEqual(await ledger.supersededBy('first'), { id: 'third', status: 'held' });
      assert.equal(await ledger.supersededBy('ended'), undefined);
      assert.equal((await ledger.findRuns('first'))[0]?.supersededBy, 'second');
    });

    test('knows the kind and the status of the last answer', async () => {
      const { rows } = await home.pool.query<object>(
        'select person_key, answer_kind, answer_status from deliveries order by 1',
      );
      assert.deepEqual(rows, [
        { person_key: 'ann@example.com', answer_kind: 'rejected', answer_status: 400 },
        { person_key: 'bob@example.com', answer_kind: 'not-sent', answer_status: null },
        { person_key: 'cy@example.com', answer_kind: null, answer_status: null },
      ]);
    });

    test('has no copy of what was read of a directory', async () => {
      const { rows } = await home.pool.query(`select 1 from pg_class where relname in ('kept_people', 'kept_reads')`);
      assert.deepEqual(rows, []);
    });

    test('knows people who were pushed by the id of what was pushed, unless a column of their own says who they are', async () => {
      const { rows } = await home.pool.query<object>(
        `select person_key, employee_id from people where service = 's' order by 1`,
      );
      assert.deepEqual(rows, [
        { person_key: 'ann@example.com', employee_id: 'id-ann' },
        { person_key: 'bob@example.com', employee_id: 'id-bob' },
        { person_key: 'cy@example.com', employee_id: 'C-3' },
        { person_key: 'dee@example.com', employee_id: null },
        { person_key: 'eve@example.com', employee_id: '21' },
      ]);
    });

    test('knows which rows wait for a decision', async () => {
      const rejects = await ledger.listRejects('ended', { limit: 10 });
      assert.deepEqual(
        rejects.map(({ line, identityChange }) => [line, identityChange]),
        [
          [2, 'moved'],
          [3, 'recycled'],
          [4, undefined],
        ],
      );
    });
  });
}
