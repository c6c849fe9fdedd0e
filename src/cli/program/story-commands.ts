// Declares the commands about answers to stories: answers, progress.
import { InputError } from '../../core/errors.ts';
import { completeCommand } from '../shell/scripts.ts';
import { collect, type RosterCommand } from './roster-command.ts';

export function addStoryCommands(program: RosterCommand): void {
  program
    .command('answers')
    .description('Fetch the questions of stories and everybody’s answers: one row for each user and question.')
    .option('--app <app>', 'only of this app, by ID or name')
    .option('--story <story>', 'only of this story, by ID or name')
    .option('--group <name>', 'only of this group; may be repeated', collect, [])
    .option('--user <user>', 'only of this user, by name or e-mail address; may be repeated', collect, [])
    .option('-o, --output <file>', 'write to FILE, completely or not at all; its ending sets the format')
    .option('--format <format>', 'csv, xlsx, ndjson, or json as received (default: csv)')
    .option('--excel', 'CSV that Excel opens with a double click: a byte order mark, and ; between columns')
    .option('--keep', 'keep the counts in the ledger, without a person')
    .option('--history', 'show how the kept counts grew, without a call to the service')
    .option('--summary', 'a table of stories and questions: asked, answered, correct, share, attempts')
    .json('answers')
    .examples(`
  roster-sync answers --summary
  roster-sync answers --story "Fire safety" --group Sales -o fire-safety.csv --excel
  roster-sync answers --format ndjson | head
  roster-sync answers --keep --quiet             for cron: keep what was counted; answers --history shows it`)
    .does(async () => (await import('../commands/answers.ts')).fetchAnswers);

  program
    .command('progress')
    .description('Show who of a source’s last roster has answered a story, by group; names people only with --people.')
    .requiredOption('--story <story>', 'the story, by ID or name')
    .requiredOption('--source <name>', 'the source of the people')
    .option('--app <app>', 'the app of the story, by ID or name')
    .option('--min-cell <n>', 'groups of fewer people are hidden', '5')
    .option(
      '--people [status]',
      'a line for each person instead: answered, answered-wrongly, not-answered, not-yet-given',
    )
    .option('-o, --output <file>', 'write to FILE, completely or not at all; its ending sets the format')
    .option('--format <format>', 'csv, xlsx or json; csv, xlsx or ndjson with --people')
    .json('completion')
    .examples(`
  roster-sync progress --story "Fire safety" --source staff
  roster-sync progress --story 4711 --source staff -o progress.csv
  roster-sync progress --story 4711 --source staff --people not-answered -o reminders.csv`)
    .does(async () => (await import('../commands/progress.ts')).showProgress);

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
    .does(async () => (await import('../commands/completions.ts')).completerOf(program));
}
