// Acts on the verdict about an encoding: read, ask, or refuse.
import { EncodingQuestion } from '../../../core/errors.ts';
import { escapeText } from '../../../core/text/escape.ts';
import type { EncodingReading, Verdict } from './judge-encoding.ts';
import { isUnread, type SingleByte, type Unread } from './single-byte.ts';

/** What encodings are called that are recognised and not read. */
const names: Record<Unread, string> = {
  ibm437: 'DOS code page 437',
  ibm737: 'DOS code page 737',
  ibm775: 'DOS code page 775',
  ibm850: 'DOS code page 850',
  ibm852: 'DOS code page 852',
  ibm857: 'DOS code page 857',
  'x-mac-ce': 'Mac Central European',
  'x-mac-croatian': 'Mac Croatian',
  'x-mac-greek': 'Mac Greek',
  'x-mac-icelandic': 'Mac Icelandic',
  'x-mac-romanian': 'Mac Romanian',
  'x-mac-turkish': 'Mac Turkish',
};

const exportAgain = 'Export it again as CSV UTF-8';

/**
 * Draws the conclusion of a verdict: the encoding with words of the file, or why it cannot be read, for a message that begins
 * with file and line. Throws an `EncodingQuestion` where a person must say which of several readings is right.
 */
export function settleEncoding(
  file: string,
  verdict: Verdict | undefined,
): { encoding: SingleByte; examples: readonly string[] } | { problem: string } {
  if (!verdict || verdict.isStrange) {
    const seen = verdict && !isUnread(verdict.encoding) ? ` (read as ${sayReading(verdict)})` : '';
    const problem = `it is not UTF-8, and no encoding that is known here gives words like those of names${seen}.`;
    const such = 'such as shift_jis, gb18030, big5 or euc-kr';
    return {
      problem: `${problem} ${exportAgain}, or say its encoding with --encoding (of a source: read.encoding), ${such}.`,
    };
  }
  const { encoding, examples, rivals } = verdict;
  if (isUnread(encoding)) {
    const problem = `it is not UTF-8, and looks like ${sayReading(verdict)}, which is not supported.`;
    return { problem: `${problem} ${exportAgain}.` };
  }
  if (rivals.length === 0) return { encoding, examples };
  const readings = [verdict, ...rivals];
  const readable = readings.filter((reading) => !isUnread(reading.encoding));
  const flags = readable.map((reading) => `--encoding ${reading.encoding}`).join(' or ');
  const next = `Say which it is with ${flags} (of a source: read.encoding), or export it again as CSV UTF-8. Nothing was read.`;
  const start = `${file}: it is not UTF-8, and its letters can be read in ${readings.length} ways`;
  throw new EncodingQuestion(`${start}: ${readings.map(sayReading).join('; ')}. ${next}`, {
    readings: readable.map(({ encoding, examples }) => ({ encoding, examples })),
    withoutWords: `${start}: as ${readings.map(sayName).join(', ')}. ${next}`,
  });
}

function sayName({ encoding }: EncodingReading): string {
  return isUnread(encoding) ? names[encoding] : encoding;
}

/** `windows-1250: Łukasz, Śliwiński`. */
function sayReading(reading: EncodingReading): string {
  const { examples } = reading;
  return examples.length > 0 ? `${sayName(reading)}: ${examples.map(escapeText).join(', ')}` : sayName(reading);
}
