import { Command, CommanderError, Option } from 'commander';
import { RosterSyncError } from '../core/errors.ts';
import { escapeText } from '../core/escape.ts';
import { readVersion } from '../version.ts';
import type { ContinueOptions } from './continue.ts';
import type { DoctorOptions } from './doctor.ts';
import type { ImportOptions } from './import.ts';
import type { ShowOptions } from './runs.ts';
import type { SandboxFlags } from './sandbox.ts';
import type { GlobalOptions } from './session.ts';

const collect = (value: string, before: string[]): string[] => [...before, value];

const fields = ['firstname', 'lastname', 'email', 'telephone'];
function collectColumn(value: string, before: Record<string, string>): Record<string, string> {
  const [field = '', ...column] = value.split('=');
  if (!fields.includes(field) || column.length === 0) {
    throw new CommanderError(2, 'map', `error: --map ${value}: write FIELD=COLUMN, where FIELD is one of ${fields.join(', ')}`);
  }
  return { ...before, [field]: column.join('=') };
}

const rateFlag = new Option('--rate <rate>', 'calls at most: 200 is 200 a second, 300/1m is 300 a minute; only lowers a rate that is configured');

const program = new Command('roster-sync')
  .description('Puts the people of an HR export into the right groups of a service: one paced call each, every answer kept.')
  .version(readVersion(), '--version')
  .option('--config <file>', 'the config file (default: roster-sync.yaml in this folder)')
  .option('--quiet', 'results and errors only')
  .option('--verbose', 'every group, and what helps to find a fault')
  .showHelpAfterError('Run it with --help to see how it is used.')
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  roster-sync demo                                          the main job against a stand-in service; nothing leaves this machine
  roster-sync import people.csv --group "All staff" --dry-run   what would be sent; nothing is
  roster-sync import people.csv --group-column Department   show the plan, ask, send
  roster-sync show latest                                   how it went

Exit codes:
  0 all delivered or nothing to do   1 unexpected error          2 wrong usage, config or roster
  3 held, waits for an approval      4 some deliveries failed or stayed unknown
  5 another process is at it         6 the service refused       130 interrupted; resume goes on`,
  );

/** Registers what a command does; its code is loaded only when it is called. The action returns the exit code. */
function action<Options extends GlobalOptions>(
  command: Command,
  run: (words: string[], options: Options) => Promise<number>,
): void {
  command.action(async (...given: unknown[]) => {
    const words = given.filter((word) => typeof word === 'string');
    process.exitCode = await run(words, command.optsWithGlobals<Options>());
  });
}

action<ImportOptions>(
  program
    .command('import')
    .description('Read a roster, show what would be sent, ask, send, report.')
    .argument('<file>', 'a CSV file, or - for standard input')
    .option('--source <name>', 'what this roster is called (default: the name of the file)')
    .option('--group <name>', 'a group for everybody; may be repeated', collect, [])
    .option('--group-column <column>', 'a column that names groups, several in a cell with ; between; may be repeated', collect, [])
    .option('--map <field=column>', `which column is ${fields.join(', ')}; may be repeated`, collectColumn, {})
    .option('--encoding <label>', 'how the file is encoded: utf-8, utf-16le, windows-1252 (default: found out)')
    .option('--delimiter <character>', 'what separates its columns: , ; | or tab (default: found out)')
    .option('--force-sync', 'let the service take people out of groups they were put in by hand')
    .option('--no-force-sync', 'do not')
    .option('--invite', 'let the service invite people it does not know')
    .option('--no-invite', 'do not')
    .addOption(rateFlag)
    .option('--all', 'send the unchanged too')
    .option('--only <email>', 'only this person; may be repeated', collect, [])
    .option('--dry-run', 'plan only: nothing is sent or kept, and no service is needed')
    .option('--yes', 'do not ask')
    .option('--report <file>', 'write a line per person and group to FILE (.csv or .json)')
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Examples:
  roster-sync import people.csv --group "New starters" --group-column Department --dry-run
  roster-sync import people.csv --map email="E-mail (work)" --group-column Team --yes --json
  roster-sync import people.csv --group Staff --only ann@example.com`,
    ),
  async ([file = ''], options) => (await import('./import.ts')).importRoster(file, options),
);

