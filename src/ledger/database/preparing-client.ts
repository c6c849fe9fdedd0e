// A PostgreSQL client that prepares recurring statements, takes any text, and names damaged tables.
import { Client } from 'pg';
import { namingDamage } from '../directory/damage.ts';
import { storableText } from './json.ts';
import { prepareOften } from './prepare-often.ts';

const often = prepareOften();

type Callback = (error: Error | undefined, result: unknown) => void;

/**
 * A client that prepares the statements that come back often, replaces what cannot be stored, and whose errors name damage. Between it and the server there
 * must be nothing that hands each transaction to another session, unless it understands prepared statements (PgBouncer
 * does from 1.21 on).
 */
export class PreparingClient extends Client {
  constructor(config?: ConstructorParameters<typeof Client>[0]) {
    super(config);
    const query = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...asked: unknown[]) => {
      const [text, values, ...rest] = asked;
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
