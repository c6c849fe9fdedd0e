// Asks the person at the terminal: yes or no, or a number from a list.
import { createInterface } from 'node:readline/promises';
import type { Output } from './output.ts';

/** What a person answered: `interrupted` is Ctrl-C, `no` everything that is not a yes, the end of input too. */
export type Reply = 'yes' | 'no' | 'interrupted';

export interface AskOptions {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream & { isTTY?: boolean };
}

/** Whether there is somebody to ask. */
export function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Whether people may be named in what is printed: somebody looks, or asked for it. Else it goes into mails and journals. */
export function mayNamePeople({ verbose = false, dryRun = false }: { verbose?: boolean; dryRun?: boolean }): boolean {
  return verbose || dryRun || isTerminal();
}

/** Asks for one of the numbers from 1 to `most`. Undefined for anything else, Ctrl-C and the end of input too. */
export async function choose(question: string, most: number, options: AskOptions): Promise<number | undefined> {
  const answer = await askFreely(`${question} [1-${most}] `, options);
  const text = answer === 'interrupted' ? '' : answer.text.trim();
  const number = Number(text);
  return text !== '' && Number.isInteger(number) && number >= 1 && number <= most ? number : undefined;
}

/** Asks a question that is answered by y or yes; No is the default. Nothing is left listening afterwards. */
export async function ask(question: string, options: AskOptions): Promise<Reply> {
  const answer = await askFreely(`${question} [y/N] `, options);
  if (answer === 'interrupted') return answer;
  return /^\s*y(es)?\s*$/i.test(answer.text) ? 'yes' : 'no';
}

/** Of a no, says what follows from it. Returns the exit code unless it is a yes: 130 after Ctrl-C, else 0. */
export async function askForYes(question: string, otherwise: string, { note }: Output): Promise<number | undefined> {
  const reply = await ask(question, { input: process.stdin, output: process.stderr });
  if (reply === 'yes') return undefined;
  note(otherwise);
  return reply === 'interrupted' ? 130 : 0;
}

/** Each answer is known by its first letter. Undefined is anything else, the end of input too. */
export async function askWhich<Choice extends string>(
  question: string,
  choices: readonly Choice[],
  options: AskOptions,
): Promise<Choice | 'interrupted' | undefined> {
  const answer = await askFreely(`${question} `, options);
  if (answer === 'interrupted') return answer;
  const word = answer.text.trim().toLowerCase();
  return choices.find((choice) => word === choice || word === choice.charAt(0));
}

async function askFreely(question: string, { input, output }: AskOptions): Promise<{ text: string } | 'interrupted'> {
  const lines = createInterface({ input, output, terminal: output.isTTY === true });
  const { promise, resolve } = Promise.withResolvers<{ text: string } | 'interrupted'>();
  lines.once('SIGINT', () => resolve('interrupted'));
  lines.once('close', () => resolve({ text: '' }));
  lines.question(question).then(
    (text) => resolve({ text }),
    () => resolve({ text: '' }),
  );
  const reply = await promise;
  lines.close();
  // After Ctrl-C or the end of input the cursor still stands behind the question.
  if (reply === 'interrupted') output.write('\n');
  return reply;
}
