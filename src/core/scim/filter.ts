// Parses filters and attribute paths of SCIM requests (RFC 7644, section 3.4.2.2).
import { parseJson } from '../attempt.ts';
import { defined } from '../defined.ts';
import {
  type Attribute,
  attributeOf,
  isSameName,
  type Kind,
  enterpriseUrn,
  invalidFilter,
  schemasOf,
} from './attributes.ts';

export type Literal = string | number | boolean | null;

export type Filter =
  | { is: 'and' | 'or'; all: readonly Filter[] }
  | { is: 'not'; filter: Filter }
  | { is: 'compare'; path: AttributePath; operator: Operator; value: Literal }
  | { is: 'present'; path: AttributePath }
  | { is: 'some'; path: AttributePath; filter: Filter };

const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Operator = (typeof operators)[number];

/** An attribute as a request names it: `name.givenName`, `urn:…:User:department`. */
export interface AttributePath {
  /** The name of the extension in which it is. */
  extension?: string;
  name?: string;
  part?: string;
}

/** In characters: it names a user or two. */
const longest = 2000;
const deepest = 20;

/** Throws a ScimError invalidFilter with what is wrong at which place. */
export function parseFilter(text: string): Filter {
  if (text.length > longest) throw invalidFilter(`it is longer than ${longest} characters`);
  const words = new Words(text);
  const filter = parseOr(words, 0);
  if (words.peek() !== undefined) throw invalidFilter(`${words.peek()} is not expected`);
  return filter;
}

/** The words of a filter: names, operators, texts in quotation marks, brackets. */
class Words {
  readonly #words: string[];
  #at = 0;
  constructor(text: string) {
    // A text in quotation marks; a bracket; anything else up to a space or a bracket.
    const word = /\s*("(?:[^"\\]|\\.)*"|[()[\]]|[^\s()[\]"]+)/gy;
    this.#words = [];
    let end = 0;
    for (let match = word.exec(text); match?.[1] !== undefined; match = word.exec(text)) {
      this.#words.push(match[1]);
      end = word.lastIndex;
    }
    if (text.slice(end).trim() !== '') throw invalidFilter('a quotation mark is missing');
  }

  peek(): string | undefined {
    return this.#words[this.#at];
  }

  accept(wanted: string): boolean {
    const is = this.peek()?.toLowerCase() === wanted;
    if (is) this.#at += 1;
    return is;
  }

  next(what: string): string {
    const word = this.peek();
    if (word === undefined) throw invalidFilter(`${what} is missing at the end`);
    this.#at += 1;
    return word;
  }

  expect(word: string): void {
    if (!this.accept(word)) throw invalidFilter(`${word} is missing`);
  }
}

function parseOr(words: Words, depth: number): Filter {
  const all = [parseAnd(words, depth)];
  while (words.accept('or')) all.push(parseAnd(words, depth));
  return all.length === 1 && all[0] ? all[0] : { is: 'or', all };
}

function parseAnd(words: Words, depth: number): Filter {
  const all = [parseOne(words, depth)];
  while (words.accept('and')) all.push(parseOne(words, depth));
  return all.length === 1 && all[0] ? all[0] : { is: 'and', all };
}

function parseOne(words: Words, depth: number): Filter {
  if (depth > deepest) throw invalidFilter('it is nested too deeply');
  if (words.accept('not')) {
    words.expect('(');
    return { is: 'not', filter: parseGroup(words, depth, ')') };
  }
  if (words.accept('(')) return parseGroup(words, depth, ')');
  const name = words.next('a name');
  if (words.accept('[')) {
    const filter = parseGroup(words, depth, ']');
    const rest = words.peek();
    if (rest === undefined || !rest.startsWith('.')) return { is: 'some', path: parsePath(name), filter };
    // `emails[type eq "work"].value eq "…"`: both of the same value.
    const compared = parseComparison(words, words.next('a name').slice(1));
    return { is: 'some', path: parsePath(name), filter: { is: 'and', all: [filter, compared] } };
  }
  return parseComparison(words, name);
}

