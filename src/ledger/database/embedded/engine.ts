// The interface of an engine that answers PostgreSQL's messages.

export interface Engine {
  /** Gives a batch of messages, gets the answers. */
  exec(messages: Buffer): Promise<Buffer>;
  close(): Promise<void>;
}
