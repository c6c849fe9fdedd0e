import type { DeliveryQueue, QueuedDelivery } from '../../../src/queue/queue.ts';
import type { Chance } from './chance.ts';
import type { Being, Clock } from './clock.ts';

interface Job {
  data: QueuedDelivery;
  holder: Being | undefined;
}

interface Crew {
  being: Being;
  free: number;
  isClosed: boolean;
  deliver(data: QueuedDelivery): Promise<void>;
}

/**
 * The queue as the simulated world has it: at least once, mostly in order. A job whose process has died is given out again
 * after its lock has run out; jobs get lost and are doubled.
 */
export class SimulatedQueue {
  #jobs: Job[] = [];
  readonly #crews: Crew[] = [];
  readonly #clock: Clock;
  readonly #chance: Chance;
  readonly #lockMs: number;

  constructor({ clock, chance }: { clock: Clock; chance: Chance }, lockMs: number) {
    this.#clock = clock;
    this.#chance = chance;
    this.#lockMs = lockMs;
  }

  /** Everything in it is lost, as when Redis starts again without its data. */
  lose(): void {
    this.#jobs = [];
  }

  /** Jobs that are being worked on are given out again, as after a lock that ran out. */
  double(): void {
    const copies = this.#jobs
      .filter(({ holder }) => holder !== undefined)
      .map(({ data }) => ({ data, holder: undefined }));
    this.#jobs.push(...copies);
    this.#giveOut();
  }

  /** The queue as one process has it. */
  of(being: Being): DeliveryQueue {
    const pause = (): Promise<void> => this.#clock.pause(this.#chance.next() * 4);
    return {
      add: async (deliveries, front) => {
        await pause();
        const known = new Set(this.#jobs.map(({ data }) => nameOf(data)));
        const jobs = deliveries.filter((each) => !known.has(nameOf(each))).map((data) => ({ data, holder: undefined }));
        if (front) this.#jobs.unshift(...jobs);
        else this.#jobs.push(...jobs);
        this.#giveOut();
        await pause();
      },
      size: async () => {
        await pause();
        return this.#jobs.length;
      },
      empty: async () => {
        await pause();
        this.#jobs = [];
      },
      work: (deliver, concurrency) => {
        const crew: Crew = { being, free: concurrency, isClosed: false, deliver };
        this.#crews.push(crew);
        this.#giveOut();
        return {
          close: async (graceMs) => {
            crew.isClosed = true;
            const until = this.#clock.now + graceMs;
            while (crew.free < concurrency && this.#clock.now < until) await this.#clock.pause(20);
          },
        };
      },
      close: () => Promise.resolve(),
    };
  }

  #giveOut(): void {
    for (;;) {
      const crews = this.#crews.filter(({ being, free, isClosed }) => free > 0 && !isClosed && !being.isDead);
      const waiting = this.#jobs.filter(({ holder }) => holder === undefined);
      if (crews.length === 0 || waiting.length === 0) return;
      const job = this.#chance.happens(0.1) ? this.#chance.pick(waiting) : waiting[0];
      if (job === undefined) return;
      const crew = this.#chance.pick(crews);
      job.holder = crew.being;
      crew.free -= 1;
      void this.#clock.as(crew.being, () => this.#carry(job, crew));
      void this.#clock.as(undefined, () => this.#watch(job, crew.being));
    }
  }

  async #carry(job: Job, crew: Crew): Promise<void> {
    await this.#clock.pause(this.#chance.happens(0.05) ? this.#chance.between(0, 1500) : this.#chance.next() * 5);
    await crew.deliver(job.data);
    await this.#clock.pause(this.#chance.next() * 3);
    this.#jobs = this.#jobs.filter((each) => each !== job);
    crew.free += 1;
    this.#clock.as(undefined, () => this.#giveOut());
  }

  /** A lock is renewed by its process as long as that lives, and runs out afterwards. */
  async #watch(job: Job, being: Being): Promise<void> {
    while (this.#jobs.includes(job) && job.holder === being) {
      await this.#clock.sleep(this.#lockMs);
      if (!being.isDead || job.holder !== being) continue;
      job.holder = undefined;
      this.#giveOut();
    }
  }
}

const nameOf = ({ id, feeds }: QueuedDelivery): string => `${id}-${feeds}`;
