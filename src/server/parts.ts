// The types of what the server's plugins work with.
import type { Context, DeliveryContext } from '../wiring/context.ts';

export interface ServerParts {
  context: DeliveryContext;
  /** What is not ready, in a few words each; empty when all is well. */
  notReady(): Promise<string[]>;
  /** A run was released or resumed: this process looks at once for what to deliver. */
  poke(runId: string): void;
  host: string;
  /** Where browsers reach the pages, once the server listens: `http://127.0.0.1:8080`. */
  address?: string;
  /** Once the schedule is kept. */
  schedule?: { problems(): string[] };
}

export type ApiParts = Pick<ServerParts, 'poke'> & { context: Context };

/** Whether runs can be started here: a process that does only one thing, such as `import`, starts nothing else. */
export function canStart(parts: ApiParts | ServerParts): parts is ServerParts {
  return 'notReady' in parts;
}
