import { PGlite } from '@electric-sql/pglite';
import { Chance } from './world/chance.ts';
import { writeFileSync } from 'node:fs';
let ev: string[] = [];
const orig = PGlite.prototype.execProtocolRawStream as any;
(PGlite.prototype as any).execProtocolRawStream = async function (m: Uint8Array, o: any) {
  ev.push(
    'S ' +
      Buffer.from(m)
        .toString('latin1')
        .replace(/[^\x20-\x7e]+/g, ' ')
        .replace(/\s+/g, ' '),
  );
  const d = o.onRawData;
  let got = '';
  const r = await orig.call(this, m, {
    ...o,
    onRawData: (b: Uint8Array) => {
      got += Buffer.from(b)
        .toString('latin1')
        .replace(/[^\x20-\x7e]+/g, ' ');
      d(b);
    },
  });
  ev.push('R ' + got.slice(0, 2000));
  return r;
};
const next = Chance.prototype.next;
Error.stackTraceLimit = 6;
Chance.prototype.next = function () {
  const v = next.call(this);
  const s = new Error()
    .stack!.split('\n')
    .slice(2, 6)
    .map((x) =>
      x
        .trim()
        .replace(/file:\/\/.*\/(\w[^/]*)$/, '$1')
        .slice(0, 80),
    )
    .join(' < ');
  ev.push('D ' + v.toFixed(6) + ' ' + s);
  return v;
};
const { openSimulation } = await import('./simulation.ts');
const { storyOf } = await import('./story.ts');
const s = await openSimulation();
const seen = new Map<string, string[]>();
const seed = Number(process.argv[2] ?? 3);
const until = performance.now() + Number(process.argv[3] ?? 200) * 1000;
let n = 0;
const ways: Record<string, number> = {};
while (performance.now() < until) {
  ev = [];
  const e = await s.play(storyOf(seed));
  n++;
  ways[e.hash] = (ways[e.hash] ?? 0) + 1;
  const key = ev.map((x) => x).join('\n');
  if (![...seen.values()].some((v) => v.join('\n') === key)) {
    seen.set(e.hash + '-' + n, ev);
    writeFileSync('/tmp/sm/det-' + seed + '-' + seen.size + '-' + e.hash + '.txt', key);
  }
  ev = [];
  await s.play(storyOf(2));
}
console.log(n, ways, seen.size);
await s.close();
