// Acts on the verdict about an encoding: read, ask, or refuse.
import { EncodingQuestion } from '../../../core/errors.ts';
import { escapeText } from '../../../core/text/escape.ts';
import type { EncodingReading, Verdict } from './judge-encoding.ts';
import type { SingleByte } from './single-byte.ts';

/** Throws an `EncodingQuestion` where a person must say which of several readings is right. */
export function settleEncoding(
  file: string,
  verdict: Verdict | undefined,
): { encoding: SingleByte; examples: readonly string[] } | { problem: string } {
  if (!verdict || verdict.isStrange) {
    const seen = verdict ? ` (the nearest is ${verdict.encoding})` : '';
    const problem = `it is not UTF-8, and no encoding that is known here gives words like those of names${seen}.`;
    const such = 'such as shift_jis, gb18030, big5 or euc-kr';
    return {
      problem: `${problem} Export it again as CSV UTF-8, or say its encoding with --encoding (of a source: read.encoding), ${such}.`,
    };
  }
  const { encoding, examples, rivals } = verdict;
  if (rivals.length === 0) return { encoding, examples };
  const readings = [verdict, ...rivals];
  const flags = readings.map((reading) => `--encoding ${reading.encoding}`).join(' or ');
  const next = `Say which it is with ${flags} (of a source: read.encoding), or export it again as CSV UTF-8. Nothing was read.`;
  const start = `${file}: it is not UTF-8, and its letters can be read in ${readings.length} ways`;
  throw new EncodingQuestion(`${start}: ${readings.map(sayReading).join('; ')}. ${next}`, {
    readings: readings.map(({ encoding, examples }) => ({ encoding, examples })),
    withoutWords: `${start}: as ${readings.map((reading) => reading.encoding).join(', ')}. ${next}`,
  });
}

/** `windows-1250: Łukasz, Śliwiński`. */
function sayReading({ encoding, examples }: EncodingReading): string {
  return [encoding, examples.map(escapeText).join(', ')].filter(Boolean).join(': ');
}
