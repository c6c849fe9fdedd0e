// Asks which sheet of a workbook to read.
import { saySheet, type SheetQuestion } from '../../core/errors.ts';
import { choose } from '../frame/ask.ts';

/** Throws the question itself where nobody says. */
export async function askSheet(question: SheetQuestion): Promise<string> {
  const { sheets } = question;
  const lines = sheets.map((sheet, at) => `  ${at + 1}  ${saySheet(sheet)}`);
  process.stderr.write(`The workbook has several sheets.\n${lines.join('\n')}\n`);
  const answer = await choose('Which sheet has the people?', sheets.length, {
    input: process.stdin,
    output: process.stderr,
  });
  const chosen = answer === undefined ? undefined : sheets[answer - 1];
  if (!chosen) throw question;
  return chosen.name;
}
