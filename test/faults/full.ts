/**
 * Ten times: an embedded import of 2,000 people, killed with `kill -9` while the service serves at least five calls,
 * then resumed. Prints a line per round, and exits 1 when a rule was broken.
 *
 *   npm run faults:full -- [rounds] [people] [concurrency]
 */
import { playRound, timeoutMs } from './kill-round.ts';

const [rounds = 10, people = 2000, concurrency = 40] = process.argv.slice(2).map(Number);
const columns = ['round', 'in flight', 'begun', 'receipts', 'lost', 'repeated', 'soonest ms', 'overlaps', 'delivered'];
console.log(`${people} people, concurrency ${concurrency}, the service takes 200 ms, its timeout is ${timeoutMs} ms\n`);
console.log(columns.join('  '));
for (let round = 1; round <= rounds; round += 1) {
  const killedAt = 0.1 + 0.8 * ((round - 0.5) / rounds);
  const found = await playRound({ people, concurrency, killedAt });
  const { serving, begun, kept, lost, forgotten, repeated, repeatedInVain, soonestRepeat, overlaps, succeeded } = found;
  const figures = [
    round,
    serving,
    begun,
    kept,
    lost.length + forgotten.length,
    repeated.length,
    Number.isFinite(soonestRepeat) ? Math.round(soonestRepeat) : '-',
    overlaps,
    succeeded,
  ];
  console.log(figures.map((figure, at) => String(figure).padStart(columns[at]?.length ?? 0)).join('  '));
  const broken =
    lost.length + forgotten.length + repeatedInVain.length + overlaps > 0 ||
    begun > concurrency ||
    soonestRepeat < timeoutMs ||
    succeeded !== people ||
    found.shown.outcome['succeeded'] !== people;
  if (broken) process.exitCode = 1;
}
