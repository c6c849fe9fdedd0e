import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { envOf, openPlace, type Place, withoutTerminals } from '../support/cli.ts';
import { bytesIn } from '../support/encoded-lists.ts';

let sandbox: Sandbox;
let place: Place;

before(async () => {
  sandbox = await startSandbox();
  place = await openPlace(envOf(sandbox), { here: true });
  const header = 'First Name;Last Name;Email\n';
  place.write('clear.csv', bytesIn(`${header}Łukasz;Śliwiński;ls@clear.example\nAnna;Ek;no address\n`, 'windows-1250'));
  place.write('unclear.csv', bytesIn(`${header}Ana;Muñoz;am@unclear.example\n`, 'windows-1252'));
  place.write(
    'roster-sync.yaml',
    JSON.stringify({ sources: { night: { file: './unclear.csv', groups: [{ always: ['IT'] }] } } }),
  );
});
beforeEach(() => sandbox.clearCalls());
after(() => sandbox.close());

const names = (): string[] =>
  sandbox.calls.map(({ body }) => /"lastname":"([^"]*)"/.exec(JSON.stringify(body))?.[1] ?? '');

describe('a file that is not UTF-8', () => {
  it('shows words of it in inspect and in the plan, and has its rejects in its own encoding', async () => {
    assert.match(
      (await place.run('inspect', 'clear.csv')).stdout,
      /Windows-1250, semicolon.*\n +read as windows-1250: /,
    );
    const { code, stdout } = await place.run('import', 'clear.csv', '--group', 'IT', '--yes', '--verbose');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /read as windows-1250: (Śliwiński, Łukasz|Łukasz, Śliwiński)/);
    assert.deepEqual(names(), ['Śliwiński']);
    // Nothing of the words is kept beside the people themselves.
    assert.doesNotMatch((await place.run('runs', '--json')).stdout, /Śliwiński/);
  });

  it('is not sent where its encoding is unclear and nobody is there', async () => {
    for (const words of [
      ['import', 'unclear.csv', '--group', 'IT', '--yes', '--verbose'],
      ['sync', 'night', '--yes', '--verbose'],
      ['inspect', 'unclear.csv'],
    ]) {
      const { code, stderr } = await place.run(...words);
      assert.equal(code, 2, stderr);
      assert.match(
        stderr,
        /windows-1252: Muñoz; windows-1250: Muńoz\. Say which it is .*--encoding windows-1252 says which it is, --encoding windows-1250/,
      );
    }
    assert.equal(sandbox.calls.length, 0);
  });

  it('is sent as somebody says that it is written', async () => {
    const { code, stdout } = await place.run(
      ...['import', 'unclear.csv', '--group', 'IT', '--yes', '--encoding', 'windows-1250'],
    );
    assert.equal(code, 0, stdout);
    assert.deepEqual(names(), ['Muńoz']);
  });
});

describe('on a terminal', { skip: withoutTerminals }, () => {
  it('the question is answered by a number, and the answer is in force', async () => {
    const running = await place.terminal('import', 'unclear.csv', '--group', 'IT', '--dry-run');
    await running.until(/Which line is right\? \[1-2\]/);
    assert.match(running.said(), /1 +Muñoz +\(windows-1252\)\s+2 +Muńoz +\(windows-1250\)/);
    running.child.stdin?.write('2\r');
    const { code, stdout } = await running.ended;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /Read as windows-1250\. Next time: --encoding windows-1250/);
    assert.match(stdout, /Windows-1250, semicolon/);
  });

  it('any answer except a listed number reads nothing', async () => {
    const running = await place.terminal('import', 'unclear.csv', '--group', 'IT');
    await running.until(/\[1-2\]/);
    running.child.stdin?.write('y\r');
    const { code, stdout } = await running.ended;
    assert.equal(code, 2, stdout);
    assert.equal(sandbox.calls.length, 0);
  });
});
