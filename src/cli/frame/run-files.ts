// Checks before a run that `import`, `sync` and `plan` can write the files they are asked for.
import type { Config } from '../../../config/load.ts';
import { defined } from '../../core/defined.ts';
import { checkPeopleFlags, planFileOf } from '../run/plan-people.ts';
import type { RunOptions } from '../run/roster-job.ts';
import { checkWrittenFiles } from './written-files.ts';

/** Throws an `InputError`; nothing has been done then. */
export function checkRunFiles(options: RunOptions, config: Pick<Config, 'sources'>): void {
  checkPeopleFlags(options);
  const { report, dryRun, excel } = options;
  const plan = planFileOf(options);
  checkWrittenFiles(
    {
      ...defined({ plan }),
      ...(report !== undefined && !dryRun && { report }),
      ...(excel && { excel }),
    },
    config,
  );
}
