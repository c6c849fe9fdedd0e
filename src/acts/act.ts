// What a person or a program can ask for. These types are the package's own: they reach no library's but zod's.
import type { z } from 'zod';
import type { Scope } from '../core/secrets/token.ts';
import type { Run } from '../ledger/runs/runs.ts';
import { wordsOf } from '../data/described.ts';

/** Where the owner of a data directory is asked for acts, each by its id. */
export const actsPath = '/acts';

/** Who asks. What the answer is made with joins in `perform.ts`. */
export interface Asker {
  /** As the audit names them: `token nightly-ci`, `anna@hr-laptop`. */
  by: string;
  /** The network address; empty on this machine. */
  origin: string;
  scopes: readonly string[];
  /** A run was released or resumed: whoever delivers here looks at once for what is due. */
  poke(runId: string): void;
  /** Aborted once the server begins to close: what is read and planned then ends, and nothing is left of it. */
  closing?: AbortSignal;
  /** Aborted once whoever asked has hung up. */
  hungUp?: AbortSignal;
}

/** A file, or a stream without a name: whoever asked writes or sends it. Its parts are made as they are taken. */
export interface Bytes {
  name: string;
  type: string;
  parts: AsyncIterable<string | Uint8Array>;
}

/** The bytes of a file that is brought, as they arrive. */
export type FileBytes = AsyncIterable<Buffer>;

/** The request that asks for an act. What of the input is not in its path is the query of a GET, or where a file is the body; else the body. */
export interface Http {
  route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
  /** The name of its method in a generated client: `listRuns`. It never changes. */
  operation: string;
  summary: string;
  description?: string;
  /** What a stream is, in the description of the API; unless said, a file. */
  fileIs?: string;
}

/** What an act gets: its input, with the run that it names instead of the name. */
type Given<Input> = Omit<Input, 'run'> & (Input extends { run: string } ? { run: Run } : { run?: Run });

export interface Act<Input extends z.ZodObject = z.ZodObject, Output = unknown> {
  /** Its group and its verb: `runs.pause`. */
  id: string;
  scope: Scope;
  /** It has the service of the run called: a run of another service than the configured one is refused. */
  isOurs?: true;
  /** It may take minutes: whoever asks waits for it. */
  isLong?: true;
  /** It takes a file, whatever is in it. */
  takesFile?: true;
  /** Only a server does it: a process that does one thing, such as `import`, starts nothing else. */
  isOfServer?: true;
  input: Input;
  /** What the API answers of what comes out: the fields of a document, or the media types of a file. A value is plain data: it goes through a socket. */
  output: z.ZodType | readonly string[];
  run(asker: Asker, input: Given<z.output<Input>>, file: FileBytes): Promise<Output>;
  /** It makes something: whether it did this time, where it may not; the path of that; and why it could not, for a program. */
  makes?: {
    isNew?(output: Output): boolean;
    path?(output: Output): string;
    failure?(output: Output): Error | undefined;
  };
  /** What the audit calls it, in a word or two; or why it keeps nothing. */
  audit: string | { of(output: Output): string | undefined } | { none: string };
  /** Or why no request asks for it. */
  http: Http | { none: string };
}

/** Asks for an act: in this process, or the one that owns the ledger. */
export type Ask = <Input extends z.ZodObject, Output>(
  act: Act<Input, Output>,
  input: z.output<Input>,
  file?: FileBytes,
) => Promise<Output>;

/** What the code says about an act; what its request does is in `src/data/reference`. */
type Facts<Input extends z.ZodObject, Output> = Omit<Act<Input, Output>, 'http'> & {
  http: Pick<Http, 'route' | 'operation'> | { none: string };
};

export function act<Input extends z.ZodObject, Output>({ http, ...facts }: Facts<Input, Output>): Act<Input, Output> {
  return { ...facts, http: 'none' in http ? http : { summary: '', ...wordsOf(http.operation), ...http } };
}

/** An act that only looks, and names no person: whoever may read may ask for it, and nothing of it is kept. */
export function look<Input extends z.ZodObject, Output>(
  facts: Omit<Facts<Input, Output>, 'scope' | 'audit'>,
): Act<Input, Output> {
  return act({ scope: 'read', audit: { none: 'it names no person' }, ...facts });
}

/** All of a list that an act gives a page at a time, never all in memory. */
export async function* everyPage<Name extends string, Row, After>(
  read: (after?: After) => Promise<Record<Name, readonly Row[]> & { next?: After }>,
  name: Name,
): AsyncGenerator<Row> {
  for (let after: After | undefined; ;) {
    const page = await read(after);
    yield* page[name];
    if (page.next === undefined) return;
    after = page.next;
  }
}

export function isBytes(output: unknown): output is Bytes {
  return typeof output === 'object' && output !== null && 'parts' in output;
}
