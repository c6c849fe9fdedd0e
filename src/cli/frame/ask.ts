// Asks the person at the terminal: yes or no, a number from a list, how to read a file, or a secret.
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import type { Output } from './output.ts';
import { type EncodingQuestion, saySheet, type SheetQuestion } from '../../core/errors.ts';
import { escapeText } from '../../core/text/format.ts';

/** What a person answered: `interrupted` is Ctrl-C, `no` everything that is not a yes, the end of input too. */
type Reply = 'yes' | 'no' | 'interrupted';

interface AskOptions {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream & { isTTY?: boolean };
}

/** Whoever sits at this process's terminal. Made when somebody is asked: a test may put other streams in their place. */
const atTerminal = (): AskOptions => ({ input: process.stdin, output: process.stderr });

/** Whether there is somebody to ask. */
export function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Whether people may be named in what is printed: somebody looks, or asked for it. Else it goes into mails and journals. */
export function mayNamePeople({ verbose = false, dryRun = false }: { verbose?: boolean; dryRun?: boolean }): boolean {
  return verbose || dryRun || isTerminal();
}

/** Asks a question that is answered by y or yes; No is the default. Nothing is left listening afterwards. */
export async function ask(question: string, options?: AskOptions): Promise<Reply> {
  const answer = await askFreely(`${question} [y/N] `, options);
  if (answer === 'interrupted') return answer;
  return /^\s*y(es)?\s*$/i.test(answer.text) ? 'yes' : 'no';
}

/**
 * Of a no, says what follows from it; without a terminal, `alone`. Returns the exit code unless it is a yes: 130 after Ctrl-C, 2
 * where there is nobody to ask, else 0.
 */
export async function askForYes(
  question: string,
  { otherwise, alone }: { otherwise: string; alone: string },
  { note, problem }: Pick<Output, 'note' | 'problem'>,
): Promise<number | undefined> {
  if (!isTerminal()) {
    problem(alone);
    return 2;
  }
  const reply = await ask(question);
  if (reply === 'yes') return undefined;
  note(otherwise);
  return reply === 'interrupted' ? 130 : 0;
}

/** Each answer is known by its first letter. Undefined is anything else, the end of input too. */
export async function askWhich<Choice extends string>(
  question: string,
  choices: readonly Choice[],
): Promise<Choice | 'interrupted' | undefined> {
  const answer = await askFreely(`${question} `);
  if (answer === 'interrupted') return answer;
  const word = answer.text.trim().toLowerCase();
  return choices.find((choice) => word === choice || word === choice.charAt(0));
}

async function askFreely(
  question: string,
  { input, output }: AskOptions = atTerminal(),
): Promise<{ text: string } | 'interrupted'> {
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

/** Throws the question itself where nobody says. */
export async function askEncoding(question: EncodingQuestion): Promise<string> {
  const { encoding } = await chosen(question, question.readings, {
    head: 'The file is not UTF-8. How are these words written?',
    say: ({ encoding, examples }) => `${examples.map(escapeText).join(', ')}  (${encoding})`,
    ask: 'Which line is right?',
  });
  process.stderr.write(`Read as ${encoding}. Next time: --encoding ${encoding}\n`);
  return encoding;
}

/** Throws the question itself where nobody says. */
export async function askSheet(question: SheetQuestion): Promise<string> {
  const head = 'The workbook has several sheets.';
  const { name } = await chosen(question, question.sheets, { head, say: saySheet, ask: 'Which sheet has the people?' });
  return name;
}

async function chosen<One>(
  question: Error,
  all: readonly One[],
  { head, say, ask }: { head: string; say: (one: One) => string; ask: string },
): Promise<One> {
  const lines = all.map((one, at) => `  ${at + 1}  ${say(one)}`);
  process.stderr.write(`${head}\n${lines.join('\n')}\n`);
  const answer = await askFreely(`${ask} [1-${all.length}] `);
  const found = answer === 'interrupted' ? undefined : all[Number(answer.text.trim()) - 1];
  if (found === undefined) throw question;
  return found;
}

/** Asks for a secret that is not shown while it is typed; undefined after Ctrl-C and at the end of input. */
export async function askSecret(
  question: string,
  { input, output }: AskOptions = atTerminal(),
): Promise<string | undefined> {
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
