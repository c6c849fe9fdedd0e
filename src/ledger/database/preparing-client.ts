// A PostgreSQL client that prepares recurring statements, takes any text, and names damaged tables.
import { types, type CustomTypesConfig, Client } from 'pg';
import { namingDamage } from '../directory/damage.ts';
import { storableText } from './database.ts';

/** Type numbers of `pg_type`, where what we want is not what pg gives by itself. */
const int8 = 20;
const int8Array = 1016;
const date = 1082;
const textArray = 1009;

/** A whole number as a number while that is exact, as a BigInt beyond ±(2^53 - 1). */
function wholeNumber(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

function wholeNumbers(text: string): (number | bigint | null)[] {
  const cells = byPg(textArray)(text) as (string | null)[];
  return cells.map((cell) => (cell === null ? null : wholeNumber(cell)));
}

const byPg = types.getTypeParser as (oid: number, format?: 'text' | 'binary') => (text: string) => unknown;

function getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (format !== 'binary') {
    if (oid === int8) return wholeNumber;
    if (oid === int8Array) return wholeNumbers;
    if (oid === date) return String;
  }
  return byPg(oid, format);
}

/**
 * How SQL values become JavaScript values, the same for the embedded and the PostgreSQL ledger:
 *
 * - int2, int4, float4, float8: number · int8: number while exact, else BigInt · numeric: string (exact)
 * - bool: boolean · text, varchar, uuid: string · bytea: Buffer · arrays: arrays of the same
 * - json, jsonb: parsed · timestamptz: Date · date: string `YYYY-MM-DD` (a day has no time zone)
 * - null: null
 *
 * Do not store `timestamp` without time zone: pg reads it in the time zone of the process.
 */
export const valueParsers: CustomTypesConfig = { getTypeParser: getTypeParser as CustomTypesConfig['getTypeParser'] };

/** Fewer uses than this are not worth a plan that is kept. */
const oftenEnough = 10;
/** The most prepared statements: each keeps its plan in every client that uses it. */
const mostPrepared = 50;
/** The most texts that are counted, since some have a length of their own each time. */
const mostCounted = 1000;

/** A lookup of one person by the key: any plan finds it the same way. */
const lookUp = /\blateral \(select \* from members where [^()]* offset 0\)/gi;
/**
 * Statements over the people of a run are planned again each time, because a kept plan was made for earlier runs: with
 * the plan for ten events about one person each, a roster of 360 people takes half a minute, since each is compared
 * with all.
 */
const isAboutRuns = (text: string): boolean =>
  /\b(?:from|update|into|using)\s+"?members\b/i.test(text.replaceAll(lookUp, '')) ||
  // What is claimed and recorded finds its members by their ids.
  (/\bjoin members\b/.test(text) && !/\bin_hand\b/.test(text));

/**
 * Gives statements that come back often a name, under which the database parses and plans them only once: that is a
 * third of what a delivery costs it. Others stay as they are. One for all clients of a database.
 */
export function prepareOften() {
  const uses = new Map<string, number>();
  const names = new Map<string, string>();
  return (text: string, values: unknown[]): { name: string; text: string; values: unknown[] } | undefined => {
    const known = names.get(text);
    if (known !== undefined) return { name: known, text, values };
    if (values.length === 0 || names.size >= mostPrepared || isAboutRuns(text)) return undefined;
    const count = (uses.get(text) ?? 0) + 1;
    if (count < oftenEnough) {
      if (uses.size >= mostCounted) uses.clear();
      uses.set(text, count);
      return undefined;
    }
    uses.delete(text);
    const name = `often_${names.size + 1}`;
    names.set(text, name);
    return { name, text, values };
  };
}

const often = prepareOften();

type Callback = (error: Error | undefined, result: unknown) => void;

/**
 * A client that prepares the statements that come back often, replaces what cannot be stored, and whose errors name damage. Between it and the server there
 * must be nothing that hands each transaction to another session, unless it understands prepared statements (PgBouncer
 * does from 1.21 on).
 */
export class PreparingClient extends Client {
  /** The text of the last statement. */
  lastAsked = '';

  constructor(config?: ConstructorParameters<typeof Client>[0]) {
    super(config);
    const query = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...asked: unknown[]) => {
      const [text, values, ...rest] = asked;
      if (typeof text === 'string') this.lastAsked = text;
      let given = asked;
      if (typeof text === 'string' && Array.isArray(values)) {
        const storable = values.map(storableValue);
        const statement = often(text, storable);
        given = statement === undefined ? [text, storable, ...rest] : [statement, ...rest];
      }
      if (isSubmittable(text)) return query(...given);
      const callback = given.at(-1);
      if (typeof callback === 'function') return query(...given.slice(0, -1), this.#telling(callback as Callback));
      // pg's own promises hold on to long values until the next major collection of garbage; its callbacks do not.
      return new Promise((resolve, reject) => {
        query(
          ...given,
          this.#telling((error, result) => (error ? reject(error) : resolve(result))),
        );
      });
    }) as Client['query'];
  }

  #telling(callback: Callback): Callback {
    return (error, result) => callback(error && (this.failed(error) as Error), result);
  }

  /** Called with the error of every statement, and gives the one that is to be thrown. */
  protected failed(error: unknown): unknown {
    return namingDamage(error);
  }
}

/** A parameter that PostgreSQL takes, whatever texts anybody sent. */
function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  return Array.isArray(value) ? value.map(storableValue) : value;
}

/** A query object with its own protocol, such as a cursor. */
const isSubmittable = (asked: unknown): boolean => typeof asked === 'object' && asked !== null && 'submit' in asked;
