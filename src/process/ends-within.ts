// Waits for something no longer than a time allows.

/** Waits so many ms at most. Whether it went well by then; what comes of it later is ignored. */
export async function endsWithin(ms: number, ending: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(late.resolve, ms, false);
  const ended = ending.then(
    () => true,
    () => false,
  );
  return Promise.race([ended, late.promise]).finally(() => clearTimeout(timer));
}
