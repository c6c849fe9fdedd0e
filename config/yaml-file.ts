// Reads the config file and fills in its `${VARIABLES}`.
import { readFileSync, statSync } from 'node:fs';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type YAMLMap } from 'yaml';
import { InputError } from '../src/core/errors.ts';
import { enter, joinLayers, namesIn, placeKey, settingNamed, unknownName, type Layer, type Unset } from './entries.ts';
import type { Environment } from './environment.ts';
import type { Setting } from './schema.ts';
import { changedKey } from './yaml-key.ts';

export interface ConfigFile extends Layer {
  mentioned: Set<string>;
}

/** Far more than any config needs, and little enough that no file can keep the parser busy. */
const mostBytes = 256 * 1024;

/**
 * Reads a YAML config file; `shown` is its name in messages. `${NAME}` in a value is replaced by that environment
 * variable, after the YAML is read, so that what is in it is never read as YAML; `$${` stands for `${`. Of a variable that is
 * not set, the entry says so.
 * Throws InputError when there is no such file, or it cannot be read; what is wrong inside is in `problems`.
 */
export function readConfigFile(file: string, shown: string, environment: Environment): ConfigFile {
  const reader = new Reader(shown, environment);
  return { ...reader.read(readText(file, shown)), mentioned: reader.mentioned };
}

