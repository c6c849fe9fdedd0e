import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { createProgress, createRowProgress } from '../../src/report/run/progress.ts';
import { FakeClock, FakeStream } from './fake-terminal.ts';

const lines = (stream: FakeStream) => stream.written.split('\n').slice(0, -1);

test('without a terminal a line is written every ten seconds, and the final line at the end', () => {
  const clock = new FakeClock();
  const stream = new FakeStream();
  const progress = createProgress({ stream, total: 2000, clock });
  for (let second = 1; second <= 39; second++) {
    clock.pass(1000);
    progress.update({ succeeded: second * 50, failed: second > 15 ? 2 : 0 });
  }
  clock.pass(1000);
  progress.update({ succeeded: 1998, failed: 2 });
  progress.stop();
  assert.deepEqual(lines(stream), [
    'Send   [#####                   ] 450/2,000   45/s   450 succeeded   about 35 s left',
    'Send   [###########             ] 952/2,000   50/s   950 succeeded, 2 failed   about 21 s left',
    'Send   [#################       ] 1,452/2,000   50/s   1,450 succeeded, 2 failed   about 11 s left',
    'Send   [####################### ] 1,952/2,000   50/s   1,950 succeeded, 2 failed   about 1 s left',
    'Send   [########################] 2,000/2,000   50/s   40 s',
  ]);
});

test('the final line has the shape of the demo', () => {
  const clock = new FakeClock();
  const stream = new FakeStream();
  const progress = createProgress({ stream, total: 200, clock });
  clock.pass(4000);
  progress.update({ succeeded: 200 });
  progress.stop();
  progress.stop();
  assert.equal(stream.written, 'Send   [########################] 200/200   50/s   4.0 s\n');
  assert.equal(clock.running, 0);
});

test('on a terminal the bar is drawn at once and replaced by the final line', () => {
  const clock = new FakeClock();
  const stream = new FakeStream({ isTTY: true });
  const progress = createProgress({ stream, total: 200, clock });
  assert.equal(stream.shown, 'Send   [                        ] 0/200');
  clock.pass(2000);
  progress.update({ succeeded: 98, failed: 2 });
  progress.note('a remark');
  assert.equal(
    stream.shown,
    'a remark\nSend   [############            ] 100/200   50/s   98 succeeded, 2 failed   about 2 s left',
  );
  clock.pass(2000);
  progress.update({ succeeded: 198, failed: 2 });
  progress.stop();
  assert.equal(stream.shown, 'a remark\nSend   [########################] 200/200   50/s   4.0 s\n');
});

test('the bar gives way where the line is short of room, so that the time left is still said', () => {
  const clock = new FakeClock();
  const stream = new FakeStream({ isTTY: true, columns: 80 });
  const progress = createProgress({ stream, total: 20_000, clock });
  clock.pass(1000);
  progress.update({ succeeded: 48, failed: 2 });
  progress.note('a remark');
  const [, shown = ''] = stream.shown.split('\n');
  assert.equal(shown, 'Send   [         ] 50/20,000   50/s   48 succeeded, 2 failed   about 7 min left');
  progress.stop();
});

test('a bar never wraps on a narrow terminal', () => {
  const stream = new FakeStream({ isTTY: true, columns: 40 });
  const progress = createProgress({ stream, total: 1_000_000, before: { succeeded: 500_000 }, clock: new FakeClock() });
  assert.equal(stream.shown.length, 39);
  assert.match(stream.shown, /…$/);
  progress.stop();
});

test('while nobody is called the reason stands in place of the time left', () => {
  const clock = new FakeClock();
  const stream = new FakeStream();
  const progress = createProgress({ stream, total: 200, clock });
  clock.pass(5000);
  progress.update({ succeeded: 100 }, 'waiting: the service asked for 30 s');
  clock.pass(5000);
  progress.stop();
  assert.match(lines(stream)[0] ?? '', /100\/200 {3}10\/s {3}100 succeeded {3}waiting: the service asked for 30 s$/);
});

test('a resumed run shows its present pace, not that of earlier calls', () => {
  const clock = new FakeClock();
  const stream = new FakeStream();
  const progress = createProgress({ stream, total: 1000, before: { succeeded: 900 }, clock });
  clock.pass(2000);
  progress.update({ succeeded: 1000 });
  progress.stop();
  assert.equal(stream.written, 'Send   [########################] 1,000/1,000   50/s   2.0 s\n');
});

test('the time left follows the rate of the last seconds', () => {
  const clock = new FakeClock();
  const stream = new FakeStream();
  const progress = createProgress({ stream, total: 10_000, clock });
  clock.pass(10_000);
  progress.update({ succeeded: 1000 });
  for (let second = 1; second <= 20; second++) {
    clock.pass(1000);
    progress.update({ succeeded: 1000 + second * 10 });
  }
  progress.stop();
  assert.match(lines(stream)[2] ?? '', /1,190\/10,000 {3}10\/s .* about 15 min left$/);
});

test('a program that fails without stopping its progress still ends', async () => {
  const from = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    import { createProgress } from ${from('../../src/report/run/progress.ts')};
    import { FakeStream } from ${from('./fake-terminal.ts')};
    createProgress({ stream: new FakeStream({ isTTY: true }), total: 2 });
    createProgress({ stream: new FakeStream(), total: 2 });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit', timeout: 20_000 });
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('reading that takes less than a second is not mentioned', () => {
  const clock = new FakeClock();
  const stream = new FakeStream({ isTTY: true });
  const progress = createRowProgress({ stream, label: 'Read', unit: 'row', clock });
  clock.pass(999);
  progress.update(200);
  progress.stop();
  clock.pass(10_000);
  assert.equal(stream.written, '');
});

test('reading that takes longer is shown on a terminal, and nothing of it remains', () => {
  const clock = new FakeClock();
  const stream = new FakeStream({ isTTY: true });
  const progress = createRowProgress({ stream, label: 'Read', unit: 'row', clock });
  progress.update(60_000);
  clock.pass(1000);
  assert.equal(stream.shown, 'Read   60,000 rows so far   60,000/s');
  progress.stop();
  assert.equal(stream.shown, '');
  assert.equal(clock.running, 0);
});

test('reading for long without a terminal is told every ten seconds, with the share and the time left while it is read', () => {
  const clock = new FakeClock();
  const stream = new FakeStream();
  const progress = createRowProgress({ stream, label: 'Plan', unit: 'person', clock });
  progress.update(110_000);
  clock.pass(11_000);
  progress.update(210_000, 0.25);
  clock.pass(10_000);
  progress.update(310_000, 1);
  clock.pass(10_000);
  progress.stop();
  assert.deepEqual(lines(stream), [
    'Plan   110,000 people so far   10,000/s',
    'Plan   210,000 people so far   10,000/s   25 %, about 2 min left',
    'Plan   310,000 people so far   10,000/s',
  ]);
});
