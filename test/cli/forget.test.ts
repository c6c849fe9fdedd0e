import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { csvOf, envOf, openPlace } from '../support/cli.ts';
import { holding } from '../support/holding.ts';
import { openContextAgain } from '../support/open-ledgers.ts';
import { runHere } from '../support/run-here.ts';
import { openSandbox } from '../support/sandbox.ts';

test('a person who is forgotten is nowhere in the bytes of the data directory, and is not sent again', async (t) => {
  const sandbox = await openSandbox(t, { faults: ['status=400,every=7'] });
  const place = await openPlace(envOf(sandbox), { here: true });
  const [head, ...others] = csvOf(60).trimEnd().split('\n');
  const ann = 'Annegret,Überzwerg,Annegret.Ueberzwerg@Example.com,+45 99 88 77 66,Sales\n';
  const rows = `${others.join('\n')}\n`;
  place.write('people.csv', `${head}\n${ann}${rows}Annegret,,annegret.ueberzwerg@example.com,,Sales\n`);
  const filesWith = async (text: string): Promise<string[]> => {
    await place.letGo();
    return holding(place.data, text);
  };
  await place.json('import', 'people.csv', '--yes');
  assert.ok((await filesWith('annegret')).length > 2);

  const asked = await place.run('forget', 'annegret.ueberzwerg@example.com');
  assert.equal(asked.code, 2);
  assert.match(asked.stderr, /no terminal to ask you on. Run it again with --yes/);
  const { ended, value } = await place.json<{
    erased: { sources: number; rejects: number };
    keptOutOf: string[];
    notReached: string[];
  }>('forget', 'Annegret.Ueberzwerg@example.com', '--yes');
  assert.equal(ended.code, 0, ended.stderr);
  assert.deepEqual([value.erased.sources, value.erased.rejects], [1, 1]);
  assert.match(value.notReached.join('\n'), /the service: the account.*still there/);
  assert.doesNotMatch(ended.stdout + ended.stderr, /annegret/i);
  for (const text of ['annegret', 'berzwerg', '99 88 77']) assert.deepEqual(await filesWith(text), [], text);
  assert.ok((await filesWith('person1@')).length > 0);

  const again = await place.json('import', 'people.csv', '--yes');
  const { members, rejects: rejected, erased } = again.value.roster;
  assert.deepEqual([members, rejected, erased, again.value.plan.new], [60, 2, 2, 0]);
  assert.match(again.ended.stderr, /\+ 2 rejected \(2 erased\)[^]*^Next: +no rejects to correct;/m);
  for (const text of ['annegret', 'berzwerg', '99 88 77']) assert.deepEqual(await filesWith(text), [], text);
  const [rejects = ''] = readdirSync(join(place.data, 'rejects')).filter((file) => file.startsWith(again.value.run));
  assert.match(
    readFileSync(join(place.data, 'rejects', rejects), 'utf8'),
    /2,"?this person was erased and is not sent again/,
  );

  // The ledger is lost and restored from its backup: whoever was forgotten stays forgotten.
  await place.letGo();
  writeFileSync(join(place.data, 'ledger', 'PG_VERSION'), 'no');
  assert.match((await place.run('doctor', '--rebuild')).stdout, /The ledger was rebuilt/);
  const rebuilt = await place.json('import', 'people.csv', '--yes');
  assert.deepEqual([rebuilt.value.roster.members, rebuilt.value.plan.new], [60, 0]);

  type Shown = { forgottenAt: string | null };
  const shown = await place.json<Shown>('person', 'Annegret.Ueberzwerg@example.com');
  assert.match(
    shown.ended.stderr,
    /^Forgotten on \d{4}-\d\d-\d\d \d\d:\d\d: every roster rejects this address\. `roster-sync forget Annegret\.Ueberzwerg@example\.com --undo` ends that\.\nNothing else is known/m,
  );
  assert.ok(shown.value.forgottenAt);
  const undone = await place.run('forget', 'annegret.ueberzwerg@example.com', '--undo');
  assert.match(undone.stdout, /may be sent again.*treats them as new/);
  assert.equal((await place.run('forget', 'annegret.ueberzwerg@example.com', '--undo')).code, 2);
  const allowed = await place.json<Shown>('person', 'annegret.ueberzwerg@example.com');
  assert.equal(allowed.value.forgottenAt, null);
  assert.doesNotMatch(allowed.ended.stderr, /Forgotten/);
  assert.equal((await place.json('import', 'people.csv', '--dry-run')).value.plan.new, 1);
});

