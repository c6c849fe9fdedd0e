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
      return query(...(statement === undefined ? asked : [statement, ...rest]));
    }) as Client['query'];
  }
}
