import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { openPlace, type Place, withoutTerminals } from '../support/cli.ts';

const rosterOf = (heading: string, ...cells: string[]): string =>
  [
    `First Name,Last Name,Email,${heading}`,
    ...cells.map((cell, at) => `Ann${'abcdefgh'[at]},Ek,ann${at}@example.com,${cell}`),
  ].join('\n');

describe('several groups in a cell', () => {
  let place: Place;
  before(async () => {
    place = await openPlace({}, { bare: true, here: true });
    place.write('lists.csv', rosterOf('Department', '"IT, Sales"', 'IT', 'Sales', 'HR'));
    place.write('lines.csv', rosterOf('Department', '"IT\nSales"', 'IT', 'Sales'));
    place.write('unclear.csv', rosterOf('Department', '"IT, Oslo"', '"IT, Bergen"', 'HR', 'HR'));
    place.write('one.csv', rosterOf('Department', '"Research, Development"', 'IT', 'HR'));
  });
  const dryRun = (file: string, ...more: string[]) =>
    place.run('import', file, '--group-column', 'Department', '--dry-run', ...more);

  it('are seen by --group-column if the parts are alone elsewhere too, with a note', async () => {
    const { code, stdout, stderr } = await dryRun('lists.csv');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /<ann0@example\.com> -> IT, Sales$/m);
    assert.match(
      stderr,
      /"Department": a cell like "IT, Sales" names several groups, separated by ","\. --group-split none/,
    );
    assert.match((await dryRun('lines.csv')).stdout, /<ann0@example\.com> -> IT, Sales$/m);
  });

  it('are not made of one group with a comma in its name, which samples show in quotes', async () => {
    const { code, stdout, stderr } = await dryRun('one.csv');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /<ann0@example\.com> -> "Research, Development"$/m);
    assert.match((await dryRun('lists.csv', '--group-split', 'none')).stdout, /-> "IT, Sales"$/m);
  });

  it('are refused where it is unclear and nobody can be asked, until a flag says it', async () => {
    const { code, stderr } = await dryRun('unclear.csv');
    assert.equal(code, 2);
    assert.match(
      stderr,
      /unclear\.csv: "Department": is "IT, Oslo" one group, or several separated by ","\? Use --group-split none or --group-split ","\. Nothing was sent\./,
    );
    assert.match((await dryRun('unclear.csv', '--group-split', ',')).stdout, /-> IT, Oslo$/m);
    assert.match((await dryRun('unclear.csv', '--group-split', 'none')).stdout, /-> "IT, Oslo"$/m);
    assert.match((await dryRun('unclear.csv', '--group-split', '&')).stderr, /--group-split "&": give one of/);
  });

  it('are asked about at a terminal', { skip: withoutTerminals }, async () => {
    for (const [typed, sent] of [
      ['y\r', /<ann0@example\.com> -> IT, Oslo/],
      ['n\r', /<ann0@example\.com> -> "IT, Oslo"/],
      ['\u0003', /Nothing was sent, and nothing was kept/],
    ] as const) {
      const running = await place.terminal('import', 'unclear.csv', '--group-column', 'Department', '--dry-run');
      await running.until(/does "IT, Oslo" name several groups, separated by ","\? \[y\/N\]/);
      running.child.stdin?.write(typed);
      const { code, stdout } = await running.ended;
      assert.equal(code, typed === '\u0003' ? 130 : 0, stdout);
      assert.match(stdout, sent);
    }
  });

  it('are seen alike by inspect, whose block asks about what is unclear', async () => {
    const blockOf = async (file: string) =>
      (await place.json<{ block: string[] }>('inspect', file)).value.block.join('\n');
    assert.match(await blockOf('lists.csv'), /- \{ column: Department, split: "," \}/);
    assert.match(await blockOf('lines.csv'), /- \{ column: Department, split: "\\n" \}/);
    assert.match(await blockOf('one.csv'), /- \{ column: Department \} # 3 different in 3 rows$/m);
    assert.match(
      await blockOf('unclear.csv'),
      /- \{ column: Department \} # .*; is "IT, Oslo" one group\? If it is several, add split: ","/,
    );
    const { value } = await place.json<{ remarks: string[] }>('inspect', 'unclear.csv', '--group-column', 'Department');
    assert.match(value.remarks.join('\n'), /is "IT, Oslo" one group, or several/);
  });
});

describe('a matrix, with a column for each group', () => {
  let place: Place;
  const matrix = [
    'First Name,Last Name,Email,First aid,Forklift,Night shift',
    'Ann,Ek,ann@example.com,x,,ja',
    'Bo,Oh,bo@example.com,1,✓,',
    'Cy,Pi,cy@example.com,,TRUE,oui',
  ].join('\n');
  before(async () => {
    place = await openPlace({}, { bare: true, here: true });
    place.write('matrix.csv', matrix);
    place.write('odd.csv', `${matrix}\nDi,Qu,di@example.com,maybe,,\n`);
  });

  for (const columns of ['D:F', 'd:f', 'First aid,Forklift,Night shift', 'first_aid, FORKLIFT, Night*']) {
    it(`is read by --group-matrix "${columns}"`, async () => {
      const { code, stdout, stderr } = await place.run('plan', 'matrix.csv', '--group-matrix', columns);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /<ann@example\.com> -> First aid, Night shift$/m);
      assert.match(stdout, /<bo@example\.com> -> First aid, Forklift$/m);
      assert.match(stdout, /<cy@example\.com> -> Forklift, Night shift$/m);
    });
  }

  it('rejects a row with a word that is neither yes nor no, and refuses columns that are not there', async () => {
    const odd = await place.run('plan', 'odd.csv', '--group-matrix', 'D:F');
    assert.match(odd.stdout, /line 5 "maybe" is neither yes nor no/);
    const beyond = await place.run('plan', 'matrix.csv', '--group-matrix', 'D:H');
    assert.equal(beyond.code, 2);
    assert.match(beyond.stderr, /"D:H", which --group-matrix names, is not among the 6 columns/);
    const mistyped = await place.run('plan', 'matrix.csv', '--group-matrix', 'First aid,Forklfit');
    assert.match(mistyped.stderr, /no column "Forklfit", which --group-matrix names\. Did you mean "Forklift"\?/);
  });

  it('is proposed by inspect as a rule, which sync of a source reads; a flag of sync takes its place', async () => {
    const { value } = await place.json<{ block: string[] }>('inspect', 'matrix.csv');
    assert.match(
      value.block.join('\n'),
      /^ {2}- \{ matrix: \[ First aid, Forklift, Night shift \] \} # each of these columns is a group/m,
    );
    const made = await place.run('init', 'matrix.csv');
    assert.equal(made.code, 0, made.stderr);
    const whole = await place.run('sync', 'matrix', '--dry-run');
    assert.match(whole.stdout, /<ann@example\.com> -> First aid, Night shift$/m);
    const some = await place.run('sync', 'matrix', '--dry-run', '--group-matrix', 'E:F');
    assert.match(some.stdout, /<ann@example\.com> -> Night shift$/m);
  });
});
