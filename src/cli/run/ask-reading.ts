// Asks how to read a file: in which encoding its words are right, on which sheet its people are.
import { type EncodingQuestion, saySheet, type SheetQuestion } from '../../core/errors.ts';
import { escapeText } from '../../core/text/escape.ts';
import { choose } from '../frame/ask.ts';

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
  const answer = await choose(ask, all.length, { input: process.stdin, output: process.stderr });
  const found = answer === undefined ? undefined : all[answer - 1];
  if (found === undefined) throw question;
  return found;
}
