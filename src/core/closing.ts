// Closes what is open at the end of a block: `await using _ = closing(roster)`.
export const closing = (open: { close(): Promise<void> }): AsyncDisposable => ({
  [Symbol.asyncDispose]: () => open.close(),
});
