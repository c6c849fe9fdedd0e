// The schema of a database query as a source.
import { z } from 'zod';
import { secretUrl, textUpTo } from '../../core/settings/values.ts';
import { bounds, caFile } from '../shared-settings.ts';

export const sqlDefaults = { timeout: 300_000, deadline: 3_600_000, attempts: 4 } as const;

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
  query: textUpTo(100_000)
    .refine((value) => /^\s*(?:select|with|values|table)\b/i.test(value), {
      error: 'must be one query that begins with SELECT or WITH',
    })
    .meta({ example: 'SELECT first_name, last_name, email, department AS groups FROM staff' })
    .describe('One query. Its columns are those of the roster; name them with `AS`.'),
  caFile: caFile(),
  ...bounds(sqlDefaults, 'The longest time for one answer.'),
});
export type SqlSource = z.output<typeof Sql>;
