// The schema of a database query as a source.
import { z } from 'zod';
import { filePath, secretUrl, textUpTo } from '../../core/settings/values.ts';
import { bounds } from '../shared-settings.ts';

export const sqlDefaults = { timeout: 300_000, deadline: 3_600_000, attempts: 4 } as const;

export const Sql = z.strictObject({
  url: secretUrl(['postgres', 'postgresql', 'mysql', 'mariadb', 'sqlserver'])
    // A driver would take them for its own settings: `?sslmode=disable` turns the protection off.
    .refine((url) => !/[?#]/.test(url.reveal()), { error: 'must end with the name of the database: leave out ? and #' })
    .meta({ secret: 'all' }),
  query: textUpTo(100_000).refine((value) => /^\s*(?:select|with|values|table)\b/i.test(value), {
    error: 'must be one query that begins with SELECT or WITH',
  }),
  caFile: filePath().exactOptional(),
  ...bounds(sqlDefaults),
});
export type SqlSource = z.output<typeof Sql>;
