// Makes one HTTP exchange, and tells whether anything was written.
import type { Dispatcher } from 'undici';
import { defined } from '../core/defined.ts';
import { unpacked, type Unpacking, unpacking } from './unpack.ts';

/** A response as far as it came. Header names are in lower case. */
export interface ReceivedResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /**
   * - `complete`: the whole response
   * - `over-cap`: longer than was allowed; the rest was not read
   * - `broken-off`: the connection or the deadline ended it
   */
  extent: 'complete' | 'over-cap' | 'broken-off';
}

/** What one HTTP exchange came to. */
export interface Exchange {
  /** Whether any of the request was, or may have been, written to a connection. */
  written: boolean;
  response?: ReceivedResponse;
  /** Why there is no complete response. */
  failure?: Error;
}

export interface ExchangeLimits {
  /** The total deadline in ms, over waiting for a connection, connecting, the request and the whole response. */
  timeoutMs: number;
  /** The most bytes of body that are read. */
  maxBodyBytes: number;
  signal?: AbortSignal | undefined;
  /** The latest moment, of `performance.now()`, at which the request may be written: making a connection takes time. */
  notAfter?: number | undefined;
  /**
   * Takes the body of a success (2xx) instead of `body`, in order; its promise is awaited before more is read. What
   * it rejects with ends the exchange. `maxBodyBytes` does not count for it.
   */
  take?: ((chunk: Buffer) => Promise<void>) | undefined;
  /** The silence of the service, ms, that ends the exchange; the wait for `take` does not count. */
  silenceMs?: number | undefined;
}

/** The request would have been written too late for its slot: nothing of it was, and the connection is still good. */
export class LateError extends Error {}

/**
 * Does one HTTP exchange. Never throws and never rejects. Redirects are not followed, nothing is retried.
 *
 * It speaks undici's dispatch interface and not `request()`, because `onRequestStart` is the one sure sign:
 * undici calls it just before it writes the head of the request to an established connection (client-h1.js,
 * `writeH1`), and an error before it leaves nothing written. It also saves a stream per response.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const call = new Call(limits, resolve);
    if (!call.settled) dispatcher.dispatch(request, call);
  });
}

class Call implements Dispatcher.DispatchHandler {
  settled = false;
  readonly #limits: ExchangeLimits;
  readonly #resolve: (exchange: Exchange) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | undefined;
  #headers: ReceivedResponse['headers'] = {};
  #chunks: Buffer[] = [];
  #size = 0;
  #silence: NodeJS.Timeout | undefined;
  #unpacking: Unpacking | undefined;
  /** Parts that `take` has not dealt with, and the last of them. */
  #taking = 0;
  #taken: Promise<void> = Promise.resolve();

  constructor(limits: ExchangeLimits, resolve: (exchange: Exchange) => void) {
    this.#limits = limits;
    this.#resolve = resolve;
    this.#timer = setTimeout(this.#onDeadline, limits.timeoutMs);
    if (limits.silenceMs !== undefined) this.#silence = setTimeout(this.#onSilence, limits.silenceMs);
    if (limits.signal?.aborted) this.#onStop();
    else limits.signal?.addEventListener('abort', this.#onStop);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // An abort here leaves nothing written; an exception leaves the connection open besides.
    if (this.settled) controller.abort(new Error('no longer wanted'));
    else if (performance.now() > (this.#limits.notAfter ?? Infinity)) throw new LateError('too late for its slot');
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ReceivedResponse['headers'],
  ): void {
    this.#silence?.refresh();
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    const { take } = this.#limits;
    if (take !== undefined && this.#isSuccess) this.#unpacking = unpacking(headers['content-encoding'], take);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // After a pause undici hands on nothing at all before the rest: to pause for that again would never end.
    if (this.settled || chunk.length === 0) return;
    this.#silence?.refresh();
    const { take } = this.#limits;
    if (take !== undefined && this.#isSuccess) {
      const unpacking = this.#unpacking;
      return this.#handOn(controller, chunk, unpacking ? (part) => unpacking.take(part) : take);
    }
    const room = this.#limits.maxBodyBytes - this.#size;
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#size += chunk.length;
    if (chunk.length > room)
      this.#abandon(new Error(`the body is longer than ${this.#limits.maxBodyBytes} bytes`), 'over-cap');
  }

  onResponseEnd(): void {
    if (this.#taking === 0 && this.#unpacking === undefined) this.#unpack();
    else void this.#taken.then(() => this.#unpacking?.end()).then(() => this.#settle('complete'), this.#onFailure);
  }

  /** All of a body is there that was not handed on in parts. */
  #unpack(): void {
    const { maxBodyBytes } = this.#limits;
    const [first = Buffer.alloc(0), ...others] = this.#chunks;
    try {
      const whole = others.length === 0 ? first : Buffer.concat(this.#chunks);
      this.#chunks = [unpacked(whole, this.#headers['content-encoding'], maxBodyBytes)];
      this.#settle('complete');
    } catch (error) {
      if (error instanceof RangeError)
        this.#abandon(new Error(`the body is longer than ${maxBodyBytes} bytes`), 'over-cap');
      // It stays as it came, to be shown.
      else this.#settle('complete');
    }
  }

  readonly #onFailure = (error: unknown): void => {
    this.#abandon(error instanceof Error ? error : new Error(String(error)), 'broken-off');
  };

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#settle('broken-off', error);
  }

  get #isSuccess(): boolean {
    return this.#status !== undefined && this.#status >= 200 && this.#status < 300;
  }

  #handOn(controller: Dispatcher.DispatchController, chunk: Buffer, take: NonNullable<ExchangeLimits['take']>): void {
    this.#taking += 1;
    controller.pause();
    const before = this.#taken;
    const taking = async (): Promise<void> => {
      await before;
      try {
        if (!this.settled) await take(chunk);
      } catch (error) {
        this.#onFailure(error);
      }
      this.#taking -= 1;
      this.#silence?.refresh();
      // A connection that the service has closed meanwhile may bring its last parts unasked.
      if (this.#taking === 0 && !this.settled) controller.resume();
    };
    this.#taken = taking();
  }

  readonly #onSilence = (): void => {
    if (this.#taking > 0) this.#silence?.refresh();
    else this.#abandon(new Error(`nothing came for ${(this.#limits.silenceMs ?? 0) / 1000} s`), 'broken-off');
  };

  readonly #onDeadline = (): void => {
    this.#abandon(new Error(`no answer within ${this.#limits.timeoutMs / 1000} s`), 'broken-off');
  };

  readonly #onStop = (): void => {
    this.#abandon(new Error('stopped'), 'broken-off');
  };

  #abandon(failure: Error, extent: ReceivedResponse['extent']): void {
    this.#settle(extent, failure);
    this.#controller?.abort(failure);
  }

  #settle(extent: ReceivedResponse['extent'], failure?: Error): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    this.#limits.signal?.removeEventListener('abort', this.#onStop);
    const [first, ...others] = this.#chunks;
    const body = first !== undefined && others.length === 0 ? first : Buffer.concat(this.#chunks);
    this.#resolve({
      written: this.#controller !== undefined,
      ...defined({ failure }),
      ...(this.#status === undefined
        ? {}
        : { response: { status: this.#status, headers: this.#headers, body, extent } }),
    });
  }
}
