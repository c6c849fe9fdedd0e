import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mainThreadTime, processorTime } from './processor-time.ts';
import { openProduction, plan, startWorker } from './production.ts';
import { fillRawQueue, startRawWorker } from './raw-queue.ts';
import type { Servers } from './servers.ts';
import type { Served } from './service-process.ts';

export interface ContestOptions {
  people: number;
  concurrency: number;
  /** Write a profile of the product's worker to this folder. */
  profile?: string;
}

/** What one contestant did in one round. Processor times in ms per call. */
export interface Round {
  perSecond: number;
  own: number;
  /** The main thread of its own process. */
  main: number;
  redis: number;
  postgres: number;
  service: number;
}

export interface Service {
  url: string;
  token: string;
  child: ChildProcess;
}

/** Starts the service that all of them call, which takes so many ms. */
export async function startService(latency = 0): Promise<Service> {
  const child = fork(join(import.meta.dirname, 'service-process.ts'), [String(latency)]);
  const [{ url, token }] = (await once(child, 'message')) as [{ url: string; token: string }];
  return { url, token, child };
}

/** Contestants that deliver the same people to the same service, one after the other. */
export class Contest {
  readonly #servers: Servers;
  readonly #service: Service;
  readonly #options: ContestOptions;
  readonly #roster: string;
  constructor(servers: Servers, service: Service, options: ContestOptions, roster: string) {
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
    return this.measureChild(await startRawWorker({ redisUrl, service: this.#service, concurrency }));
  }

  async script(): Promise<Round> {
    const { url, token } = this.#service;
    const args = [this.#roster, url, token, String(this.#options.concurrency)];
    const child = fork(fileURLToPath(new URL('./plain-script.ts', import.meta.url)), args);
    await once(child, 'message');
    return this.measureChild(child);
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

  /** Measures a process that works when told to, until `end`. */
  async measureChild(child: ChildProcess, end: () => Promise<void> = async () => {}): Promise<Round> {
    const round = await this.#measure(child, { begin: async () => void child.send('go'), end });
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
