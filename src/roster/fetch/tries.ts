// Bounds a fetch in time, and retries it after temporary trouble.
import { refusal, codeOf, InputError } from '../../core/errors.ts';
import { maskAddresses } from '../../core/person/mask.ts';
import { type Redact, redactorOf } from '../../core/secrets/secret.ts';
import { quote } from '../../core/text/format.ts';
import type { SourceDeps } from '../roster-file.ts';

/** How often something is tried, and until when. */
export interface Tries {
  attempts: number;
  /** Ms since the epoch; no wait goes beyond it. */
  until: number;
  signal: AbortSignal;
  /** Why nothing more comes from a place: the time is over, or nobody wants it any more; undefined while neither is so. */
  ended(place: string): Error | undefined;
}

/** Begins the time that a source has. */
export function triesOf(
  { attempts, deadline }: { attempts: number; deadline: number },
  { name, now, signal }: Pick<SourceDeps, 'name' | 'now' | 'signal'>,
): Tries {
  const end = AbortSignal.timeout(deadline);
  return {
    attempts,
    until: now().getTime() + deadline,
    signal: signal ? AbortSignal.any([signal, end]) : end,
    ended(place) {
      if (signal?.aborted) return signal.reason as Error;
      return end.aborted
        ? new InputError(`${name}: ${place} took longer than ${deadline / 1000} s in all.`)
        : undefined;
    },
  };
}

/** The waits between tries, in ms: 2 s, doubled each time, at most a minute. Six tries outlast a limit per minute. */
const firstWait = 2000;
const longestWait = 60_000;

/**
 * Tries again while trouble may pass, after a wait, or as long as the server asks. Throws an `InputError` when tries or
 * time end; all else passes through.
 * @param place as it is shown
 */
export async function tryAgain<Result>(
  { attempts, until, signal, ended }: Tries,
  deps: Pick<SourceDeps, 'name' | 'now' | 'random' | 'wait' | 'onWait'>,
  place: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      const end = ended(place);
      if (end) throw end;
      if (!(error instanceof PassingTrouble)) throw error;
      const { message, cause, waitMs } = error;
      const giveUp = (why: string) =>
        new InputError(`${deps.name}: ${message}${why}. Nothing from it was used.`, { cause });
      if (tried >= attempts) throw giveUp(` (tried ${tried === 1 ? 'once' : `${tried} times`})`);
      const wait = waitMs ?? Math.min(longestWait, firstWait * 2 ** (tried - 1)) * (0.5 + deps.random() / 2);
      if (deps.now().getTime() + wait > until) throw giveUp(', and the next try would come after its deadline');
      deps.onWait?.(message, wait);
      await deps.wait(wait, signal).catch((error: unknown) => {
        throw ended(place) ?? error;
      });
    }
  }
}

/** A place could not be read, or what else was tried with it. */
export function couldNot(place: string, error: unknown, verb = 'be read'): PassingTrouble {
  const code = codeOf(error);
  return new PassingTrouble(`${place} could not ${verb}${code === '' ? '' : ` (${code})`}`, {
    cause: error,
  });
}

/** What a place said about trouble: without secrets and addresses, quoted. */
export function saidBy(error: unknown, redact: Redact): string {
  return quote(maskAddresses(redact(error instanceof Error ? error.message : String(error))), 200);
}

/** Takes the secrets of a source out of the texts of others. */
export function redactorFor({ name, secrets = [] }: Pick<SourceDeps, 'name' | 'secrets'>): Redact {
  return redactorOf(secrets, [name]);
}

/** How often all parts are read again because they shifted. */
const mostReadings = 3;

/** Reads all parts again, from the beginning, while they do not belong together. Throws an `InputError` in the end. */
export async function readWhole<Result>(
  { name, onWait }: Pick<SourceDeps, 'name' | 'onWait'>,
  read: () => Promise<Result>,
): Promise<Result> {
  for (let reading = 1; ; reading++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof PagesShifted)) throw error;
      if (reading >= mostReadings) throw refusal('shiftedPages', { name, message: error.message, mostReadings });
      onWait?.(`${error.message}: it is read again from the beginning`, 0);
    }
  }
}

/** Trouble that may pass: a connection that failed, a server that is busy. The request can be made again. */
export class PassingTrouble extends Error {
  override name = 'PassingTrouble';
  /** The wait that the server asks for, ms. */
  readonly waitMs: number | undefined;
  constructor(message: string, { waitMs, cause }: { waitMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause });
    this.waitMs = waitMs;
  }
}

/** The pages of an answer do not belong together: somebody was added or removed between them. Read all of them again. */
export class PagesShifted extends Error {
  override name = 'PagesShifted';
}

/**
 * Throws what broke the body off rather than what the reader made of it: half an archive reads like a damaged one.
 */
export async function watching<Result>(
  body: AsyncIterable<Uint8Array>,
  read: (body: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  let broken: { error: unknown } | undefined;
  const watched = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      broken = { error };
      throw error;
    }
  };
  try {
    return await read(watched());
  } catch (error) {
    throw broken?.error ?? error;
  }
}

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
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
