// Logs temporary trouble, each kind at most once a minute.

interface Warns {
  warn(data: { cause: string; times?: number }, text: string): void;
}

/** Reports temporary trouble: what did not work, and why. */
export type Trouble = (what: string, error: unknown) => void;

/** Between two lines about the same trouble, ms. */
const everyMs = 60_000;

/** What Redis means by its refusals, by their first word, and what to do about it. */
const refusals: Readonly<Record<string, string>> = {
  OOM: 'Redis is out of memory and refuses to write. Raise its maxmemory, or remove other data from it. Deliveries wait until then',
  READONLY: 'Redis is a read-only replica. Point REDIS_URL at the primary. Deliveries wait until then',
  NOREPLICAS:
    'Redis has fewer replicas than its min-replicas-to-write asks for and refuses to write. Start the replicas. Deliveries wait until then',
  MISCONF:
    'Redis cannot save its data to disk and refuses to write. Check its disk and its log. Deliveries wait until then',
  LOADING: 'Redis is loading its data. Deliveries wait until it has',
  MASTERDOWN: 'Redis is a replica that has lost its primary. Deliveries wait until it has found it',
  BUSY: 'Redis is busy with a script of another program. Deliveries wait until it ends',
};

/** What a Redis says by this error, in plain words; undefined when it is no refusal that passes by itself or by care. */
export function explainRefusal(error: unknown): string | undefined {
  return error instanceof Error ? refusals[wordOf(error)] : undefined;
}

function wordOf({ message }: Error): string {
  return /^[A-Z]+\b/.exec(message)?.[0] ?? '';
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
