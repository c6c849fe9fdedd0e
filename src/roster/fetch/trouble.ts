// The errors of a fetch that may pass.

/** Trouble that may pass: a connection that failed, a server that is busy. The request can be made again. */
export class PassingTrouble extends Error {
  /** The wait that the server asks for, ms. */
  readonly waitMs: number | undefined;
  constructor(message: string, options: { waitMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'PassingTrouble';
    this.waitMs = options.waitMs;
  }
}

/** The pages of an answer do not belong together: somebody was added or removed between them. Read all of them again. */
export class PagesShifted extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PagesShifted';
  }
}
