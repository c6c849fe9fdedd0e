// `export`, `import-ledger` and `prune`: move the whole ledger to another place, or remove what is old.
import { InputError } from '../../core/errors.ts';
import { count } from '../../core/text/format.ts';
import { type GlobalOptions, openLedgerSession, type Session, tell } from '../frame/session.ts';
import { pruneLedger } from '../../acts/upkeep.ts';
import type { Options } from '../options.ts';

const told = (rows: Record<string, number>): string =>
  `${count(rows['people'] ?? 0, 'record of a person', 'records of people')}, ${count(rows['runs'] ?? 0, 'run')} and ` +
  count(rows['receipts'] ?? 0, 'receipt');

export async function exportLedger(file: string | undefined, options: Options<'export'>): Promise<number> {
  const session = openLedgerSession(options);
  const { output } = session;
  // Nobody is answered meanwhile: a second terminal could change what is being exported.
  const context = await session.openContext({ command: 'export' });
  try {
    if (options.undo === true) {
      if (file !== undefined) throw new InputError('--undo takes no file.');
      return await undo(session, context.ledger);
    }
    if (file === undefined) throw new InputError('Name the file to write: roster-sync export FILE');
    const exported = await context.exportLedger(file);
    output.print(
      `Exported ${told(exported.rows)} to ${exported.file}. Only you can read it; it contains people. This ledger sends nothing more.`,
    );
    output.note(
      'Next: set DATABASE_URL or ROSTER_SYNC_DATA_DIR to the new place and run `roster-sync import-ledger` with that file. ' +
        'To stay here instead: `roster-sync export --undo`, and delete the file.',
    );
    if (options.json) output.json('export', exported);
    return 0;
  } finally {
    await context.close();
  }
}

async function undo(
  { output }: Session,
  ledger: { movedAt(): Promise<Date | undefined>; markMoved(isMoved: boolean): Promise<void> },
): Promise<number> {
  const at = await ledger.movedAt();
  await ledger.markMoved(false);
  output.print(
    at === undefined
      ? 'This ledger is in use: nothing to undo.'
      : 'This ledger sends again. Delete the archive, and do not use a ledger that was made from it.',
  );
  return 0;
}

export async function importLedger(file: string, options: GlobalOptions): Promise<number> {
  const { config, log, output } = openLedgerSession(options);
  const { importLedger } = await import('../../wiring/move-ledger.ts');
  const imported = await importLedger(config, file, log);
  const { ledger, at, rows, where } = imported;
  output.print(
    `Imported ${told(rows)} into ${where}. It is the ledger that was exported at ${at.slice(0, 16).replace('T', ' ')} UTC.`,
  );
  output.note(
    'Next: `roster-sync doctor`, then `sync SOURCE --dry-run`: nobody must be new. Delete the archive when all is well.',
  );
  if (options.json) output.json('import-ledger', { file, where, ledger, at, rows });
  return 0;
}

export async function prune(options: Options<'prune'>): Promise<number> {
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
