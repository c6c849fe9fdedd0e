import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { InputError, SheetQuestion } from '../../src/core/errors.ts';
import { openRoster, type RosterFile } from '../../src/roster/open-roster.ts';
import { openInThread } from '../../src/roster/thread/open-in-thread.ts';
import { textRows, workbookOf } from './workbook-writer.ts';

suite('a roster that is read in a thread', () => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-thread-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  function fileOf(name: string, content: string | Uint8Array): string {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  }

  async function everything(roster: RosterFile): Promise<object> {
    try {
      const rows = [];
      for await (const batch of roster.batches()) rows.push(...batch);
      const { form, sizeBytes, modifiedAt } = roster;
      return { rows, form, sizeBytes, modifiedAt, checksum: roster.checksum() };
    } finally {
      await roster.close();
    }
  }

  const failureOf = (opening: Promise<RosterFile>): Promise<unknown> =>
    opening.then(everything).then(
      () => assert.fail('it was read'),
      (error: unknown) => error,
    );

  test('has the same form, rows, rejects, notes and checksum, each time it is read', async () => {
    const people = Array.from({ length: 2000 }, (_, at) => `Ann,"Ek, ${at}",ann${at}@example.com,'Sales\n`);
    const path = fileOf('staff.csv', `firstname,lastname,email,groups\n${people.join('')}one,cell,too,many,here\n`);
    const expected = await everything(await openRoster(path, { name: 'staff.csv' }));
    const roster = await openInThread(path, { name: 'staff.csv' });
    assert.throws(() => roster.checksum(), /once all rows have been read/);
    for await (const [row] of roster.batches()) {
      assert.equal(row?.line, 2);
      break;
    }
    const twice = [];
    for await (const batch of roster.batches()) twice.push(...batch);
    assert.equal(twice.length, 2001);
    assert.deepEqual(await everything(roster), expected);
  });

  test('fails with the error of its reader: its class, its words, and what it asks', async () => {
    const files: [string, typeof InputError | typeof SheetQuestion, string | Uint8Array][] = [
      ['quote.csv', InputError, 'a,b\n"x\n'],
      [
        'two.xlsx',
        SheetQuestion,
        workbookOf({
          sheets: ['A', 'B'].map((name) => ({
            name,
            rows: textRows([
              ['firstname', 'lastname', 'email'],
              ['Ann', 'Ek', `${name}@example.com`],
            ]),
          })),
        }),
      ],
    ];
    for (const [name, kind, content] of files) {
      const path = fileOf(name, content);
      const failure = await failureOf(openInThread(path, { name }));
      assert.ok(failure instanceof kind, String(failure));
      assert.deepEqual(
        { ...failure, message: failure.message },
        await failureOf(openRoster(path, { name })).then((error) => ({
          ...(error as Error),
          message: (error as Error).message,
        })),
      );
    }
  });

  test('is refused beyond the limits of memory and of time, and the next one is read', async () => {
    const texts = Array.from({ length: 100_000 }, (_, at) => `a text of its own, number ${at}`);
    const many = workbookOf({
      sheets: [
        {
          name: 'A',
          rows: textRows([
            ['firstname', 'lastname', 'email'],
            ['Ann', 'Ek', 'ann@example.com'],
          ]),
        },
      ],
      texts,
    });
    const path = fileOf('many.xlsx', many);
    const options = { name: 'many.xlsx' };
    const wide = Array.from({ length: 16_000 }, (_, at) => `Column number ${at}`).join(',');
    const wideFile = fileOf('wide.csv', `${wide}\n${`${wide}\n`.repeat(50)}`);
    const memory = await failureOf(
      openInThread(wideFile, { name: 'wide.csv', limits: { columns: 16_000 } }, { ms: 300_000, memory: 8 }),
    );
    assert.ok(memory instanceof InputError);
    assert.match(
      memory.message,
      /^wide\.csv: reading it takes more than 8 MB of memory, so it was stopped, and nothing in it is sent/,
    );
    const time = await failureOf(openInThread(path, options, { ms: 5, memory: 1024 }));
    assert.ok(time instanceof InputError);
    assert.match(time.message, /^many\.xlsx: reading it takes more than 0\.005 s, so it was stopped/);
    const { rows } = (await everything(await openInThread(path, options))) as { rows: unknown[] };
    assert.equal(rows.length, 1);
  });
});
