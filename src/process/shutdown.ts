// Handles Ctrl-C, SIGTERM and SIGHUP: the first ends work in order, the second at once. Closes what was opened.

/** What an interruption aborts with: the person, or the system, asked the process to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** Whether somebody pressed Ctrl-C; else a terminal was closed, or a program ends this one. */
  readonly isPressed: boolean;
  constructor(signal: NodeJS.Signals | 'disconnect') {
    super('interrupted');
    this.isPressed = signal === 'SIGINT' || signal === 'SIGBREAK';
  }
}

/**
 * SIGHUP is sent when a terminal or, on Windows, its window is closed. SIGBREAK is Ctrl-Break and, from another program, the
 * only signal that Windows does not turn into an instant end.
 */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/** A terminal and npm may both pass one Ctrl-C on, within milliseconds: so close together, two signals are one. */
const oneKeystrokeMs = 300;

/** Who listens in this process: one that begins after a first signal, which another one has heard, stops too. */
const listening = new Set<AbortSignal>();

/**
 * The first SIGINT (Ctrl-C), SIGTERM or SIGHUP aborts the signal and tells `onFirst`; the second one ends the process at once
 * with the exit code of an interruption, 130. The end of the process that started this one (`disconnect`, see the bin)
 * counts as a first one only: npx ends at once on a Ctrl-C, and must not cut off what finishes its calls.
 */
export function listenForInterruptions(onFirst: () => void): { signal: AbortSignal; dispose(): void } & Disposable {
  const controller = new AbortController();
  let first = 0;
  const stop = (why: Interrupted): void => {
    if (controller.signal.aborted) return;
    first = performance.now();
    controller.abort(why);
    onFirst();
  };
  const listener = (signal: NodeJS.Signals): void => {
    const isSecond = controller.signal.aborted && performance.now() - first >= oneKeystrokeMs;
    if (isSecond) process.exit(130); // oxlint-disable-line unicorn/no-process-exit -- the person asked twice
    stop(new Interrupted(signal));
  };
  const onDisconnect = (): void => stop(new Interrupted('disconnect'));
  for (const signal of signals) process.on(signal, listener);
  process.on('disconnect', onDisconnect);
  const heard = [...listening].find(({ aborted }) => aborted);
  if (heard) queueMicrotask(() => stop(heard.reason as Interrupted));
  listening.add(controller.signal);
  const dispose = (): void => {
    listening.delete(controller.signal);
    for (const signal of signals) process.off(signal, listener);
    process.off('disconnect', onDisconnect);
  };
  return {
    /** Aborted by the first signal, or when the process that started this one is gone: finish what is under way. */
    signal: controller.signal,
    /** Stops listening; a signal then ends the process as it does by default. */
    dispose,
    [Symbol.dispose]: dispose,
  };
}

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
