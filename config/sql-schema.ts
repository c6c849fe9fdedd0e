// The schema of a database query as a source.
import { z } from 'zod';
import { sqlDefaults } from '../src/core/rows/source.ts';
import { count, duration, filePath, secretUrl, text } from '../src/core/settings/values.ts';

export const Sql = z.strictObject({
  url: secretUrl(['postgres', 'postgresql', 'mysql', 'mariadb', 'sqlserver'])
    // A driver would take them for its own settings: `?sslmode=disable` turns the protection off.
    .refine((url) => !/[?#]/.test(url.reveal()), { error: 'must end with the name of the database: leave out ? and #' })
    .meta({
      description:
        'The database with user name and password: `postgres://`, `mysql://` or `sqlserver://`. The account needs only the right to read.',
      secret: 'all',
      example: 'postgres://reader@db.example.com/hr',
    }),
  query: text(100_000)
    .refine((value) => /^\s*(?:select|with|values|table)\b/i.test(value), {
      error: 'must be one query that begins with SELECT or WITH',
    })
    .meta({ example: 'SELECT first_name, last_name, email, department AS groups FROM staff' })
    .describe('One query. Its columns are those of the roster; name them with `AS`.'),
  caFile: filePath()
    .meta({ example: './company-ca.pem' })
    .exactOptional()
    .describe('A PEM file with the authorities that signed the certificate of the server, if it is your own.'),
  timeout: duration().prefault(sqlDefaults.timeout).describe('The longest time for one answer.'),
  deadline: duration().prefault(sqlDefaults.deadline).describe('The longest time for all of it.'),
  attempts: count(1, 100).prefault(sqlDefaults.attempts).describe('The most attempts, for temporary errors.'),
});
export type SqlSource = z.output<typeof Sql>;
