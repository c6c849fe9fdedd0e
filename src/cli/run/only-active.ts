// `--only-active`: adds rules that leave out people who have left or have not started.
import { InputError } from '../../core/errors.ts';
import { dayOf } from '../../core/cells/days.ts';
import { PresenceTaker } from '../../core/inspect/presence/presence-taker.ts';
import type { PresenceRules } from '../../core/mapping/mapping-rules.ts';
import { doubtsOf, presenceRules } from '../../core/inspect/presence/sign.ts';
import type { RosterFile } from '../../roster/open-roster.ts';
import type { RosterRun } from './roster-job.ts';

/**
 * With `--only-active`: the job with rules that leave out people who have left or not started. Its roster is read again
 * for that.
 * @throws InputError if no column says who is there, and where `--everybody` says the contrary
 */
export async function withOnlyActive(run: RosterRun): Promise<RosterRun> {
  const { onlyActive = false, everybody = false } = run.options;
  if (onlyActive && everybody) {
    throw new InputError('--only-active leaves people out, --everybody leaves out nobody: give one of them.');
  }
  if (!onlyActive) return run;
  const { opened } = run;
  const columns = { ...opened.columns, presence: await readPresence(opened.roster) };
  return { ...run, opened: { ...opened, columns } };
}

async function readPresence(roster: RosterFile): Promise<PresenceRules> {
  const taker = new PresenceTaker(roster.form.header, { today: dayOf(new Date()) });
  for await (const batch of roster.batches()) for (const { cells } of batch) taker.row(cells);
  if (taker.hasColumns) {
    const signs = taker.signs();
    return { ...presenceRules(signs), doubts: [...doubtsOf(signs), ...taker.remarks()] };
  }
  throw new InputError(
    `--only-active: no column of ${roster.form.file} says, in words that roster-sync knows, who has left. Name the column in ` +
      'the settings of a source (`only`, `except`), or leave the flag out. Nothing was sent.',
  );
}
