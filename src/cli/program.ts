// Declares every command and flag; loads a command's code only when it is called.
import { readVersion } from '../process/version.ts';
import type { AnswersOptions } from './commands/answers.ts';
import type { ApproveOptions } from './commands/approve.ts';
import type { PlanFlags } from './commands/plan.ts';
import type { CompletionOptions } from './commands/completion.ts';
import type { ContinueOptions } from './commands/continue.ts';
import type { DoctorOptions } from './commands/doctor.ts';
import type { ForgetOptions } from './commands/forget.ts';
import type { ImportOptions } from './commands/import.ts';
import type { InitOptions } from './commands/init.ts';
import type { InspectOptions } from './commands/inspect.ts';
import type { LeftBehindOptions } from './commands/left-behind.ts';
import type { ShowOptions } from './commands/runs.ts';
import type { PruneOptions } from './commands/prune.ts';
import type { ResolveOptions } from './commands/resolve.ts';
import { collect, RosterCommand, shared } from './run/roster-command.ts';
import type { SandboxFlags } from './commands/sandbox.ts';
import type { ServeOptions } from './commands/serve.ts';
import type { ProgramParts } from './frame/session.ts';
import type { SyncOptions } from './commands/sync.ts';
import type { TokenOptions } from './commands/token.ts';
import type { WorkerOptions } from './commands/worker.ts';

/**
 * Makes the command line: every command and flag. What a command does is loaded only when it is called.
 * @param parts what else it works with than the product's own, for programs and tests that keep a ledger open
 */