test('uploads that hold the person are named, also those that are compressed', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  await place.json('import', place.write('people.csv', csvOf(3)), '--yes');
  const rows = csvOf(4_000);
  const files = {
    gz: gzipSync(rows),
    broken: gzipSync(rows).subarray(0, 90),
    xlsx: Buffer.from('PK\x03\x04 and what is packed'),
    other: gzipSync(csvOf(2)),
  };
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(join(place.data, 'uploads', name), { recursive: true });
    writeFileSync(join(place.data, 'uploads', name, 'bytes'), bytes);
  }
  const { value } = await place.json<{ notReached: string[] }>('forget', 'person3999@example.com', '--yes');
  const named = value.notReached.filter((line) => line.includes('may hold it'));
  assert.deepEqual(
    named.map((line) => /uploads\/(\w+)/.exec(line)?.[1]),
    ['broken', 'gz', 'xlsx'],
  );
});

test('whoever is not known is kept out, and what is no address is refused', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  assert.equal((await place.run('forget', 'nobody', '--yes')).code, 2);
  const known = await place.alone('forget', 'person2@example.com', '--yes');
  assert.equal(known.code, 0, known.stderr);
  assert.match(known.stdout, /nothing is known about this address/);
  place.write('people.csv', `${csvOf(3)}Dora,,dora@example.com,,Sales\n`);
  const { ended, value } = await place.json('import', 'people.csv', '--yes');
  assert.deepEqual([value.roster.members, value.roster.rejects, value.roster.erased], [2, 2, 1]);
  assert.match(ended.stderr, /^Rejects: +2 rows, 1 of them of a person who was erased -> .*correct the others/m);
  assert.match(ended.stderr, /^Next: +1 reject to correct and import;/m);

  const name = `${value.run}-rejects.csv`;
  place.write(name, readFileSync(join(place.data, 'rejects', name), 'utf8').replace('Dora,', 'Dora,Dahl'));
  const { value: corrected } = await place.json('import', name, '--yes');
  assert.deepEqual([corrected.plan.new, corrected.roster.rejects, corrected.roster.erased], [1, 1, 1]);
  assert.equal(existsSync(join(place.data, 'backup', 'people.ndjson.gz')), true);
});

test('a run that begins at the same moment: nothing is erased, and the person is not sent from then on', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  place.write('people.csv', csvOf(3));
  const { value } = await place.json('import', 'people.csv', '--yes');
  const openBusy: typeof openContextAgain = async (options) => {
    const context = await openContextAgain(options);
    const ledger: typeof context.ledger = {
      ...context.ledger,
      async blockPeople(people) {
        await context.ledger.blockPeople(people);
        const [run] = await context.ledger.findRuns(value.run);
        assert.ok(run);
        const { service, settings } = run;
        await context.ledger.createRun({
          id: 'beside',
          source: 'other',
          service,
          trigger: 'import',
          settings,
          worker: 'w',
        });
      },
    };
    return Object.assign(Object.create(context) as typeof context, { ledger });
  };
  const { code, stderr } = await runHere({ ...place, openContext: openBusy }, 'forget', 'person1@example.com', '--yes');
  assert.equal(code, 5, stderr);
  assert.match(
    stderr,
    /began to be planned a moment ago\. .*Nothing was erased\. The person is not sent from now on; forget them again/,
  );
  assert.match((await place.run('person', 'person1@example.com')).stdout, /people/);
});
