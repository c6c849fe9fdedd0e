import type { Context, DeliveryContext } from '../context.ts';

/** What the server of `serve` works with; its plugins get it whole. */
export interface ServerParts {
  context: DeliveryContext;
  /** What is not ready, in a few words each; empty when all is well. */
  notReady(): Promise<string[]>;
  /** A run was released or goes on: whoever delivers in this process looks at once. */
  poke(runId: string): void;
  /** Where the server is bound, as `--host` says it. */
  host: string;
}

/** What the JSON API works with, on HTTP and on the owner's socket. */
export type ApiParts = Pick<ServerParts, 'poke'> & { context: Context };
