// Decodes bytes to text, wherever the chunks are split.
import { refusal } from '../../core/words/say.ts';
import { InputError } from '../../core/errors.ts';
import { decoderOf } from './judging/single-byte.ts';
import type { Findings } from './survey.ts';

/** The end of a file as DOS marks it. */
const endMark = '\x1a';

/**
 * Without byte order mark and the end mark of DOS. Throws an `InputError` for bytes not of the encoding, and for NUL.
 */
export async function* decode(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, markLength }: Findings,
  file: string,
  line: () => number,
): AsyncGenerator<string> {
  const decoder = decoderOf(encoding);
  const attempt = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      const message = `${file}, after line ${line()}: it is not ${encoding}, or it is cut off. Export it again.`;
      throw new InputError(message, { cause });
    }
  };
  let skip = markLength;
  let held = '';
  for await (const chunk of chunks) {
    const text = attempt(skip > 0 ? chunk.subarray(skip) : chunk);
    skip = Math.max(0, skip - chunk.length);
    if (text.includes('\0')) throw refusal('nulCharacter', { file, line: line() });
    if (text === '') continue;
    const isMarked = text.endsWith(endMark);
    const ready = held + (isMarked ? text.slice(0, -1) : text);
    held = isMarked ? endMark : '';
    if (ready !== '') yield ready;
  }
  const last = attempt();
  if (last !== '') yield held + last;
}
