// Logs temporary trouble, each kind at most once a minute.
import { say } from '../core/words/say.ts';

interface Warns {
  warn(data: { cause: string; times?: number }, text: string): void;
}

/** Reports temporary trouble: what did not work, and why. */
export type Trouble = (what: string, error: unknown) => void;

/** Between two lines about the same trouble, ms. */
const everyMs = 60_000;

/** The first words of refusals of Redis that pass by themselves, or by care. */
const refusals = /^(?:OOM|READONLY|NOREPLICAS|MISCONF|LOADING|MASTERDOWN|BUSY)\b/;

/** What a Redis says by this error, in plain words; undefined when it is no refusal that passes by itself or by care. */
export function explainRefusal(error: unknown): string | undefined {
  const [word] = (error instanceof Error && refusals.exec(error.message)) || [];
  return word && say(`redis-${word}`, 1);
}

/**
 * Logs each kind of trouble once a minute, with how often it occurred since the last line: a failure in a loop must not fill
 * the disk with its log. A refusal of Redis is one kind, no matter which part met it.
 */
export function createTrouble(log: Warns, clock: () => number = () => performance.now()): Trouble {
  const kinds = new Map<string, { toldAt: number; times: number }>();
  return (what, error) => {
    const cause = error instanceof Error ? error.message : String(error);
    const refusal = explainRefusal(error);
    const kind = refusal ?? `${what}: ${cause.replaceAll(/\d+/g, '0')}`;
    const known = kinds.get(kind);
    if (known && clock() - known.toldAt < everyMs) {
      known.times += 1;
      return;
    }
    for (const [each, { toldAt }] of kinds) if (clock() - toldAt >= 2 * everyMs) kinds.delete(each);
    kinds.set(kind, { toldAt: clock(), times: 0 });
    const times = known && known.times > 0 ? { times: known.times + 1 } : {};
    log.warn({ cause, ...times }, refusal ?? what);
  };
}
