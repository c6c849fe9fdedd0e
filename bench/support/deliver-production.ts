import { Contest, type ContestOptions, type Round, startService } from './contest.ts';
import { median, printFigures } from './figure.ts';
import { writeRoster } from './production.ts';
import { startServers } from './servers.ts';

/** How to measure. */
export interface DeliverOptions extends ContestOptions {
  rounds: number;
  /** What the service takes, ms: one series of rounds each. */
  latencies: readonly number[];
}

/** Measures the product in production mode beside a raw BullMQ worker and beside a plain script; prints the figures. */
export async function measureProduction(options: DeliverOptions): Promise<void> {
  const servers = await startServers();
  const roster = await writeRoster(options.people);
  for (const latency of options.latencies) {
    const service = await startService(latency);
    const contest = new Contest(servers, service, options, roster);
    const rounds: Record<'raw' | 'script' | 'product', Round[]> = { raw: [], script: [], product: [] };
    for (let round = 0; round < options.rounds; round += 1) {
      rounds.raw.push(await contest.raw());
      rounds.script.push(await contest.script());
      rounds.product.push(await contest.product());
    }
    print(options, latency, rounds);
    service.child.disconnect();
  }
  await servers.stop();
}

function print(
  { people, concurrency }: DeliverOptions,
  latency: number,
  { raw, script, product }: Record<'raw' | 'script' | 'product', Round[]>,
): void {
  const rate = (rounds: readonly Round[]): string => `${median(rounds.map((round) => round.perSecond)).toFixed(0)}/s`;
  const ratios = (to: readonly Round[]): number[] =>
    product.map((round, at) => round.perSecond / (to[at]?.perSecond ?? Number.NaN));
  const cpu = (rounds: readonly Round[]): string => {
    const of = (part: keyof Round): string => median(rounds.map((round) => round[part])).toFixed(3);
    return `${of('own')} (Redis ${of('redis')}, PostgreSQL ${of('postgres')}, service ${of('service')})`;
  };
  const bounds = latency === 0 ? { raw: [0.5, 0.8], script: [0.8, 1.5] } : { raw: [0.95, 1], script: [0.95, 1] };
  printFigures(`\ndeliver: ${people} people, concurrency ${concurrency}, the service takes ${latency} ms`, [
    {
      name: 'calls per second / a raw BullMQ worker + undici that records nothing',
      values: ratios(raw),
      ...(bounds.raw[0] === undefined ? {} : { must: bounds.raw[0] }),
      ...(bounds.raw[1] === undefined ? {} : { aim: bounds.raw[1] }),
      of: `${rate(product)} with every receipt in PostgreSQL, ${rate(raw)} raw`,
    },
    {
      name: 'calls per second / a plain script (papaparse + p-limit + fetch)',
      values: ratios(script),
      ...(bounds.script[0] === undefined ? {} : { must: bounds.script[0] }),
      ...(bounds.script[1] === undefined ? {} : { aim: bounds.script[1] }),
      of: `${rate(product)} with every receipt in PostgreSQL, ${rate(script)} by the script`,
    },
    {
      name: 'processor time per call of the worker process',
      values: product.map(({ own }) => own),
      unit: ' ms',
      of: `${cpu(product)}; raw ${cpu(raw)}; script ${cpu(script)}`,
    },
    {
      name: 'of that the main thread, the only part that does not spread over more cores',
      values: product.map(({ main }) => main),
      unit: ' ms',
      of: [raw, script]
        .map((others) => median(others.map(({ main }) => main)))
        .map((main, at) => `${['raw', 'script'][at]} ${main.toFixed(3)}`)
        .join('; '),
    },
  ]);
}
