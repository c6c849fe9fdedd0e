// What a look at the tables of an embedded ledger and at its backups finds, for `doctor` and the page.
import { join } from 'node:path';
import type { Config } from '../../config/load.ts';
import { count } from '../core/text/figures.ts';
import { readBackup } from '../ledger/directory/backup.ts';
import { listBackups } from '../ledger/directory/backups.ts';
import { describeBackup } from '../ledger/directory/lost-ledger.ts';
import type { Context } from './context.ts';
import { type Finding, problem } from './findings.ts';

/** Reads every table to its end; takes as long as the ledger is large. */
export async function tableFindings({ ledger }: Pick<Context, 'ledger'>): Promise<Finding[]> {
  const damaged = await ledger.findDamage();
  if (damaged.length === 0) return [{ what: 'tables', state: 'ok', text: 'every row of every table can be read' }];
  return damaged.map(({ table, reason }) => ({
    what: 'tables',
    state: 'problem',
    text: `the table ${table} or an index of it cannot be read (${reason})`,
    next: [{ act: 'upkeep.rebuild' }],
  }));
}

/** The backups next to an embedded ledger; the newest is read to its end. None where there are no backups. */
export async function backupFindings({ databaseUrl, dataDir }: Config): Promise<Finding[]> {
  const what = 'backup';
  try {
    const kept = databaseUrl ? [] : await listBackups(join(dataDir, 'backup'));
    const [newest] = kept;
    if (newest === undefined) return [];
    const { header, lines } = await readBackup(newest.file);
    for await (const _ of lines);
    const older = kept.length > 1 ? `; ${count(kept.length - 1, 'older one')} next to it` : '';
    return [{ what, state: 'ok', text: `${describeBackup(header)}${older}` }];
  } catch (error) {
    return [{ ...problem(what, error), state: 'remark' }];
  }
}
