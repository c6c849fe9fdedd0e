// Reads a secret: typed at the terminal without being shown, or a line of standard input.
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import type { AskOptions } from './ask.ts';

/** Asks for a secret that is not shown while it is typed; undefined after Ctrl-C and at the end of input. */
export async function askSecret(question: string, { input, output }: AskOptions): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  lines.once('SIGINT', () => resolve(undefined));
  lines.once('close', () => resolve(undefined));
  output.write(`${question} `);
  lines.question('').then(resolve, () => resolve(undefined));
  const secret = await promise;
  lines.close();
  output.write('\n');
  return secret;
}

export async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  return (await text(input)).split(/\r?\n/, 1)[0] ?? '';
}
