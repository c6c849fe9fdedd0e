import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, printFigures } from './figure.ts';
import { openProduction, plan, startWorker, writeRoster } from './production.ts';
import { mainThreadTime, processorTime } from './processor-time.ts';
import { fillRawQueue, startRawWorker } from './raw-queue.ts';
import { type Servers, startServers } from './servers.ts';
import type { Served } from './service-process.ts';

/** How to measure. */
export interface DeliverOptions {
  people: number;
  concurrency: number;
  rounds: number;
  /** What the service takes, ms: one series of rounds each. */
  latencies: readonly number[];
  /** Write a profile of the product's worker to this folder. */
  profile?: string;
}

/** What one contestant did in one round. Processor times in ms per call. */
interface Round {
  perSecond: number;
  own: number;
  /** The main thread of its own process. */
  main: number;
  redis: number;
  postgres: number;
  service: number;
}

interface Service {
  url: string;
  token: string;
  child: ChildProcess;
}

/** Measures the product in production mode beside a raw BullMQ worker and beside a plain script; prints the figures. */
export async function measureProduction(options: DeliverOptions): Promise<void> {
  const servers = await startServers();
  const roster = await writeRoster(options.people);
  for (const latency of options.latencies) {
    const child = fork(join(import.meta.dirname, 'service-process.ts'), [String(latency)]);
    const [{ url, token }] = (await once(child, 'message')) as [{ url: string; token: string }];
    const bench = new Bench(servers, { url, token, child }, options, roster);
    const rounds: Record<'raw' | 'script' | 'product', Round[]> = { raw: [], script: [], product: [] };
    for (let round = 0; round < options.rounds; round += 1) {
      rounds.raw.push(await bench.raw());
      rounds.script.push(await bench.script());
      rounds.product.push(await bench.product());
    }
    print(options, latency, rounds);
    child.disconnect();
  }
  await servers.stop();
}

class Bench {
  readonly #servers: Servers;
  readonly #service: Service;
  readonly #options: DeliverOptions;
  readonly #roster: string;
  constructor(servers: Servers, service: Service, options: DeliverOptions, roster: string) {
    this.#servers = servers;
    this.#service = service;
    this.#options = options;
    this.#roster = roster;
  }

  async raw(): Promise<Round> {
    const { people, concurrency } = this.#options;
    const { redisUrl } = this.#servers;
    await this.#servers.reset();
    await fillRawQueue(redisUrl, people);
    return this.#measureChild(await startRawWorker({ redisUrl, service: this.#service, concurrency }));
  }

  async script(): Promise<Round> {
    const { url, token } = this.#service;
    const args = [this.#roster, url, token, String(this.#options.concurrency)];
    const child = fork(fileURLToPath(new URL('./plain-script.ts', import.meta.url)), args);
    await once(child, 'message');
    return this.#measureChild(child);
  }

  async product(): Promise<Round> {
    const { people, concurrency, profile } = this.#options;
    await this.#servers.reset();
    const production = await openProduction(this.#servers, { service: this.#service, rate: 100_000, concurrency });
    const { runId } = await plan(production, this.#roster);
    const worker = await startWorker(production, profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []);
    const round = await this.#measure(worker.child, {
      begin: async () => void (await production.context.ledger.releaseRun(runId, true)),
      // The last receipts are written after the last answer.
      end: async () => {
        while (!(await production.context.ledger.isDelivered(runId))) await sleep(2);
      },
    });
    const { rows } = await this.#servers.database.query('select count(*)::int as count from receipts');
    if (rows[0]?.count !== people) throw new Error(`${rows[0]?.count} receipts for ${people} people`);
    await worker.stop();
    await production.close();
    return round;
  }

  async #measureChild(child: ChildProcess): Promise<Round> {
    const round = await this.#measure(child, { begin: async () => void child.send('go'), end: async () => {} });
    child.kill();
    return round;
  }

  async #measure(
    child: ChildProcess,
    { begin, end }: { begin(): Promise<void>; end(): Promise<void> },
  ): Promise<Round> {
    const { people } = this.#options;
    const pids = { own: child.pid ?? 0, ...this.#servers.pids, service: this.#service.child.pid ?? 0 };
    const spent = (): Record<keyof typeof pids | 'main', number> => ({
      main: mainThreadTime(pids.own),
      own: processorTime(pids.own),
      redis: processorTime(pids.redis),
      postgres: processorTime(pids.postgres),
      service: processorTime(pids.service),
    });
    this.#service.child.send({ clear: true, await: people });
    await begin();
    const before = spent();
    const [{ served }] = (await once(this.#service.child, 'message')) as [{ served: Served }];
    const answered = performance.now();
    await end();
    const took = served.lastAt - served.firstAt + performance.now() - answered;
    const after = spent();
    if (served.calls !== people) throw new Error(`${served.calls} calls for ${people} people`);
    return {
      perSecond: (people / took) * 1000,
      own: (after.own - before.own) / people,
      main: (after.main - before.main) / people,
      redis: (after.redis - before.redis) / people,
      postgres: (after.postgres - before.postgres) / people,
      service: (after.service - before.service) / people,
    };
  }
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
