import type { TestContext } from 'node:test';
import type { HttpSource, SourceDeps } from '../../../src/roster/roster-file.ts';
import { InputError } from '../../../src/core/errors.ts';
import { httpDefaults } from '../../../src/roster/fetch/http-schema.ts';
import { HttpClient } from '../../../src/roster/fetch/http-client.ts';

/** What a source works with, with waits that are noted and not waited. */
export function deps(options: Partial<SourceDeps> = {}): SourceDeps & { waits: number[] } {
  const waits: number[] = [];
  return {
    name: 'staff',
    environment: {},
    userAgent: 'roster-sync/0.0.0-test',
    now: () => new Date(),
    random: () => 1,
    wait: (ms, signal) => {
      waits.push(ms);
      signal?.throwIfAborted();
      return Promise.resolve();
    },
    waits,
    ...options,
  };
}

/** An HTTP source with the defaults. */
export function httpSource(url: string, options: Partial<HttpSource> = {}): HttpSource {
  return { ...httpDefaults, url, ...options };
}

/** A client of a server, closed when the test ends. */
export function connect(
  t: TestContext,
  url: string,
  options: Partial<HttpSource> = {},
  given: SourceDeps = deps(),
): HttpClient {
  const client = new HttpClient(httpSource(url, options), given);
  t.after(() => client[Symbol.asyncDispose]());
  return client;
}

/** The message of the `InputError` that a promise must end in. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(error instanceof InputError)) throw new Error('it was not refused', { cause: error });
  return error.message;
}

/** Everything that an error would show, with its causes. */
export function everythingIn(error: unknown): string {
  return error instanceof Error
    ? `${error.name} ${error.message} ${error.stack} ${everythingIn(error.cause)}`
    : String(error);
}

/** All that an async iterable gives. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