function readText(file: string, shown: string): string {
  let bytes: Buffer;
  try {
    if (statSync(file).size > mostBytes)
      throw new InputError(`${shown} is larger than 256 KiB; this is not a config file.`);
    bytes = readFileSync(file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new InputError(`There is no config file ${shown}.`, { cause: error });
    throw new InputError(`The config file ${shown} cannot be read: ${String(code ?? error)}.`, { cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new InputError(`The config file ${shown} is not UTF-8 text; save it as UTF-8.`, { cause: error });
  }
}

/** A value while it is read: what is wrong in it, and what it needs that is not set. */
interface Faults {
  problems: string[];
  unset: Unset[];
}

interface Tree extends Faults {
  /** The name of the whole tree: `sources`. */
  path: readonly string[];
  places: Map<string, string>;
}

class Reader {
  readonly mentioned = new Set<string>();
  readonly #lines = new LineCounter();
  readonly #shown: string;
  readonly #environment: Environment;

  constructor(shown: string, environment: Environment) {
    this.#shown = shown;
    this.#environment = environment;
  }

  read(text: string): Layer {
    let document;
    try {
      document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false, merge: false });
    } catch (error) {
      throw new InputError(`The config file ${this.#shown} cannot be read as YAML.`, { cause: error });
    }
    const faults = [...document.errors, ...document.warnings];
    if (faults.length > 0) {
      return { entries: [], problems: faults.map(({ message, pos }) => `${this.#at(pos[0])}: ${messageOf(message)}`) };
    }
    const { contents } = document;
    if (contents === null || (isScalar(contents) && contents.value === null)) return { entries: [], problems: [] };
    return isMap(contents)
      ? this.#section(contents, '')
      : this.#problem(contents, 'this must be settings like `service:`');
  }

  #section(map: YAMLMap, section: string): Layer {
    return joinLayers(
      map.items.map(({ key, value }) => {
        if (!isScalar(key)) return this.#problem(map, 'a key must be plain text');
        const name = section === '' ? String(key.value) : `${section}.${String(key.value)}`;
        const where = this.#at(key.range?.[0] ?? 0);
        const names = namesIn(section);
        const isKnown = names.includes(name);
        if (!isKnown) return { entries: [], problems: [unknownName(name, where)] };
        return this.#setting(name, value as Node | null, where);
      }),
    );
  }

  #setting(name: string, node: Node | null, where: string): Layer {
    const setting = settingNamed(name);
    if (setting?.tree) return this.#tree(setting, node, where);
    if (isMap(node) && namesIn(name).length > 0) return this.#section(node, name);
    const faults: Faults = { problems: [], unset: [] };
    const path = name.split('.');
    const value = this.#value(node, path, faults);
    const { problems, unset } = faults;
    if (problems.length > 0 || value === null) return { entries: [], problems };
    if (unset.length === 0) return enter(name, value, where);
    // A rate is two settings, and neither can be told from a part of its text.
    return setting
      ? { entries: [{ setting, value, where, unset }], problems }
      : { entries: [], problems: unset.map(({ problem }) => problem) };
  }

  /** A setting that is a whole tree: its value, and where each part stands. */
  #tree(setting: Setting, node: Node | null, where: string): Layer {
    const tree: Tree = { path: setting.path, problems: [], unset: [], places: new Map() };
    const value = this.#branch(node, [], tree);
    const { problems, unset, places } = tree;
    if (problems.length > 0 || value === undefined) return { entries: [], problems };
    return { entries: [{ setting, value, where, places, unset }], problems };
  }

  /** What a node of a tree holds; a key without a value counts as left out. */
  #branch(node: unknown, path: readonly string[], tree: Tree): unknown {
    if (node === null || (isScalar(node) && node.value === null)) return undefined;
    const whole = [...tree.path, ...path];
    if (isMap(node)) {
      const pairs = node.items.map(({ key, value }) => {
        const isPlain = isScalar(key);
        if (!isPlain)
          tree.problems.push(`${this.#at(node.range?.[0] ?? 0)}: a key in ${whole.join('.')} must be plain text`);
        const here = [...path, isPlain ? String(key.value) : ''];
        const changed = isPlain ? changedKey(key) : undefined;
        if (isPlain && changed !== undefined)
          tree.problems.push(`${this.#at(key.range?.[0] ?? 0)}: ${whole.join('.')}: ${changed}`);
        if (isPlain) tree.places.set(placeKey(here), this.#at(key.range?.[0] ?? 0));
        return [here.at(-1) ?? '', this.#branch(value, here, tree)] as const;
      });
      return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
    }
    if (isSeq(node)) {
      return node.items.map((item, at) => {
        const here = [...path, String(at)];
        const [start] = (item as Node | null)?.range ?? [];
        if (start !== undefined) tree.places.set(placeKey(here), this.#at(start));
        return this.#branch(item, here, tree);
      });
    }
    return this.#value(node, whole, tree);
  }

  /** The value of a scalar or a list; anything else as an empty object, which no setting takes. */
  #value(node: unknown, path: readonly string[], faults: Faults): unknown {
    if (isScalar(node)) return typeof node.value === 'string' ? this.#fill(node.value, node, path, faults) : node.value;
    if (isSeq(node)) return node.items.map((item) => this.#value(item, path, faults));
    if (isAlias(node)) {
      faults.problems.push(`${this.#at(node.range?.[0] ?? 0)}: ${path.join('.')} is an alias; write the value out`);
    }
    return node === null ? null : {};
  }

  /** Puts environment variables in. */
  #fill(text: string, node: Node, path: readonly string[], { problems, unset }: Faults): string {
    const name = path.join('.');
    const at = this.#at(node.range?.[0] ?? 0);
    return text.replaceAll(/\$(\$\{)|\$\{([^}]*)\}?/g, (whole, escaped?: string, variable?: string) => {
      if (escaped !== undefined) return escaped;
      if (variable === undefined || !/^[A-Za-z_]\w*$/.test(variable) || !whole.endsWith('}')) {
        problems.push(
          `${at}: ${name} has \${ without the name of a variable and } after it; for the text itself write $\${`,
        );
        return '';
      }
      this.mentioned.add(variable);
      const value = this.#environment[variable];
      if (value === undefined) {
        unset.push({ path, problem: `${at}: ${name} needs the environment variable ${variable}, which is not set` });
      }
      return value ?? '';
    });
  }

  #problem(node: Node, text: string): Layer {
    return { entries: [], problems: [`${this.#at(node.range?.[0] ?? 0)}: ${text}`] };
  }

  #at(offset: number): string {
    return `${this.#shown}:${this.#lines.linePos(offset).line}`;
  }
}

/** Without the text that the parser quotes from the file after a colon. */
function messageOf(message: string): string {
  return `this is not YAML as it is read here: ${message.split(':')[0] ?? ''}`;
}
