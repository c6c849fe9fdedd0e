// The interface of an engine that answers PostgreSQL's messages.

/** Something that answers PostgreSQL's messages: the embedded database itself. */
export interface Engine {
  /** Gives a batch of messages, gets the answers. */
  exec(messages: Buffer): Promise<Buffer>;
  close(): Promise<void>;
}
