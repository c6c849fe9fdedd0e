// Cuts a JSON document or NDJSON into the texts of its records, with their lines.
import { refusal } from '../../core/words/say.ts';
import { InputError } from '../../core/errors.ts';
import type { ReadLimits } from '../files/limits.ts';
import { JsonCutter, JsonFailure, type Visitor } from '../../core/rows/json-cutter.ts';

/** The text of one record, and where it stands: its line, or in a document, which record it is. */
export interface RecordText {
  text: string;
  line: number;
}

/** Walks through all of a document. Throws an `InputError` with the line where it is no JSON. */
export async function walk(
  texts: AsyncIterable<string>,
  visitor: Visitor,
  file: string,
  limits: ReadLimits,
): Promise<void> {
  for await (const _ of steps(texts, visitor, file, limits));
}

async function* steps(
  texts: AsyncIterable<string>,
  visitor: Visitor,
  file: string,
  limits: ReadLimits,
): AsyncGenerator<void> {
  const cutter = new JsonCutter(visitor, limits);
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof JsonFailure)) throw error;
      throw new InputError(`${file}, line ${error.line}: ${error.message}. Is it JSON, and complete?`, {
        cause: error,
      });
    }
  };
  for await (const text of texts) {
    attempt(() => cutter.push(text));
    yield;
  }
  attempt(() => cutter.end());
  yield;
}

/** Gives the texts of the records of the list at a pointer; with `''` and no list there, of the document. */
export async function* cutDocument(
  texts: AsyncIterable<string>,
  pointer: string,
  file: string,
  limits: ReadLimits,
): AsyncGenerator<RecordText[]> {
  let found: RecordText[] = [];
  let number = 0;
  const visitor: Visitor = {
    begins(kind, list, parent, index) {
      if (parent === 'array' && list === pointer) return 'take';
      const at = parent === 'array' ? `${list}/${index}` : list;
      if (at === pointer) return kind === 'array' ? 'enter' : 'take';
      return kind !== 'scalar' && pointer.startsWith(`${at}/`) ? 'enter' : 'skip';
    },
    takes(text) {
      found.push({ text, line: ++number });
    },
  };
  for await (const _ of steps(texts, visitor, file, limits)) {
    if (found.length > 0) yield found;
    found = [];
  }
}

export async function* cutLines(
  texts: AsyncIterable<string>,
  file: string,
  limits: ReadLimits,
): AsyncGenerator<RecordText[]> {
  let rest = '';
  let line = 1;
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > limits.record)
      throw refusal('longJsonLine', { file, line: line + lines.length, record: limits.record });
    const found = lines.map((text) => ({ text, line: line++ })).filter(({ text }) => text.trim() !== '');
    if (found.length > 0) yield found;
  }
  if (rest.trim() !== '') yield [{ text: rest, line }];
}
