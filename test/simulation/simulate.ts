import { parseArgs } from 'node:util';
import { deliveryMoves, type DeliveryState, writtenAs } from '../../src/core/run/delivery-states.ts';
import { runMoves } from '../../src/core/run/run-states.ts';
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

const wanted = new Set([
  // What is claimed or called keeps its row as it is.
  ...Object.values(deliveryMoves).flatMap(({ from: before, to }) =>
    (before.length === 0 ? ['-'] : before.flatMap((one: DeliveryState) => writtenAs(one)))
      .flatMap((one) => to.map((next) => [one, next] as const))
      .filter(([one, next]) => one !== next && next !== 'claimed' && next !== 'called')
      .map(([one, next]) => `deliveries ${one} ${next}`),
  ),
  ...Object.values(runMoves).flatMap(({ from: before, to }) => before.map((one) => `runs ${one} ${to}`)),
]);
const minutes = found.ms / 60_000;
const lines = [
  `${found.seeds} seeds from ${from}, ${found.nights} nights, ${found.calls} calls in ${Math.round(found.ms / 1000)} s: ` +
    `${Math.round(found.seeds / minutes)} seeds and ${Math.round(found.nights / minutes)} nights a minute`,
  `moves seen: ${[...wanted].filter((move) => found.moves.has(move)).length} of ${wanted.size}; not seen: ${[...wanted].filter((move) => !found.moves.has(move)).join(', ')}`,
  `guards that held something: ${[...found.tripped].toSorted().join(', ')}`,
  found.failure ? `\n${found.failure.said}` : 'nothing was wrong',
];
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = found.failure ? 1 : 0;
