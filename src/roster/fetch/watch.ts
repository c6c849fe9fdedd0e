// Reports why a body broke off, instead of the error its reader makes of that.

/**
 * Throws what broke the body off rather than what the reader made of it: half an archive reads like a damaged one.
 */
export async function watching<Result>(
  body: AsyncIterable<Uint8Array>,
  read: (body: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  let broken: { error: unknown } | undefined;
  const watched = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      broken = { error };
      throw error;
    }
  };
  try {
    return await read(watched());
  } catch (error) {
    throw broken?.error ?? error;
  }
}
