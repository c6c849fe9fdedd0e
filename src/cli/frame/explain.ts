// Turns every error into words and an exit code, in one place.
import { CommanderError } from 'commander';
import { LedgerAwayError, RosterSyncError, withNext } from '../../core/errors.ts';
import { escapeText } from '../../core/text/format.ts';
import { isConnectionLoss } from '../../ledger/database/reconnect.ts';
import { nameAtTerminal } from '../../report/terminal/commands.ts';

export function explain(error: unknown): number {
  // Commander has already said what is wrong.
  if (error instanceof CommanderError) {
    if (error.code === 'map') process.stderr.write(`${error.message}\n`);
    return error.exitCode === 0 ? 0 : 2;
  }
  if (error instanceof Error && error.name === 'Interrupted') {
    process.stderr.write('Interrupted while planning: nothing was sent, and nothing was kept.\n');
    return 130;
  }
  if (error instanceof RosterSyncError) {
    const said = withNext(error.message, error.next, nameAtTerminal);
    process.stderr.write(`${said.split('\n').map(escapeText).join('\n')}\n`);
    return error.exitCode;
  }
  if (isConnectionLoss(error)) {
    const what = error instanceof LedgerAwayError ? 'The ledger' : 'A server that is needed';
    process.stderr.write(
      `${what} cannot be reached or written: ${escapeText(error.message)}. Fix the cause, then start again: what was answered is kept.\n`,
    );
    return 1;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `Something unexpected happened; please report it:\n${text.split('\n').map(escapeText).join('\n')}\n`,
  );
  return 1;
}
