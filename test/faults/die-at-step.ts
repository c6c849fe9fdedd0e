/**
 * Loaded before the command line (`--import`), it makes the process kill itself with SIGKILL just before one step of what it
 * does: `DIE_AT_RENAME=3` before the third rename of a file, `DIE_AT_STATEMENT='vacuum 2'` before the second statement that
 * begins like that (in whatever case), or holds it after a star: `*released_at 1`. The product's code knows nothing of it.
 */
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import pg from 'pg';

function dieAt(times: number): () => void {
  let left = times;
  return () => {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
}

const renames = process.env['DIE_AT_RENAME'];
if (isMainThread && renames !== undefined) {
  const die = dieAt(Number(renames));
  const { rename } = promises;
  const { renameSync } = fs;
  promises.rename = async (from, to) => {
    die();
    return rename(from, to);
  };
  fs.renameSync = (from, to) => {
    die();
    renameSync(from, to);
  };
  syncBuiltinESMExports();
}

const [, wanted, times] = /^(.*) (\d+)$/s.exec(process.env['DIE_AT_STATEMENT'] ?? '') ?? [];
if (isMainThread && wanted !== undefined) {
  const die = dieAt(Number(times));
  const text = wanted.replace(/^\*/, '').toLowerCase();
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  pg.Client.prototype.query = function (this: unknown, ...given: unknown[]) {
    const [asked] = given;
    const sql = (typeof asked === 'string' ? asked : ((asked as { text?: string }).text ?? '')).trim().toLowerCase();
    if (wanted.startsWith('*') ? sql.includes(text) : sql.startsWith(text)) die();
    return query.apply(this, given);
  } as typeof pg.Client.prototype.query;
}