function parseGroup(words: Words, depth: number, end: ')' | ']'): Filter {
  const filter = parseOr(words, depth + 1);
  words.expect(end);
  return filter;
}

function parseComparison(words: Words, name: string): Filter {
  const path = parsePath(name);
  const said = words.next('an operator').toLowerCase();
  if (said === 'pr') return { is: 'present', path };
  const operator = operators.find((one) => one === said);
  if (!operator) throw invalidFilter(`${said} is not an operator`);
  return { is: 'compare', path, operator, value: parseLiteral(words.next('a value')) };
}

function parseLiteral(word: string): Literal {
  if (word.startsWith('"')) {
    const text = parseJson(word);
    if (typeof text !== 'string') throw invalidFilter(`${word} is not a text`);
    return text;
  }
  const said = word.toLowerCase();
  if (said === 'true' || said === 'false') return said === 'true';
  if (said === 'null') return null;
  // A text without quotation marks, as Microsoft's own collection sends it, is taken as it is.
  return /^-?\d+(\.\d+)?$/.test(word) ? Number(word) : word;
}

/** The parts of `name.givenName`, `urn:…:2.0:User:department`, `urn:…:2.0:User`. Names are not checked here. */
export function parsePath(text: string): AttributePath {
  const schema = [...schemasOf.User, ...schemasOf.Group]
    .map(({ id }) => id)
    .find((urn) => text.toLowerCase().startsWith(urn.toLowerCase()));
  const rest = schema === undefined ? text : text.slice(schema.length).replace(/^[:.]/, '');
  const [name, ...parts] = rest.split('.');
  return {
    ...(schema === enterpriseUrn && { extension: schema }),
    ...(name !== undefined && name !== '' && { name }),
    ...(parts.length > 0 && { part: parts.join('.') }),
  };
}

/** An attribute that a path names, with its part, and the extension in which it is; undefined if there is none. */
export function resolvePath(
  kind: Kind,
  { extension, name, part }: AttributePath,
  also: readonly Attribute[] = [],
): { attribute: Attribute; part?: Attribute; extension?: string } | undefined {
  const [own, ...extensions] = schemasOf[kind];
  if (name === undefined) return undefined;
  for (const { id, attributes } of [
    { id: undefined, attributes: [...(own?.attributes ?? []), ...also] },
    ...extensions,
  ]) {
    // The manager and the department may be named without their schema.
    if (extension !== undefined && !(id !== undefined && isSameName(id, extension))) continue;
    const attribute = attributeOf(name, attributes);
    if (!attribute) continue;
    const found = part === undefined ? undefined : attributeOf(part, attribute.parts ?? []);
    if (part !== undefined && !found) return undefined;
    return { attribute, ...defined({ part: found, extension: id }) };
  }
  return undefined;
}

/** Whether a text is a time (RFC 7643, section 2.3.5): one time can be written in several ways. */
export const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT/.test(text);

/** What is not in a resource as it is kept, or in every one. */
const notKept = new Set(['id', 'meta', 'type', 'members', 'groups']);

/**
 * A text that each resource must contain to fit: what a store can look for before it matches in full. Undefined where there
 * is none, and everything must be matched.
 */
export function textAsked(filter: Filter): string | undefined {
  if (filter.is === 'some') return textAsked(filter.filter);
  if (filter.is === 'and') return filter.all.map(textAsked).find((text) => text !== undefined);
  if (filter.is !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return undefined;
  return isTime(filter.value) || notKept.has(filter.path.name?.toLowerCase() ?? '') ? undefined : filter.value;
}

/** The id that a resource must have to fit, where a filter asks for one. */
export function idAsked(filter: Filter): string | undefined {
  if (filter.is === 'and') return filter.all.map(idAsked).find((id) => id !== undefined);
  if (filter.is !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return undefined;
  return filter.path.name?.toLowerCase() === 'id' ? filter.value : undefined;
}
