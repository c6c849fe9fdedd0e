// Handles Ctrl-C and SIGTERM: the first ends work in order, the second exits at once.

/** What an interruption aborts with: the person, or the system, asked the process to end. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Listens for interruptions of the process. */
export interface Interruptions {
  /** Aborted by the first SIGINT or SIGTERM, or when the process that started this one is gone: finish what is under way. */
  readonly signal: AbortSignal;
  /** Stops listening; a signal then ends the process as it does by default. */
  dispose(): void;
}

/** A terminal and npm may both pass one Ctrl-C on, within milliseconds: so close together, two signals are one. */
const oneKeystrokeMs = 300;

/**
 * The first SIGINT (Ctrl-C) or SIGTERM aborts the signal and tells `onFirst`; the second one ends the process at once
 * with the exit code of an interruption, 130. The end of the process that started this one (`disconnect`, see the bin)
 * counts as a first one only: npx ends at once on a Ctrl-C, and must not cut off what finishes its calls.
 */
export function listenForInterruptions(onFirst: () => void): Interruptions {
  const controller = new AbortController();
  let first = 0;
  const stop = (): void => {
    if (controller.signal.aborted) return;
    first = performance.now();
    controller.abort(new Interrupted('interrupted'));
    onFirst();
  };
  const listener = (): void => {
    const isSecond = controller.signal.aborted && performance.now() - first >= oneKeystrokeMs;
    if (isSecond) process.exit(130); // oxlint-disable-line unicorn/no-process-exit -- the person asked twice
    stop();
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  // Ctrl-Break and, from another program, the only signal that Windows does not turn into an instant end.
  process.on('SIGBREAK', listener);
  process.on('disconnect', stop);
  return {
    signal: controller.signal,
    dispose() {
      process.off('SIGINT', listener);
      process.off('SIGTERM', listener);
      process.off('SIGBREAK', listener);
      process.off('disconnect', stop);
    },
  };
}
