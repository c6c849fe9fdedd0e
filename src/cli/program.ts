// Makes the command line of the commands in `src/data/commands`, and knows the code of each.
import { dataOf } from '../data/data.ts';
import type { Command, Commands } from '../data/schemas.ts';
import { InputError } from '../core/errors.ts';
import { readVersion } from '../process/version.ts';
import type { DocumentName } from '../acts/shapes/documents.ts';
import type { ProgramParts } from './frame/session.ts';
import { type Handler, RosterCommand } from './roster-command.ts';
import { completeCommand } from './shell/scripts.ts';

const commands = dataOf<Commands>('commands');

/** The groups of the help, in its order. */
const groups = ['send', 'see', 'steer', 'stories', 'serve', 'upkeep'];

/** The files of code that commands name in `does`, each loaded when one of its commands is called. */
const code: Readonly<Record<string, () => Promise<object>>> = {
  access: () => import('./commands/access.ts'),
  answers: () => import('./commands/answers.ts'),
  completions: () => import('./commands/completions.ts'),
  config: () => import('./commands/config.ts'),
  demo: async () => ({ demo: (await import('./commands/demo.ts')).demoOf(createProgram) }),
  doctor: () => import('./commands/doctor.ts'),
  export: () => import('./commands/export.ts'),
  import: () => import('./commands/import.ts'),
  inspect: () => import('./commands/inspect.ts'),
  'left-behind': () => import('./commands/left-behind.ts'),
  person: () => import('./commands/person.ts'),
  progress: () => import('./commands/progress.ts'),
  runs: () => import('./commands/runs.ts'),
  sandbox: () => import('./commands/sandbox.ts'),
  serve: () => import('./commands/serve.ts'),
  sources: () => import('./commands/sources.ts'),
  steer: () => import('./commands/steer.ts'),
  sync: () => import('./commands/sync.ts'),
};

/** Finds what a command does: `runs.showRun` is the export of that name of `commands/runs.ts`. */
export async function handlerOf(does: string): Promise<Handler> {
  const [file = '', name = ''] = does.split('.');
  const handler: unknown = Reflect.get((await code[file]?.()) ?? {}, name);
  if (typeof handler === 'function') return handler as Handler;
  throw new Error(`No file of src/cli/commands exports ${does}.`);
}

/** What a command does is loaded only when it is called. `parts`: what else it works with, for programs and tests. */
export function createProgram(parts?: ProgramParts): RosterCommand {
  const program = new RosterCommand('roster-sync', parts)
    .description(
      'Puts the people of an HR export into the right groups of a service: one rate-limited call each, every answer kept.',
    )
    .version(readVersion(), '--version')
    .option('--config <file>', 'the config file (default: roster-sync.yaml in this folder or the nearest above)')
    .option('--quiet', 'results and errors only')
    .option('--verbose', 'every group, people where there is no terminal, and details that help to find a fault')
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
  for (const group of groups) {
    const { heading = '', commands: declared = {} } = commands()[group] ?? {};
    program.commandsGroup(heading);
    const parents = new Map([['', program]]);
    for (const [words, command] of Object.entries(declared)) {
      const [name = '', parent = ''] = words.split(' ').toReversed();
      parents.set(words, declare((parents.get(parent) ?? program).command(name), command));
    }
  }
  return addHidden(program);
}

function declare(command: RosterCommand, { says, does, json, examples, below, ...takes }: Command): RosterCommand {
  command.description(says);
  for (const [name, text] of Object.entries(takes.arguments ?? {})) command.argument(name, text);
  command.takes(takes.options ?? [], commands()['shared']?.shared ?? {});
  if (json !== undefined) command.json(json as DocumentName);
  const indented = examples?.split('\n').map((line) => `\n  ${line}`) ?? [];
  if (examples !== undefined) command.examples(indented.join('') + (below === undefined ? '' : `\n\n${below}`));
  return does === undefined ? command : command.does(() => handlerOf(does));
}

function addHidden(program: RosterCommand): RosterCommand {
  program
    .command('completion', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(() => {
      throw new InputError(
        '`completion` has two names now: `progress` shows who has answered a story, `completions` prints the script that completes commands in a shell.',
      );
    });
  program
    .command(completeCommand, { hidden: true })
    .argument('[words...]')
    .does(async () => (await import('./commands/completions.ts')).completerOf(program));
  return program;
}
