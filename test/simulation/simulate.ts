import { parseArgs } from 'node:util';
import { guards, reachable } from './coverage.ts';
import { search } from './search.ts';
import { openSimulation } from './simulation.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } } });
const from = Number(values.seed ?? Math.floor(Math.random() * 1_000_000_000));
const simulation = await openSimulation();
const found = await search(simulation, {
  from,
  forMs: values.seed === undefined || values.minutes !== '1' ? Number(values.minutes) * 60_000 : 1,
  shrinkMs: 120_000,
});
await simulation.close();

const unseen = (wanted: readonly string[], seen: ReadonlySet<string>): string[] =>
  wanted.filter((one) => !seen.has(one));
const sayUnseen = (wanted: readonly string[], seen: ReadonlySet<string>): string =>
  unseen(wanted, seen).join(', ') || 'none';
const minutes = found.ms / 60_000;
const lines = [
  `${found.seeds} seeds from ${from}, ${found.nights} nights, ${found.calls} calls in ${Math.round(found.ms / 1000)} s: ` +
    `${Math.round(found.seeds / minutes)} seeds and ${Math.round(found.nights / minutes)} nights a minute`,
  `moves seen: ${reachable.length - unseen(reachable, found.moves).length} of ${reachable.length}; not seen: ${sayUnseen(reachable, found.moves)}`,
  `guards that held nothing: ${sayUnseen(guards, found.tripped)}; that let nothing pass: ${sayUnseen(guards, found.passed)}`,
  found.failure ? `\n${found.failure.said}` : 'nothing was wrong',
];
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = found.failure ? 1 : 0;
