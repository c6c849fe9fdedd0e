import { Client } from 'pg';
import { prepareOften } from './prepare-often.ts';

const often = prepareOften();

/**
 * A client that prepares the statements that come back often. Between it and the server there must be nothing that
 * hands each transaction to another session, unless it understands prepared statements (PgBouncer does from 1.21 on).
 */
export class PreparingClient extends Client {
  constructor(config?: ConstructorParameters<typeof Client>[0]) {
    super(config);
    const query = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...asked: unknown[]) => {
      const [text, values, ...rest] = asked;
      const statement = typeof text === 'string' && Array.isArray(values) ? often(text, values) : undefined;
      const given = statement === undefined ? asked : [statement, ...rest];
      if (typeof given.at(-1) === 'function' || isSubmittable(text)) return query(...given);
      // pg's own promises hold on to long values until the next major collection of garbage; its callbacks do not.
      return new Promise((resolve, reject) => {
        query(...given, (error: Error | undefined, result: unknown) => (error ? reject(error) : resolve(result)));
      });
    }) as Client['query'];
  }
}

/** What brings its own way of being asked, such as a cursor. */
const isSubmittable = (asked: unknown): boolean => typeof asked === 'object' && asked !== null && 'submit' in asked;
