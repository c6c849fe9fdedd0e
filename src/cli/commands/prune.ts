// `prune`: removes data that is older than `retention` keeps.
import { type Pruned, pruneLedger } from '../../../jobs/index.ts';
import { count } from '../../core/text/figures.ts';
import { type GlobalOptions, openLedgerSession, withContext } from '../frame/session.ts';

export interface PruneOptions extends GlobalOptions {
  dryRun?: boolean;
}

/** No limit: whoever runs the command waits until it is done. */
const withinMs = 24 * 3_600_000;

export async function prune(options: PruneOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { config, output } = session;
  const { dryRun = false, json = false } = options;
  return withContext(session, { command: 'prune' }, async (context) => {
    const removed: Omit<Pruned, 'isDone'> = dryRun
      ? await context.ledger.countPrunable(config.retention)
      : await pruneLedger(context, withinMs);
    const { answers, rosters, receipts } = removed;
    const what = [
      `the contents of ${count(answers, 'answer or event', 'answers and events')}`,
      `${count(rosters, 'row')} of rosters that came once`,
      `${count(receipts, 'row')} of old runs`,
    ];
    output.print(`${dryRun ? 'Would remove' : 'Removed'} ${what.join(', ')}. What each person was last given stays.`);
    if (dryRun) output.print('Nothing was removed: this was a dry run.');
    if (json) output.json('prune', { dryRun, answers, rosters, receipts });
    return 0;
  });
}
