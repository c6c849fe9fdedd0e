// Limits how many callers work at once, first come, first served; further callers wait.

/** Gives a permit back; only the first time counts. */
export type Release = () => void;

export class Permits {
  #free: number;
  #waiting: ((release: Release | undefined) => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** Takes a permit as soon as there is one; undefined when `refuse` was called first. */
  async take(): Promise<Release | undefined> {
    if (this.#free > 0) {
      this.#free -= 1;
      return this.#release();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Lets those who wait go without a permit; what was taken stays taken. */
  refuse(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve(undefined);
  }

  #release(): Release {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next(this.#release());
    };
  }
}
