// Asks which encoding of a file is right, with sample words of each.
import type { EncodingQuestion } from '../../core/errors.ts';
import { escapeText } from '../../core/text/escape.ts';
import { choose } from '../frame/ask.ts';

/** Throws the question itself where nobody says. */
export async function askEncoding(question: EncodingQuestion): Promise<string> {
  const { readings } = question;
  const lines = readings.map(
    ({ encoding, examples }, at) => `  ${at + 1}  ${examples.map(escapeText).join(', ')}  (${encoding})`,
  );
  process.stderr.write(`The file is not UTF-8. How are these words written?\n${lines.join('\n')}\n`);
  const answer = await choose('Which line is right?', readings.length, {
    input: process.stdin,
    output: process.stderr,
  });
  const chosen = answer === undefined ? undefined : readings[answer - 1];
  if (!chosen) throw question;
  process.stderr.write(`Read as ${chosen.encoding}. Next time: --encoding ${chosen.encoding}\n`);
  return chosen.encoding;
}
