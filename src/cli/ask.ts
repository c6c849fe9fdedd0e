import { createInterface } from 'node:readline/promises';

/** What a person answered: `interrupted` is Ctrl-C, `no` everything that is not a yes, the end of input too. */
export type Reply = 'yes' | 'no' | 'interrupted';

/** Where a question is asked. */
export interface AskOptions {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream & { isTTY?: boolean };
}

/** Whether there is somebody to ask. */
export function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks a question that is answered by y or yes; No is the default. Nothing is left listening afterwards. */
export async function ask(question: string, { input, output }: AskOptions): Promise<Reply> {
  const lines = createInterface({ input, output, terminal: output.isTTY === true });
  const { promise, resolve } = Promise.withResolvers<Reply>();
  lines.once('SIGINT', () => resolve('interrupted'));
  lines.once('close', () => resolve('no'));
  lines.question(`${question} [y/N] `).then(
    (answer) => resolve(/^\s*y(es)?\s*$/i.test(answer) ? 'yes' : 'no'),
    () => resolve('no'),
  );
  const reply = await promise;
  lines.close();
  // After Ctrl-C or the end of input the cursor still stands behind the question.
  if (reply === 'interrupted') output.write('\n');
  return reply;
}