action<GlobalOptions>(
  program.command('runs').description('List the runs, newest first.').option('--json', 'one JSON document on standard output'),
  async (_words, options) => (await import('./runs.ts')).listRuns(options),
);

action<ShowOptions>(
  program
    .command('show')
    .description('How a run went: outcomes, groups, rejects, and the raw answers that deserve a look.')
    .argument('<run>', 'its id, the beginning of it, or latest')
    .option('--report <file>', 'write a line per person and group to FILE (.csv or .json)')
    .option('--rejects <file>', 'write the rejected rows to FILE, in the form of the roster')
    .option('--json', 'one JSON document on standard output'),
  async ([run = ''], options) => (await import('./runs.ts')).showRun(run, options),
);

for (const [name, what] of [
  ['resume', 'Go on with a run that was interrupted, paused or halted.'],
  ['retry', 'Try the failures of a finished run once more.'],
] as const) {
  action<ContinueOptions>(
    program
      .command(name)
      .description(what)
      .argument('<run>', 'its id, the beginning of it, or latest')
      .addOption(rateFlag)
      .option('--concurrency <n>', 'calls in flight at most')
      .option('--report <file>', 'write a line per person and group to FILE (.csv or .json)')
      .option('--json', 'one JSON document on standard output'),
    async ([run = ''], options) => {
      const { resumeRun, retryRun } = await import('./continue.ts');
      return name === 'resume' ? resumeRun(run, options) : retryRun(run, options);
    },
  );
}

action<GlobalOptions>(
  program
    .command('cancel')
    .description('End a run: what it has not sent is not sent any more. What was sent cannot be taken back.')
    .argument('<run>', 'its id, the beginning of it, or latest')
    .option('--json', 'one JSON document on standard output'),
  async ([run = ''], options) => (await import('./continue.ts')).cancelRun(run, options),
);

action<SandboxFlags>(
  program
    .command('sandbox')
    .description('Start a stand-in for the service on this machine.')
    .option('--port <port>', 'where it listens (default: any free port)')
    .option('--token <token>', 'the Base64 token that it asks for')
    .option('--seed <number>', 'what everything random is drawn from')
    .option('--fault <fault>', 'what goes wrong, see below; may be repeated', collect, [])
    .option('--assume <question=answer>', 'another answer to what the interface leaves open; may be repeated', collect, [])
    .addHelpText('afterAll', () => sandboxHelp),
  async (_words, options) => (await import('./sandbox.ts')).runSandbox(options),
);

action<GlobalOptions>(
  program.command('config').description('Print the settings in force and where each comes from; secrets are masked.').option('--json', 'one JSON document on standard output'),
  async (_words, options) => (await import('./config.ts')).showConfig(options),
);

action<DoctorOptions>(
  program
    .command('doctor')
    .description('Check everything that is needed: settings, data directory, ledger, queue, service and token. Sends no person.')
    .option('--rebuild', 'rebuild an unreadable embedded ledger from the backup beside it')
    .option('--json', 'one JSON document on standard output'),
  async (_words, options) => (await import('./doctor.ts')).examine(options),
);

action<GlobalOptions>(
  program.command('demo').description('Do the main job against a stand-in service. Nothing leaves this machine.'),
  async () => (await import('./demo.ts')).runDemo(),
);

let sandboxHelp = '';
if (process.argv.includes('sandbox')) {
  const { assumptionChoices, faultGrammar } = await import('../sandbox/index.ts');
  const choices = Object.entries(assumptionChoices).map(([question, answers]) => `  ${question}=${answers.join('|')}`);
  sandboxHelp = `\n${faultGrammar}\n\nAssumptions, the default first (docs/sandbox.md):\n${choices.join('\n')}`;
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await explain(error);
}

/** The one place where an error becomes words and an exit code. */
async function explain(error: unknown): Promise<number> {
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
    process.stderr.write(`${error.message.split('\n').map(escapeText).join('\n')}\n`);
    return error.exitCode;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`Something unexpected happened; please report it:\n${text.split('\n').map(escapeText).join('\n')}\n`);
  return 1;
}
