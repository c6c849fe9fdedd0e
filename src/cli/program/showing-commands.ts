// Declares the commands that show what happened: runs, schedules, show, person, left-behind.
import { type RosterCommand, shared } from './roster-command.ts';

export function addShowingCommands(program: RosterCommand): void {
  program
    .command('runs')
    .description('List the runs, newest first; with --invited, who may have been invited.')
    .option('--invited', 'CSV of the people who were sent with invite and were given nothing before; oldest first')
    .option('--since <day>', 'only from this day on (with --invited)')
    .option('--until <day>', 'only up to this day, and including it (with --invited)')
    .option('-o, --output <file>', 'write them to FILE (.csv, .xlsx, .json, .ndjson), completely or not at all')
    .option(...shared.excel)
    .json('runs')
    .examples(`
  roster-sync runs
  roster-sync runs --invited --since 2026-11-01 --until 2026-11-30 -o november.csv`)
    .does(async () => (await import('../commands/runs.ts')).listRuns);

  const sources = program
    .command('sources')
    .description('List, export, import and remove the sources that are kept in the ledger.');

  sources
    .command('list')
    .description('List all sources: those of the config, and those kept in the ledger.')
    .json('sources')
    .does(async () => (await import('../commands/sources.ts')).listSources);

  sources
    .command('export')
    .description('Print a kept source as the YAML of a config.')
    .argument('<name>', 'as `sources list` shows it')
    .examples(`
  roster-sync sources export starters > starters.yaml`)
    .does(async () => (await import('../commands/sources.ts')).exportSource);

  sources
    .command('import')
    .description('Keep the sources of a YAML file in the ledger. It replaces those of the same name.')
    .argument('<file>', 'a YAML file with `sources:`, as `sources export` prints it; - for standard input')
    .json('sources-kept')
    .does(async () => (await import('../commands/sources.ts')).importSources);

  sources
    .command('remove')
    .description('Remove a kept source. People and what was sent to them stay.')
    .argument('<name>', 'as `sources list` shows it')
    .json('source-removed')
    .does(async () => (await import('../commands/sources.ts')).removeSource);

  program
    .command('schedules')
    .description('List the schedules: the next times of each source, how the last run went, and what was missed.')
    .json('schedules')
    .examples(`
  roster-sync schedules                          in each source's own time zone
  roster-sync schedules --json`)
    .does(async () => (await import('../commands/sources.ts')).listSchedules);

  program
    .command('show')
    .description('Show how a run went: outcomes, groups, rejects, and the raw answers to check.')
    .argument(...shared.run)
    .option(...shared.report)
    .option('--rejects <file>', 'write the rejected rows to FILE, in the format of the roster')
    .option(
      '--departed <file>',
      'write the people who left the source and keep their groups to FILE (.csv, .xlsx, .json, .ndjson)',
    )
    .option(...shared.excel)
    .json('show')
    .does(async () => (await import('../commands/runs.ts')).showRun);

  program
    .command('compare')
    .description('Compare two runs of a source: who is new, gone or changed from the older one to the newer one.')
    .argument('<run>', 'its id, the beginning of it, or latest')
    .argument('[other]', 'another run of its source (default: the one before)')
    .json('compare')
    .examples(`
  roster-sync compare latest
  roster-sync compare 9c01 7f3a --json`)
    .does(async () => (await import('../commands/runs.ts')).compareRuns);

  program
    .command('person')
    .description(
      'Show everything known about one person: what they were given, runs, rows, approvals, calls and answers.',
    )
    .argument('<email>', 'their address, or an earlier one')
    .json('person')
    .examples(`
  roster-sync person ann@example.com
  roster-sync person ann@example.com --json > ann.json     for a subject-access request`)
    .does(async () => (await import('../commands/person.ts')).showPerson);

  program
    .command('left-behind')
    .description(
      'List who must be removed from which group by hand, at the service: no roster gives it to them any more.',
    )
    .option('--source <name>', 'only what this source gave')
    .option('--group <name>', 'only this group')
    .option('--person <email>', 'only this person')
    .option('-o, --output <file>', 'write all of it to FILE (.csv, .xlsx, .json, .ndjson), completely or not at all')
    .option(...shared.excel)
    .option('--done', 'mark what is listed as removed by hand; asks first')
    .option('--yes', 'do not ask (only with --done)')
    .json('left-behind')
    .examples(`
  roster-sync left-behind
  roster-sync left-behind --source staff -o to-do.csv --excel
  roster-sync left-behind --person ann@example.com --group IT --done

Without forceSync the service takes nobody out of a group. What a person is given again is no longer listed.`)
    .does(async () => (await import('../commands/left-behind.ts')).showLeftBehind);
}
