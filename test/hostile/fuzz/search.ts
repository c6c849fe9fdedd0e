import { readdirSync } from 'node:fs';
import type { Chance } from '../../simulation/world/chance.ts';
import type { Coverage } from './coverage.ts';
import { spoil } from './mutate.ts';
import type { FuzzTarget } from './target.ts';
import { kindOf, shorten, tryOne } from './try.ts';
import type { Watchdog } from './watchdog.ts';

/** What a search works with. */
interface SearchTools {
  chance: Chance;
  coverage: Coverage;
  watchdog: Watchdog;
  /** The folder for temporary files: empty between two inputs, unless something was left behind. */
  temporary: string;
}

/** An input that went wrong, and how. */
interface Fault {
  input: Buffer;
  wrong: string;
}

/** Looking at what ran takes 6 ms, as long as a thousand inputs of a small parser: it is done for many at once. */
const batch = { inputs: 3000, ms: 200, looks: 40 };
/** More inputs than this are not kept; the oldest go. */
const mostKept = 1500;

/** Processor time of this process: a busy machine does not make a search shorter. */
const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** A search of one parser: inputs that ran something new are kept, and changed further. */
export class Search {
  readonly target: FuzzTarget;
  readonly kept: Buffer[];
  readonly faults = new Map<string, Fault>();
  inputs = 0;
  processorMs = 0;
  readonly #tools: SearchTools;
  /** How often what ran may still be looked at for this batch. */
  #looks = 0;

  constructor(target: FuzzTarget, corpus: readonly Buffer[], tools: SearchTools) {
    this.target = target;
    this.#tools = tools;
    this.kept = [...target.good, ...corpus];
  }

  /** Reads what is known. */
  async begin(): Promise<void> {
    for (const input of this.kept) await this.#try(input);
    this.#tools.coverage.look();
  }

  /** Reads new inputs until so much processor time is used. */
  async run(ms: number): Promise<void> {
    const began = processorMs();
    do await this.#batch();
    while (processorMs() - began < ms);
    this.processorMs += processorMs() - began;
  }

  async #batch(): Promise<void> {
    const { chance, coverage, temporary } = this.#tools;
    const recent = this.kept.slice(-20);
    const until = processorMs() + batch.ms;
    const inputs: Buffer[] = [];
    for (let left = batch.inputs; left > 0 && processorMs() < until; left -= 1) {
      const input = spoil(this.target, chance.happens(0.4) ? recent : this.kept, chance);
      inputs.push(input);
      await this.#try(input);
    }
    this.inputs += inputs.length;
    const behind = readdirSync(temporary);
    if (behind.length > 0)
      this.#note(inputs[0] ?? Buffer.alloc(0), `files were left behind: ${behind[0]?.replace(/\w{6}$/, '')}`);
    this.#looks = batch.looks;
    if (coverage.news() > 0) await this.#keepNew(inputs);
    this.kept.splice(this.target.good.length, Math.max(0, this.kept.length - mostKept));
  }

  /** Keeps those that run something new, found by halves. */
  async #keepNew(inputs: readonly Buffer[]): Promise<void> {
    const half = Math.ceil(inputs.length / 2);
    for (const part of inputs.length === 1 ? [inputs] : [inputs.slice(0, half), inputs.slice(half)]) {
      if (this.#looks <= 0) return;
      this.#looks -= 1;
      for (const input of part) await this.#try(input);
      const [only] = part;
      if (part.length > 1 || !only) {
        if (this.#tools.coverage.news() > 0) await this.#keepNew(part);
      } else if (this.#tools.coverage.look() > 0) this.kept.push(only);
    }
  }

  async #try(input: Buffer): Promise<void> {
    this.#tools.watchdog.begin(input);
    const wrong = await tryOne(this.target, input);
    if (wrong === undefined || this.faults.has(kindOf(wrong))) return;
    this.#note(await shorten(this.target, input, wrong), wrong);
  }

  #note(input: Buffer, wrong: string): void {
    if (!this.faults.has(kindOf(wrong))) this.faults.set(kindOf(wrong), { input, wrong });
  }

  /** The shortest inputs that together run all that the kept ones run, each at most so long. */
  async distil(most: { inputs: number; bytes: number }): Promise<Buffer[]> {
    this.#tools.coverage.forget();
    for (const input of this.target.good) await this.#try(input);
    this.#tools.coverage.look();
    const chosen: Buffer[] = [];
    const candidates = this.kept
      .slice(this.target.good.length)
      .filter(({ length }) => length <= most.bytes)
      .toSorted((one, other) => one.length - other.length);
    for (const input of candidates) {
      await this.#try(input);
      if (this.#tools.coverage.look() > 0) chosen.push(input);
      if (chosen.length === most.inputs) break;
    }
    return chosen;
  }
}
