// Whether a command that is shown to a reader exists, with its flags.
import { leafCommands } from '../../docs/generate.ts';

const commands = new Map(leafCommands());
/** Before a command or after it, for every one. */
const everywhere = ['--config', '--quiet', '--verbose', '--help', '--version'];

/** What is wrong with the words after `roster-sync`; undefined when nothing is. */
export function problemOf(words: readonly string[]): string | undefined {
  const plain = words.filter((word) => !everywhere.includes(word));
  // `roster-sync COMMAND --help`
  if (!/^[a-z]/.test(plain[0] ?? '')) return undefined;
  const command = commands.get(plain.slice(0, 2).join(' ')) ?? commands.get(plain[0] ?? '');
  if (command === undefined)
    return plain.length === 1 && [...commands.keys()].some((name) => name.startsWith(`${plain[0]} `))
      ? undefined
      : 'there is no such command';
  const known = command.options.flatMap(({ long }) => long ?? []);
  const flags = plain.filter((word) => word.startsWith('--')).map((word) => word.replace(/=.*/, ''));
  const unknown = flags.find((flag) => !known.includes(flag));
  return unknown === undefined ? undefined : `there is no flag ${unknown}`;
}
