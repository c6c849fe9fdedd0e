// `prune`: removes data that is older than `retention` keeps.
import { pruneLedger } from '../../acts/upkeep.ts';
import { count } from '../../core/text/figures.ts';
import { type GlobalOptions, tell } from '../frame/session.ts';

export interface PruneOptions extends GlobalOptions {
  dryRun?: boolean;
}

export async function prune(options: PruneOptions): Promise<number> {
  const { dryRun = false } = options;
  return tell(options, { command: 'prune', isAlone: true }, [pruneLedger, { dryRun }], (removed, output) => {
    const { answers, rosters, receipts } = removed;
    const what = [
      `the contents of ${count(answers, 'answer or event', 'answers and events')}`,
      `${count(rosters, 'row')} of rosters that came once`,
      `${count(receipts, 'row')} of old runs`,
    ];
    output.print(`${dryRun ? 'Would remove' : 'Removed'} ${what.join(', ')}. What each person was last given stays.`);
    if (dryRun) output.print('Nothing was removed: this was a dry run.');
    if (options.json) output.json('prune', removed);
  });
}
