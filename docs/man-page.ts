// Writes the man page from the help of the commands.
import type { Argument, Option } from 'commander';
import { everySetting } from '../config/generate.ts';
import { RosterCommand } from '../src/cli/roster-command.ts';

/**
 * The man page in roff, from the command line's own descriptions, arguments, options and examples.
 * It names neither a version nor a day, so that it changes only when the help does.
 * https://man7.org/linux/man-pages/man7/man-pages.7.html says which sections a page has.
 */
export function manPage(program: RosterCommand): string {
  const help = program.createHelp();
  const lines = [
    '.TH ROSTER\\-SYNC 1 "" "roster\\-sync" "roster\\-sync manual"',
    '.SH NAME',
    `roster\\-sync \\- ${firstLower(text(program.description()))}`,
    '.SH SYNOPSIS',
    '.B roster\\-sync',
    '.RI [ options ]',
    '.I command',
    '.RI [ arguments ]',
    '.SH DESCRIPTION',
    ...paragraph(program.description()),
    ...paragraph('Each command prints its flags and examples with --help.'),
    '.SH OPTIONS',
    ...help.visibleOptions(program).flatMap(option),
    '.SH COMMANDS',
    ...commandsOf(program, '').flatMap(([path, command]) => section(path, command)),
    ...foot(program.shownBelow),
    '.SH FILES',
    '.TP',
    '.B roster\\-sync.yaml',
    'The config file, in the folder where you start or the nearest above it.',
    '.TP',
    '.B .roster\\-sync',
    'The data directory, next to the config file.',
    '.SH ENVIRONMENT',
    ...environment.flatMap(([name, says]) => ['.TP', `.B ${text(name)}`, text(says)]),
  ];
  // A heading begins a paragraph by itself.
  const needed = lines.filter((line, at) => line !== '.PP' || !/^\.S[HS]/.test(lines[at - 1] ?? ''));
  return `${needed.join('\n')}\n`;
}

const environment: [name: string, says: string][] = [
  ['ROSTER_SYNC_CONFIG', 'The config file.'],
  ...everySetting.flatMap(({ variable, description }): [string, string][] =>
    variable ? [[variable, description]] : [],
  ),
];

/** Every command that the help shows and that has no commands of its own, by its words. */
function commandsOf(command: RosterCommand, before: string): [string, RosterCommand][] {
  const below = command
    .createHelp()
    .visibleCommands(command)
    .filter((each): each is RosterCommand => each instanceof RosterCommand && each.name() !== 'help');
  return below.flatMap((each) => {
    const path = `${before} ${each.name()}`.trim();
    return each.commands.length > 0 ? commandsOf(each, path) : [[path, each] as [string, RosterCommand]];
  });
}

function section(path: string, command: RosterCommand): string[] {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  return [
    `.SS ${text(path)}`,
    ...paragraph(command.description()),
    ...help.visibleArguments(command).flatMap(argument),
    ...options.flatMap(option),
    ...verbatim(command.shownBelow),
  ];
}

function argument(each: Argument): string[] {
  const name = each.required ? `<${each.name()}>` : `[${each.name()}]`;
  return ['.TP', `.I ${text(name)}`, text(each.description)];
}

function option({ flags, description, defaultValue }: Option): string[] {
  const isShown = typeof defaultValue === 'string' || typeof defaultValue === 'number';
  return ['.TP', `.B ${text(flags)}`, text(`${description}${isShown ? ` (default: ${defaultValue})` : ''}`)];
}

/** The examples of the program are followed by its exit codes. */
function foot(examples: string): string[] {
  const [shown = '', codes = ''] = examples.split(/^Exit codes:$/m);
  return ['.SH EXAMPLES', ...verbatim(shown), ...(codes === '' ? [] : ['.SH EXIT STATUS', ...verbatim(codes)])];
}

function paragraph(words: string): string[] {
  return words === '' ? [] : ['.PP', text(words)];
}

function verbatim(words: string): string[] {
  const lines = words
    .replace(/^\s*Examples:\n/, '')
    .trimEnd()
    .split('\n');
  if (lines.join('').trim() === '') return [];
  return ['.PP', '.nf', ...lines.map((line) => (line === '' ? '.sp' : text(line))), '.fi'];
}

function firstLower(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1).replace(/\.$/, '');
}

/** One line of words as roff takes it: a backslash, a dash and a dot or quote at its start mean something there. */
function text(words: string): string {
  return words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('’', '\\(cq')
    .replaceAll('…', '\\&...')
    .replace(/^([.'])/, '\\&$1');
}
