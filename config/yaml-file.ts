// Reads YAML as settings: their values, with `${VARIABLES}` filled in, and the line of each.
import { readFileSync, statSync } from 'node:fs';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';
import { codeOf, InputError } from '../src/core/errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** From the top of the file: `service`, `token`; a number is a place in a list. */
export type Path = readonly PropertyKey[];

/** What is wrong with the value at a path. It counts as left out. */
export interface Fault {
  /** Empty for what is wrong with the text as a whole. */
  path: Path;
  where: string;
  /** Goes on behind the name of the setting. */
  message: string;
  /** What is wrong: the key, the value, or that an environment variable which it needs is not set. */
  about: 'key' | 'value' | 'variable';
}

/** Far more than any config needs, and little enough that no file can keep the parser busy. */
const mostBytes = 256 * 1024;

/**
 * Reads a YAML config file; `shown` is its name in messages.
 * Throws InputError when there is no such file, or it cannot be read; what is wrong inside is in `faults`.
 */
export function readConfigFile(file: string, shown: string, environment: Environment): YamlSettings {
  const text = readText(file, shown);
  try {
    return new YamlSettings(text, (line) => `${shown}:${line}`, environment);
  } catch (error) {
    throw new InputError(`The config file ${shown} cannot be read as YAML.`, { cause: error });
  }
}

function readText(file: string, shown: string): string {
  let bytes: Buffer;
  try {
    if (statSync(file).size > mostBytes)
      throw new InputError(`${shown} is larger than 256 KiB; this is not a config file.`);
    bytes = readFileSync(file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const code = codeOf(error);
    if (code === 'ENOENT') throw new InputError(`There is no config file ${shown}.`, { cause: error });
    throw new InputError(`The config file ${shown} cannot be read: ${code || String(error)}.`, { cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new InputError(`The config file ${shown} is not UTF-8 text; save it as UTF-8.`, { cause: error });
  }
}

/**
 * `${NAME}` in a value is replaced by that environment variable, after the YAML is read, so that what is in it is never
 * read as YAML; `$${` stands for `${`. Without an environment, texts stay as they are.
 */
export class YamlSettings {
  /** In a config a key without a value counts as left out. Undefined if the text is no YAML. */
  readonly value: unknown;
  readonly faults: Fault[] = [];
  hasAlias = false;
  /** The variables that it names. */
  readonly mentioned = new Set<string>();
  readonly #lines = new LineCounter();
  /** Where each part begins, by `keyOf` its path. */
  readonly #starts = new Map<string, number>();
  readonly #sayLine: (line: number) => string;
  readonly #environment: Environment | undefined;

  constructor(text: string, sayLine: (line: number) => string, environment?: Environment) {
    this.#sayLine = sayLine;
    this.#environment = environment;
    const document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false, merge: false });
    for (const { message, pos } of [...document.errors, ...document.warnings]) {
      // Behind a colon the parser quotes the file.
      const said = message.split(':')[0] ?? '';
      this.#fault([], `this is not YAML as it is read here: ${said}`, pos[0]);
    }
    if (this.faults.length === 0) this.value = this.#read(document.contents, []);
  }

  /** The line of a part, or of the nearest around it. */
  lineOf(path: Path): string | undefined {
    const start = this.#starts.get(keyOf(path));
    if (start !== undefined) return this.#at(start);
    return path.length > 1 ? this.lineOf(path.slice(0, -1)) : undefined;
  }

  #at(offset: number): string {
    return this.#sayLine(this.#lines.linePos(offset).line);
  }

  #fault(path: Path, message: string, offset = 0, about: Fault['about'] = 'value'): void {
    this.faults.push({ path, where: this.#at(offset), message, about });
  }

  /** `from`: the key of a value, on whose line it is looked for. */
  #read(node: unknown, path: Path, from = node): unknown {
    const start = (from as Node | null)?.range?.[0];
    if (start !== undefined) this.#starts.set(keyOf(path), start);
    if (isMap(node)) {
      const pairs = node.items.flatMap(({ key, value }) => {
        if (!isScalar(key)) {
          this.#fault([...path, ''], 'a key must be plain text', start, 'key');
          return [];
        }
        const { source, range } = key;
        const name = String(key.value);
        if (typeof key.value !== 'string' && source !== undefined && source !== name)
          this.#fault([...path, name], `the key ${source} is read as ${name}; put it in quotes`, range?.[0], 'key');
        const read = this.#read(value, [...path, name], key);
        return read === undefined ? [] : [[name, read] as const];
      });
      return Object.fromEntries(pairs);
    }
    if (isSeq(node)) return node.items.map((item, at) => this.#read(item, [...path, at]));
    if (isAlias(node)) {
      this.hasAlias = true;
      this.#fault(path, 'is an alias; write the value out', node.range?.[0]);
      return {};
    }
    if (!isScalar(node) || node.value === null) return this.#environment ? undefined : null;
    const { value, range } = node;
    return typeof value === 'string' && this.#environment
      ? this.#fill(value, this.#environment, path, range?.[0])
      : value;
  }

  #fill(text: string, environment: Environment, path: Path, start: number | undefined): string {
    return text.replaceAll(/\$(\$\{)|\$\{([^}]*)\}?/g, (whole, escaped?: string, variable?: string) => {
      if (escaped !== undefined) return escaped;
      if (variable === undefined || !/^[A-Za-z_]\w*$/.test(variable) || !whole.endsWith('}')) {
        this.#fault(path, 'has ${ without the name of a variable and } after it; for the text itself write $${', start);
        return '';
      }
      this.mentioned.add(variable);
      const value = environment[variable];
      if (value === undefined)
        this.#fault(path, `needs the environment variable ${variable}, which is not set`, start, 'variable');
      return value ?? '';
    });
  }
}

const keyOf = (path: Path): string => path.map(String).join('\n');
