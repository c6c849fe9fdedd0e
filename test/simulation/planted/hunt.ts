import { search } from '../search.ts';
import { openSimulation } from '../simulation.ts';

// In a copy of the product with one fault in it: how many seeds does it take?
const [seconds = '60', from = '1000'] = process.argv.slice(2);
const simulation = await openSimulation().catch((error: unknown) => {
  process.stdout.write(`${JSON.stringify({ seeds: 0, said: String(error) })}\n`);
  process.exit(0);
});
const { seeds, ms, failure } = await search(simulation, {
  from: Number(from),
  forMs: Number(seconds) * 1000,
  shrinkMs: 0,
});
const said = failure?.said.split('\n').find((line) => line.startsWith('  - '));
process.stdout.write(`${JSON.stringify({ seeds, ms: Math.round(ms), ...(said && { said: said.slice(4, 160) }) })}\n`);
await simulation.close();
