// Reads vCards, the files of address books.
import { InputError } from '../../core/errors.ts';
import type { ReadLimits } from '../files/limits.ts';

/** A card as a record; missing fields are empty. */
export type Card = Record<(typeof columns)[number], string>;

const columns = [
  ...['firstname', 'lastname', 'name', 'email', 'homeemail', 'telephone', 'company', 'department', 'jobtitle'],
  'categories',
] as const;

/** One line of a card: its name, its parameters in capital letters, and its value as written. */
interface Property {
  name: string;
  parameters: string;
  value: string;
}

/**
 * The cards of a file of vCards (2.1, 3.0 and 4.0), one after the other. Of several addresses and numbers the first is
 * taken that is for work, else the first that is for nothing else; one for home stands apart. Faxes are left out.
 * @throws InputError for a line or card beyond the limits, or a card that does not end
 */
export async function* readCards(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  limits: ReadLimits,
): AsyncGenerator<Card> {
  let properties: Property[] | undefined;
  let size = 0;
  for await (const line of unfolded(chunks, file, limits)) {
    const property = parse(line);
    if (property?.name === 'BEGIN' && /^vcard$/i.test(property.value.trim())) [properties, size] = [[], 0];
    else if (property?.name === 'END' && properties) {
      yield cardOf(properties);
      properties = undefined;
    } else if (property && properties && wanted.has(property.name)) {
      properties.push(property);
      size += line.length;
      if (size > limits.record) throw tooLong(file, limits);
    }
  }
  if (properties) throw new InputError(`${file}: its last vCard does not end: is the file cut off? Export it again.`);
}

const wanted = new Set(['N', 'FN', 'EMAIL', 'TEL', 'ORG', 'TITLE', 'CATEGORIES']);

function tooLong(file: string, { record }: ReadLimits): InputError {
  return new InputError(`${file}: a vCard in it is longer than ${record.toLocaleString('en')} characters.`);
}

/** Lines with those that continue them: after a space or tab, or of quoted-printable text after a `=` at the end. */
async function* unfolded(chunks: AsyncIterable<Uint8Array>, file: string, limits: ReadLimits): AsyncGenerator<string> {
  let whole = '';
  for await (const line of lines(chunks, file, limits)) {
    const isSoft = whole.endsWith('=') && /^[^:]*QUOTED-PRINTABLE[^:]*:/i.test(whole);
    if (isSoft) whole = whole.slice(0, -1) + line;
    else if (/^[ \t]/.test(line)) {
      // A picture is skipped, and may be of any length.
      if (!/^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY)[;:]/i.test(whole)) whole += line.slice(1);
    } else {
      if (whole !== '') yield whole;
      whole = line;
    }
    if (whole.length > limits.record) throw tooLong(file, limits);
  }
  if (whole !== '') yield whole;
}

async function* lines(chunks: AsyncIterable<Uint8Array>, file: string, limits: ReadLimits): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = parts.pop() ?? '';
    if (rest.length > limits.record) throw tooLong(file, limits);
    yield* parts;
  }
  yield rest + decoder.decode();
}

function parse(line: string): Property | undefined {
  const colon = /^(?:[^":]|"[^"]*")*:/.exec(line)?.[0].length ?? 0;
  if (colon === 0) return undefined;
  const [head = '', ...parameters] = line.slice(0, colon - 1).split(';');
  const name = head.slice(head.lastIndexOf('.') + 1).toUpperCase();
  const said = parameters.join(';').toUpperCase();
  const value = line.slice(colon);
  return { name, parameters: said, value: said.includes('QUOTED-PRINTABLE') ? unquote(value, said) : value };
}

/** Quoted-printable text of vCard 2.1, in the character set that the line names. */
function unquote(value: string, parameters: string): string {
  const bytes = Buffer.from(
    value.replace(/=([\dA-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  );
  const charset = /CHARSET=([\w.-]+)/.exec(parameters)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}

/** The parts of a value between separators that are not escaped, and with what was escaped as it was meant. */
function partsOf(value: string, separator: ';' | ','): string[] {
  const parts = [''];
  for (const [piece] of value.matchAll(/\\.|[;,]|[^\\;,]+|\\$/gs)) {
    if (piece === separator) parts.push('');
    else
      parts[parts.length - 1] +=
        piece === '\\n' || piece === '\\N' ? ' ' : piece.length > 1 && piece.startsWith('\\') ? piece.slice(1) : piece;
  }
  return parts.map((part) => part.trim());
}

function cardOf(properties: readonly Property[]): Card {
  const all = (name: string): Property[] => properties.filter((property) => property.name === name);
  const first = (name: string): string => all(name)[0]?.value ?? '';
  const [lastname = '', firstname = ''] = partsOf(first('N'), ';');
  const [company = '', department = ''] = partsOf(first('ORG'), ';');
  const emails = all('EMAIL');
  const home = emails.find(isHome);
  const text = (property: Property | undefined): string => partsOf(property?.value ?? '', ';')[0] ?? '';
  return {
    ...{ firstname, lastname, name: partsOf(first('FN'), ';').join(' '), company, department },
    email: text(bestOf(emails)),
    homeemail: text(home),
    telephone: text(bestOf(all('TEL').filter(({ parameters }) => !/FAX|PAGER/.test(parameters)))).replace(/^tel:/i, ''),
    jobtitle: text(all('TITLE')[0]),
    categories: partsOf(first('CATEGORIES'), ',').join(';'),
  };
}

const isHome = ({ parameters }: Property): boolean => parameters.includes('HOME');

function bestOf(properties: readonly Property[]): Property | undefined {
  const own = properties.filter((property) => !isHome(property));
  return own.find(({ parameters }) => parameters.includes('WORK')) ?? own[0];
}
