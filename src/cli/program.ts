// Makes the command line; `program` declares its commands and flags, a group in each file.
import { readVersion } from '../process/version.ts';
import { addRosterCommands } from './program/roster-commands.ts';
import { addServerCommands } from './program/server-commands.ts';
import { addShowingCommands } from './program/showing-commands.ts';
import { addSteeringCommands } from './program/steering-commands.ts';
import { addStoryCommands } from './program/story-commands.ts';
import { addUpkeepCommands } from './program/upkeep-commands.ts';
import { RosterCommand } from './program/roster-command.ts';
import type { ProgramParts } from './frame/session.ts';

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

  addRosterCommands(program.commandsGroup('Send people:'));
  addShowingCommands(program.commandsGroup('See what was sent:'));
  addSteeringCommands(program.commandsGroup('Steer a run:'));
  addStoryCommands(program.commandsGroup('See who answered:'));
  addServerCommands(program.commandsGroup('Run all the time:'));
  addUpkeepCommands(program.commandsGroup('Set up, check and keep in order:'), createProgram);
  return program;
}
