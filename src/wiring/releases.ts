// Closes what was opened, last first and once.

export class Releases {
  readonly #steps: (() => Promise<void>)[] = [];
  #closing: Promise<void> | undefined;

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }
  close(): Promise<void> {
    return (this.#closing ??= this.#closeAll());
  }
  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.#steps.toReversed()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
