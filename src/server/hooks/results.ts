// Counts how webhook requests ended.
import type { Refusal } from '../../core/webhooks/scheme.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Figures } from '../../process/figures.ts';
import type { Logger } from '../../process/logger.ts';

/** How a request to a webhook ended. `address`: it did not come from where it must; `busy`: the sender shall come again. */
export type HookResult =
  | 'stored'
  | 'replayed'
  | 'ignored'
  | 'ping'
  | 'handshake'
  | 'unreadable'
  | 'address'
  | 'busy'
  | Refusal;

const refused: ReadonlySet<HookResult> = new Set(['missing', 'wrong', 'late', 'address', 'unreadable']);
/** Between two writings into the ledger, and two lines of the log about the same, ms. */
const writeEveryMs = 5000;
const sayEveryMs = 60_000;

/** Of what is not believed, nothing else is kept. */
export class HookResults {
  readonly #ledger: Pick<Ledger, 'countEvents'>;
  readonly #log: Logger;
  readonly #figures: Pick<Figures, 'webhook'> | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #saidAt = new Map<string, number>();
  #counts = new Map<string, { source: string; result: HookResult; count: number }>();

  constructor(ledger: Pick<Ledger, 'countEvents'>, log: Logger, figures?: Pick<Figures, 'webhook'>) {
    this.#ledger = ledger;
    this.#log = log;
    this.#figures = figures;
    this.#timer = setInterval(() => void this.#write(), writeEveryMs);
    this.#timer.unref();
  }

  add(source: string, result: HookResult): void {
    this.#figures?.webhook(source, result);
    const key = `${result} ${source}`;
    const known = this.#counts.get(key);
    if (known) known.count += 1;
    else this.#counts.set(key, { source, result, count: 1 });
    if (refused.has(result)) this.#say(key, { source, result }, 'an event was refused');
  }

  /** Called when an event could not be stored. */
  trouble(source: string, error: unknown): void {
    const cause = error instanceof Error ? error.message : String(error);
    this.#say(
      `trouble ${source}`,
      { source, cause },
      'an event could not be recorded; its sender was asked to send it again',
    );
  }

  /** Once a minute at most: a sender of rubbish must not fill the disk with log lines. */
  #say(key: string, about: object, words: string): void {
    const now = performance.now();
    if (now - (this.#saidAt.get(key) ?? -Infinity) < sayEveryMs) return;
    this.#saidAt.set(key, now);
    this.#log.warn(about, words);
  }

  async #write(): Promise<void> {
    const counts = this.#counts;
    if (counts.size === 0) return;
    this.#counts = new Map();
    try {
      await this.#ledger.countEvents([...counts.values()]);
    } catch {
      // They are counted with the next ones.
      for (const [key, one] of counts) {
        const newer = this.#counts.get(key);
        if (newer) newer.count += one.count;
        else this.#counts.set(key, one);
      }
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#write();
  }
}
