// `completions bash|zsh|fish` and the hidden `__complete`: completion in shells.
import type { Command } from 'commander';
import { InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/format.ts';
import { createOutput, type Output } from '../frame/output.ts';
import { filesLine, scriptOf, shells } from '../shell/scripts.ts';
import { suggest } from '../shell/suggest.ts';

export async function printShellScript(named: string): Promise<number> {
  const shell = shells.find((each) => each === named);
  if (!shell)
    throw new InputError(`There is no completion for ${escapeText(named)}: name one of ${shells.join(', ')}.`);
  plainOutput().print(scriptOf(shell).trimEnd());
  return 0;
}

/** `roster-sync __complete -- WORDS`: a line for each word that may come next, with what it is behind a tab. Always returns 0. */
export const completerOf = (program: Command) => async (words: readonly string[]) => {
  const output = plainOutput();
  const { words: found, files } = await suggest(program, words, namesOfSources);
  for (const { word, says } of found) output.print(`${word}\t${escapeText(says)}`);
  if (files) output.print(filesLine);
  return 0;
};

/** The names of the config's sources, looked up silently and without changing anything; none where settings are wrong. */
async function namesOfSources(configFile: string | undefined): Promise<string[]> {
  const { loadConfig } = await import('../../../config/load.ts');
  try {
    return Object.keys(loadConfig({ configFile, onlyLedger: true }).sources);
  } catch {
    return [];
  }
}

/** Without the session of other commands, which takes longer to load than a person waits for a word. */
function plainOutput(): Output {
  const { stdout, stderr } = process;
  return createOutput({ stdout, stderr, json: false, quiet: false, color: false });
}
