// Stops waiting for a server that has been silent too long.

export class IdleTimer {
  /** Aborted after the silence, or with the outer one. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(timeoutMs: number, outer: AbortSignal) {
    this.signal = AbortSignal.any([this.#controller.signal, outer]);
    this.#timer = setTimeout(() => this.#controller.abort(new Error('silent')), timeoutMs);
  }
  restart(): void {
    this.#timer.refresh();
  }
  stop(): void {
    clearTimeout(this.#timer);
  }
}
