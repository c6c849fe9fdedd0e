// Parses XML that arrives in pieces.
import { refusal, InputError } from '../../core/errors.ts';
import { SaxesParser } from 'saxes';
import { type Decoder, decoderOf, findMark } from '../text/encoding.ts';

export type Attributes = Readonly<Record<string, string>>;

/** What hears the parts of an XML text. Names come without their prefix. */
export interface XmlListener {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** The deepest nesting of elements; a workbook has about ten levels. */
const mostDepth = 100;

/**
 * Reads XML that comes in pieces; after each piece the caller may take what its listener has heard. No entity but the
 * five of XML itself is known, nothing is fetched, and a document type is refused. Throws an `InputError`. `most`:
 * characters of one text, tag or comment; `encoding`:
 * what it is in where that is not UTF-8.
 */
export async function* readXml(
  chunks: AsyncIterable<Uint8Array>,
  listener: XmlListener,
  file: string,
  most: number,
  encoding?: string,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  let pushed = 0;
  let heard = 0;
  parser.on('doctype', () => {
    throw new InputError(`${file}: its XML has a document type, which no workbook needs. It is not read.`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    heard = pushed;
    if (++depth > mostDepth) throw new InputError(`${file}: its XML is nested more than ${mostDepth} levels deep.`);
    listener.open?.(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    heard = pushed;
    depth--;
    listener.close?.(localName(name));
  });
  if (listener.text) {
    parser.on('text', (text) => listener.text?.(text));
    parser.on('cdata', (text) => listener.text?.(text));
  }
  // XML of a workbook is UTF-8, or UTF-16 with a byte order mark, which the decoder is told below.
  let decoder: Decoder | undefined;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (error instanceof InputError) throw error;
      const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
      throw refusal('damagedXml', { file, message }, { cause: error });
    }
  };
  for await (const chunk of chunks) {
    decoder ??= decoderOf(findMark(chunk)?.encoding ?? encoding ?? 'utf-8');
    attempt(() => {
      const text = decoder?.decode(chunk, { stream: true }) ?? '';
      pushed += text.length;
      parser.write(text);
    });
    if (pushed - heard > most) throw new InputError(`${file}: one value in it is longer than ${most} characters.`);
    yield;
  }
  attempt(() => {
    parser.write(decoder?.decode() ?? '');
    parser.close();
  });
  yield;
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

/** How often or how far a cell goes on, as an attribute says; 1 unless it says so. */
export function timesOf(text: string | undefined): number {
  const count = Number(text ?? 1);
  return Number.isInteger(count) && count >= 1 ? count : 1;
}

export function attributeOf(attributes: Attributes, name: string): string | undefined {
  const direct = attributes[name];
  if (direct !== undefined) return direct;
  const key = Object.keys(attributes).find((key) => key.endsWith(`:${name}`));
  return key === undefined ? undefined : attributes[key];
}
