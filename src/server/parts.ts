// The types of what the server's plugins work with.
import type { Context, DeliveryContext } from '../wiring/context.ts';

/** How the schedule is kept. */
export interface ScheduleSigns {
  /** What is wrong, in a few words each. */
  problems(): string[];
  /** How often a source was due, and nothing but the watchdog noticed. */
  noticedLate(): number;
}

/** Gets each event of a stream, as it is written. */
export type ChangeListener = (event: string) => void;

/** What the changes of a server are told from. */
export interface ChangeFeed {
  /** Calls back with each event as it is written, the open runs at once; returns what ends that. Throws a RequestError if there are too many. */
  listen(listener: ChangeListener): () => void;
  /** Resolves when the server ends its streams. */
  ended: AbortSignal;
  close(): void;
}

/** What the server of `serve` works with; its plugins get it whole. */
export interface ServerParts {
  context: DeliveryContext;
  /** What is not ready, in a few words each; empty when all is well. */
  notReady(): Promise<string[]>;
  /** A run was released or resumed: this process looks at once for what to deliver. */
  poke(runId: string): void;
  /** Where the server is bound, as `--host` says it. */
  host: string;
  /** Where browsers reach the pages, once the server listens: `http://127.0.0.1:8080`. */
  address?: string;
  /** Where changes are told from, where it is shared. */
  feed?: ChangeFeed;
  /** Once the schedule is kept. */
  schedule?: ScheduleSigns;
}

/** What the JSON API works with, on HTTP and on the owner's socket. */
export type ApiParts = Pick<ServerParts, 'poke' | 'feed'> & { context: Context };

/** Whether runs can be started here: a process that does only one thing, such as `import`, starts nothing else. */
export function canStart(parts: ApiParts | ServerParts): parts is ServerParts {
  return 'notReady' in parts;
}
