/** The least that anything over an embedded database takes: opens the one in a directory, asks `select 1`, and ends. */
import { PGlite } from '@electric-sql/pglite';

const db = await PGlite.create({ dataDir: process.argv[2] ?? '' });
await db.query('select 1');
await db.close();