export function createProgram(parts?: ProgramParts): RosterCommand {
  const program = new RosterCommand('roster-sync', parts)
    .description(
      'Puts the people of an HR export into the right groups of a service: one rate-limited call each, every answer kept.',
    )
    .version(readVersion(), '--version')
    .option('--config <file>', 'the config file (default: roster-sync.yaml in this folder)')
    .option('--quiet', 'results and errors only')
    .option('--verbose', 'every group, and details that help to find a fault')
    .showHelpAfterError('Run it with --help to see how it is used.')
    .exitOverride().examples(`
  roster-sync demo                                              try it on a stand-in service; nothing leaves this machine
  roster-sync import people.csv --group "All staff" --dry-run   show what would be sent; send nothing
  roster-sync import people.csv --group-column Department       show the plan, ask, send
  roster-sync show latest                                       how it went

Exit codes:
  0 all delivered or nothing to do   1 unexpected error          2 wrong usage, config or roster
  3 held, waits for an approval      4 some deliveries failed or stayed unknown
  5 another process is running       6 the service refused       130 interrupted; resume continues`);

  program
    .command('import')
    .description('Read a roster, show what would be sent, ask, send, report.')
    .argument('<file>', 'CSV, Excel or JSON, also packed; a folder or zip of files; or - for standard input')
    .option('--source <name>', 'what this roster is called (default: the name of the file)')
    .fileOptions()
    .deliverySwitches()
    .option(...shared.rate)
    .peopleOptions()
    .invitationBound()
    .option('--baseline', 'record everybody as already given these groups; send nothing')
    .option('--dry-run', 'plan only: nothing is sent or kept, and no service is needed')
    .option('--yes', 'do not ask; what a guard holds stays held, and so does a roster that needs a decision')
    .releaseOptions()
    .option(...shared.planReport)
    .planPeopleOptions('--report of a dry run')
    .option(...shared.json)
    .examples(`
  roster-sync import people.csv --group "New starters" --group-column Department --dry-run
  roster-sync import people.csv --map email="E-mail (work)" --group-column Team --yes --max-invitations 20 --json
  roster-sync import people.csv --group Staff --only-active --yes --max-invitations 20      in a script
  roster-sync import people.csv --group Staff --only ann@example.com`)
    .does(async ([file = ''], options: ImportOptions) =>
      (await import('./commands/import.ts')).importRoster(file, options),
    );

  program
    .command('sync')
    .description('Read a source named in the config, show what would be sent, ask, send, report.')
    .argument('<source>', 'its name under sources:')
    .groupMatrix()
    .option(...shared.rate)
    .peopleOptions()
    .invitationBound()
    .option('--dry-run', 'plan only: nothing is sent or kept, and no service is needed')
    .option('--yes', 'do not ask; what a guard holds stays held, and so does a roster that needs a decision')
    .releaseOptions()
    .option(...shared.planReport)
    .planPeopleOptions('--report of a dry run')
    .option(...shared.json)
    .examples(`
  roster-sync sync staff --dry-run
  roster-sync sync staff --yes --max-invitations 20 --json

docs/sources.md tells what a source can be; \`roster-sync init FILE\` writes one.`)
    .does(async ([name = ''], options: SyncOptions) => (await import('./commands/sync.ts')).syncSource(name, options));

  program
    .command('plan')
    .description('Show what import or sync would send, and why: counts, groups, samples. Nothing is sent or kept.')
    .argument('<file|source>', 'a file, - for standard input, or the name of a source in the config')
    .option('--source <name>', 'what a file is called (default: its name)')
    .fileOptions()
    .deliverySwitches()
    .option(...shared.rate)
    .peopleOptions()
    .invitationBound()
    .option(
      '-o, --output <file>',
      'write who would get what, and why, to FILE: .csv, .xlsx, .json, or .html for a page',
    )
    .planPeopleOptions('FILE')
    .option(...shared.json)
    .examples(`
  roster-sync plan staff                         a source of the config
  roster-sync plan people.csv --group-column Team -o plan.json
  roster-sync plan staff --kind new,departed -o plan.xlsx

The exit code is 3 if a guard would hold something.`)
    .does(async ([name = ''], options: PlanFlags) => (await import('./commands/plan.ts')).planRosterOf(name, options));

  program
    .command('inspect')
    .description('Show how a roster is read: columns, fields, groups, rejects, and a config block. Sends nothing.')
    .argument('<file|source>', 'a file, - for standard input, or the name of a source in the config')
    .fileOptions()
    .option(...shared.json)
    .examples(`
  roster-sync inspect people.csv
  roster-sync inspect staff --verbose            a source of the config, with every group and reason`)
    .does(async ([name = ''], options: InspectOptions) =>
      (await import('./commands/inspect.ts')).inspectRoster(name, options),
    );

  program
    .command('init')
    .description('Write a config, with a source proposed from a file. Never overwrites one.')
    .argument('[file]', 'a roster')
    .fileOptions()
    .option(...shared.json)
    .examples(`
  roster-sync init people.csv                    writes roster-sync.yaml with a source called people
  roster-sync init --config staging.yaml`)
    .does(async ([file], options: InitOptions) => (await import('./commands/init.ts')).initConfig(file, options));

  program
    .command('resolve')
    .description('Tell who is who when an address changed, or now belongs to another person.')
    .argument('<old>', 'the known address')
    .argument('<new>', 'the address in the roster; the same one if another person has it now')
    .option(
      '--renamed-there',
      'the service has the same account under the new address, or the same person has a new id',
    )
    .option('--new-account', 'the new address is a new account; the old account stays as it is')
    .option(...shared.json)
    .examples(`
  roster-sync resolve ann.ek@example.com ann.lind@example.com --renamed-there
  roster-sync resolve info@example.com info@example.com --new-account`)
    .does(async ([old = '', now = ''], options: ResolveOptions) =>
      (await import('./commands/resolve.ts')).resolveAddress(old, now, options),
    );

  program
    .command('runs')
    .description('List the runs, newest first.')
    .option(...shared.json)
    .does(async (_, options) => (await import('./commands/runs.ts')).listRuns(options));

  program
    .command('schedules')
    .description('List the schedules: the next times of each source, how the last run went, and what was missed.')
    .option(...shared.json)
    .examples(`
  roster-sync schedules                          in each source's own time zone
  roster-sync schedules --json`)
    .does(async (_, options) => (await import('./commands/schedules.ts')).listSchedules(options));

  program
    .command('show')
    .description('Show how a run went: outcomes, groups, rejects, and the raw answers to look at.')
    .argument(...shared.run)
    .option(...shared.report)
    .option('--rejects <file>', 'write the rejected rows to FILE, in the form of the roster')
    .option('--departed <file>', 'write the people who left the source and keep their groups to FILE (CSV)')
    .option(...shared.excel)
    .option(...shared.json)
    .does(async ([name = ''], options: ShowOptions) => (await import('./commands/runs.ts')).showRun(name, options));

  program
    .command('person')
    .description(
      'Show everything known about one person: what they were given, runs, rows, approvals, calls and answers.',
    )
    .argument('<email>', 'their address, or an earlier one')
    .option(...shared.json)
    .examples(`
  roster-sync person ann@example.com
  roster-sync person ann@example.com --json > ann.json     for a subject-access request`)
    .does(async ([email = ''], options) => (await import('./commands/person.ts')).showPerson(email, options));

  program
    .command('left-behind')
    .description('Who has to be taken out of which group by hand, at the service: no roster gives it to them any more.')
    .option('--source <name>', 'only what this source gave')
    .option('--group <name>', 'only this group')
    .option('--person <email>', 'only this person')
    .option('-o, --output <file>', 'write all of it to FILE (CSV), whole or not at all')
    .option(...shared.excel)
    .option('--done', 'mark what is listed as taken out by hand; asks first')
    .option('--yes', 'do not ask (only with --done)')
    .option(...shared.json)
    .examples(`
  roster-sync left-behind
  roster-sync left-behind --source staff -o to-do.csv --excel
  roster-sync left-behind --person ann@example.com --group IT --done

Without forceSync the service takes nobody out of a group. What a person is given again is no longer listed.`)
    .does(async (_, options: LeftBehindOptions) => (await import('./commands/left-behind.ts')).listLeftBehind(options));

  program
    .command('resume')
    .description('Continue a run that was interrupted, paused or halted.')
    .argument(...shared.run)
    .option('--now', 'call the service although it is rate-limiting us (`Retry-After`); asks first')
    .option('--yes', 'do not ask (only with --now)')
    .option(...shared.rate)
    .option(...shared.concurrency)
    .option(...shared.report)
    .option(...shared.json)
    .does(async ([name = ''], options: ContinueOptions) =>
      (await import('./commands/continue.ts')).resumeRun(name, options),
    );

  program
    .command('retry')
    .description('Send the failures of a finished run again.')
    .argument(...shared.run)
    .option(...shared.rate)
    .option(...shared.concurrency)
    .option(...shared.report)
    .option(...shared.json)
    .does(async ([name = ''], options: ContinueOptions) =>
      (await import('./commands/continue.ts')).retryRun(name, options),
    );

  program
    .command('pause')
    .description('Pause a run after the calls in flight, whichever process delivers it; only `resume` continues it.')
    .argument(...shared.run)
    .option(...shared.json)
    .does(async ([name = ''], options) => (await import('./commands/continue.ts')).pauseRun(name, options));

  program
    .command('approve')
    .description(
      'Send what a guard holds of a run, or part of it. The approval is bound to the plan you saw, and is kept.',
    )
    .argument(...shared.run)
    .option(
      '--only <action>',
      'only those that are new, changed, again, unchanged or departed; may be repeated',
      collect,
      [],
    )
    .option('--except-group <name>', 'not those with this group; may be repeated', collect, [])
    .option('--note <text>', 'why, for the record')
    .option('--hash <hash>', 'approve only the plan with this hash, as `show` prints it; another one is refused')
    .option('--yes', 'do not ask; needed without a terminal, unless you name the plan with --hash')
    .option(...shared.rate)
    .option(...shared.concurrency)
    .releaseOptions()
    .option(...shared.report)
    .option(...shared.json)
    .examples(`
  roster-sync approve latest --note "the summer interns, see HR-1204"
  roster-sync approve 3f9a12cc --yes             in a script, after you looked at the plan
  roster-sync approve 3f9a12cc --only new
  roster-sync approve 3f9a12cc --except-group Executives`)
    .does(async ([name = ''], options: ApproveOptions) =>
      (await import('./commands/approve.ts')).approveHeldRun(name, options),
    );

  program
    .command('cancel')
    .description('End a run: nothing more of it is sent. What was sent cannot be taken back.')
    .argument(...shared.run)
    .option(...shared.json)
    .does(async ([name = ''], options) => (await import('./commands/continue.ts')).cancelRun(name, options));

  program
    .command('answers')
    .description('Fetch the questions of stories and everybody’s answers: one row for each user and question.')
    .option('--app <app>', 'only of this app, by ID or name')
    .option('--story <story>', 'only of this story, by ID or name')
    .option('--group <name>', 'only of this group; may be repeated', collect, [])
    .option('--user <user>', 'only of this user, by name or e-mail address; may be repeated', collect, [])
    .option('-o, --output <file>', 'write to FILE, whole or not at all; its ending names the format')
    .option('--format <format>', 'csv, ndjson, json as received, or html: one page without names (default: csv)')
    .option('--excel', 'CSV as Excel opens it: with a byte order mark, and ; between columns')
    .option('--keep', 'keep the counts in the ledger, without a person')
    .option('--history', 'show how the kept counts grew, without a call to the service')
    .option('--summary', 'a table of stories and questions: asked, answered, correct, share, attempts')
    .option(...shared.json)
    .examples(`
  roster-sync answers --summary
  roster-sync answers --story "Fire safety" --group Sales -o fire-safety.csv --excel
  roster-sync answers --format ndjson | head
  roster-sync answers --keep --quiet             for cron: keep what was counted; answers --history shows it
  roster-sync answers --story 4711 -o fire-safety.html`)
    .does(async (_, options: AnswersOptions) => (await import('./commands/answers.ts')).fetchAnswers(options));

  program
    .command('completion')
    .description('Show who of a source’s last roster has answered a story, by group; names people only with --people.')
    .requiredOption('--story <story>', 'the story, by ID or name')
    .requiredOption('--source <name>', 'the source of the people')
    .option('--app <app>', 'the app of the story, by ID or name')
    .option('--min-cell <n>', 'groups of fewer people are hidden', '5')
    .option(
      '--people [status]',
      'a line for each person instead: answered, answered-wrongly, not-answered, not-yet-given',
    )
    .option(
      '--over-time',
      'show how it grew, from the counts that `serve` kept by answers.schedule; no call to the service',
    )
    .option('-o, --output <file>', 'write to FILE, whole or not at all; its ending names the format')
    .option('--format <format>', 'csv, json or html; csv or ndjson with --people')
    .option(...shared.json)
    .examples(`
  roster-sync completion --story "Fire safety" --source staff
  roster-sync completion --story 4711 --source staff -o completion.html
  roster-sync completion --story 4711 --source staff --over-time
  roster-sync completion --story 4711 --source staff --people not-answered -o reminders.csv`)
    .does(async (_, options: CompletionOptions) => (await import('./commands/completion.ts')).showCompletion(options));

  program
    .command('worker')
    .description('Deliver what is due until you stop it. Run any number, on any machines. Needs Redis and PostgreSQL.')
    .option(...shared.concurrency)
    .examples(`
  REDIS_URL=redis://queue DATABASE_URL=postgres://ledger/roster roster-sync worker --concurrency 20`)
    .does(async (_, options: WorkerOptions) => (await import('./commands/worker.ts')).runWorker(options));

  program
    .command('serve')
    .description('Deliver what is due, and answer on HTTP: the API (/api/v1), /metrics, /healthz and /readyz.')
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .option('--port <port>', 'the port to listen on; 0 is any free port', '8080')
    .option('--no-worker', 'answer only; workers elsewhere deliver')
    .examples(`
  roster-sync serve
  roster-sync serve --host 0.0.0.0 --port 8080 --no-worker`)
    .does(async (_, options: ServeOptions) => (await import('./commands/serve.ts')).serve(options));

  const token = program.command('token').description('Create, list and revoke the tokens of the API of `serve`.');

  token
    .command('create')
    .description('Create a token. It is printed only once.')
    .requiredOption('--name <name>', 'whose it is; the audit names it')
    .option('--scope <scopes>', 'read, run and approve, with commas between', 'read')
    .option('--expires <time>', 'how long it is valid, such as 90d (default: until you revoke it)')
    .option(...shared.json)
    .examples(`
  roster-sync token create --name nightly-ci --scope read,run --expires 90d
  roster-sync token create --name dashboard`)
    .does(async (_, options: TokenOptions) => (await import('./commands/token.ts')).createToken(options));

  token
    .command('list')
    .description('List the tokens, what they may do, and when they were last used.')
    .option(...shared.json)
    .does(async (_, options) => (await import('./commands/token.ts')).listTokens(options));

  token
    .command('revoke')
    .description('Revoke a token: it stops working at once.')
    .argument('<name>', 'as `token list` shows it')
    .option(...shared.json)
    .does(async ([name = ''], options) => (await import('./commands/token.ts')).revokeToken(name, options));

  program
    .command('sandbox')
    .description('Start a stand-in for the service on this machine.')
    .option('--port <port>', 'the port to listen on (default: any free port)')
    .option('--token <token>', 'the Base64 token that it asks for')
    .option('--seed <number>', 'the seed of everything random')
    .option('--stories <n>', 'the number of made-up stories')
    .option('--users <n>', 'the number of made-up users, who answer them')
    .option('--fault <fault>', 'what goes wrong, see below; may be repeated', collect, [])
    .option(
      '--assume <question=answer>',
      'another answer to what the interface leaves open; may be repeated',
      collect,
      [],
    )
    .examples(`
  roster-sync sandbox --port 4100
  roster-sync sandbox --stories 200 --users 100000
  roster-sync sandbox --fault latency=200 --fault status=429,retry-after=2,every=50

docs/sandbox.md tells every fault and every assumption.`)
    .does(async (_, options: SandboxFlags) => (await import('./commands/sandbox.ts')).runSandbox(options));

  program
    .command('forget')
    .description('Erase a person from everything that is kept, and never send them again.')
    .argument('<email>', 'their address')
    .option('--yes', 'do not ask')
    .option('--undo', 'let a person be sent again who was erased; what was erased stays erased')
    .option(...shared.json)
    .examples(`
  roster-sync forget ann.ek@example.com
  roster-sync forget ann.ek@example.com --undo

docs/operations.md tells what it cannot reach.`)
    .does(async ([email = ''], options: ForgetOptions) =>
      (await import('./commands/forget.ts')).forgetPerson(email, options),
    );

  program
    .command('prune')
    .description(
      'Remove what is older than `retention` allows, as each run does at its end. What was last given stays.',
    )
    .option('--dry-run', 'show how much that is; remove nothing')
    .option(...shared.json)
    .examples(`
  roster-sync prune --dry-run
  ROSTER_SYNC__RETENTION__ROSTERS=7d roster-sync prune`)
    .does(async (_, options: PruneOptions) => (await import('./commands/prune.ts')).prune(options));

  program
    .command('config')
    .description('Print the settings in force and where each comes from; secrets are masked.')
    .option(...shared.json)
    .does(async (_, options) => (await import('./commands/config.ts')).showConfig(options));

  program
    .command('doctor')
    .description(
      'Check everything that is needed: settings, data directory, ledger, queue, service and token. Sends no person.',
    )
    .option('--rebuild', 'rebuild the embedded ledger from all that can be read of it and of its backup')
    .option('--yes', 'with --rebuild: do so even if the ledger can be read')
    .option('--notify', 'send a test to the webhook, the mail addresses and the heartbeat that are set')
    .option(...shared.json)
    .examples(`
  roster-sync doctor
  roster-sync doctor --notify                    who is told when a run is held or fails`)
    .does(async (_, options: DoctorOptions) => (await import('./commands/doctor.ts')).examine(options));

  program
    .command('demo')
    .description('Import made-up people into a stand-in service. Nothing leaves this machine.')
    .does(async () => (await import('./commands/demo.ts')).runDemo());

  return program;
}
