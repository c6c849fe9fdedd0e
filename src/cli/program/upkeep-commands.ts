// Declares the commands that look after data and settings, and the demo: forget, prune, export, config, doctor, demo.
import type { ProgramParts } from '../frame/session.ts';
import type { RosterCommand } from './roster-command.ts';

/** `createProgram` makes the whole command line, for commands that run others. */
export function addUpkeepCommands(program: RosterCommand, createProgram: (parts: ProgramParts) => RosterCommand): void {
  program
    .command('forget')
    .description('Erase a person from everything that is kept, and never send them again.')
    .argument('<email>', 'their address')
    .option('--yes', 'do not ask')
    .option('--undo', 'let an erased person be sent again; what was erased stays erased')
    .json('forget')
    .examples(`
  roster-sync forget ann.ek@example.com
  roster-sync forget ann.ek@example.com --undo

docs/personal-data.md says what it cannot reach.`)
    .does(async () => (await import('../commands/person.ts')).forgetPerson);

  program
    .command('prune')
    .description(
      'Remove what is older than `retention` allows, as each run does at its end. What was last given stays.',
    )
    .option('--dry-run', 'show how much would be removed; remove nothing')
    .json('prune')
    .examples(`
  roster-sync prune --dry-run
  ROSTER_SYNC__RETENTION__ROSTERS=7d roster-sync prune`)
    .does(async () => (await import('../commands/export.ts')).prune);

  program
    .command('export')
    .description(
      'Write everything that the ledger knows to a file, to go on elsewhere. This ledger then sends nothing more.',
    )
    .argument('[file]', 'the archive to write')
    .option('--undo', 'let this ledger send again, if the archive was never imported')
    .json('export')
    .examples(`
  roster-sync export ledger.ndjson.gz
  DATABASE_URL=postgres://… roster-sync import-ledger ledger.ndjson.gz`)
    .does(async () => (await import('../commands/export.ts')).exportLedger);

  program
    .command('import-ledger')
    .description('Fill a new data directory or an empty PostgreSQL database with what `export` wrote.')
    .argument('<file>', 'the archive')
    .json('import-ledger')
    .examples(`
  ROSTER_SYNC_DATA_DIR=/srv/roster-sync roster-sync import-ledger ledger.ndjson.gz
  DATABASE_URL=postgres://… roster-sync import-ledger ledger.ndjson.gz`)
    .does(async () => (await import('../commands/export.ts')).importLedger);

  program
    .command('config')
    .description('Print the settings in force and where each comes from; secrets are masked.')
    .json('config')
    .does(async () => (await import('../commands/config.ts')).showConfig);

  program
    .command('doctor')
    .description(
      'Check everything that is needed: settings, data directory, ledger, queue, service and token. Sends no person.',
    )
    .option(
      '--rebuild',
      'make a new embedded ledger from its newest backup, where it is damaged, missing or older than that',
    )
    .option('--moved-here', 'the data directory was moved here, and the one it was copied from is not used any more')
    .option('--notify', 'send a test to the webhook, the mail addresses and the heartbeat that are set')
    .json('doctor')
    .examples(`
  roster-sync doctor
  roster-sync doctor --notify                    who is told when a run is held or fails`)
    .does(async () => (await import('../commands/doctor.ts')).examine);

  program
    .command('completions')
    .description('Print the script that completes commands in a shell.')
    .argument('<shell>', 'bash, zsh or fish')
    .examples(`
  source <(roster-sync completions bash)         in ~/.bashrc; in ~/.zshrc with zsh
  roster-sync completions fish | source          in ~/.config/fish/config.fish`)
    .does(async () => (await import('../commands/completions.ts')).printShellScript);

  program
    .command('demo')
    .description('Import made-up people into a stand-in service. Nothing leaves this machine.')
    .does(async () => (await import('../commands/demo.ts')).demoOf(createProgram));
}
