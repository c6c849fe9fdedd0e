// `completions bash|zsh|fish` and the hidden `__complete`: what may come next on a command line that is being typed.
import type { Command, Option } from 'commander';
import { InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/format.ts';
import { createOutput, type Output } from '../frame/output.ts';
import { filesLine, scriptOf, shells } from '../shell/scripts.ts';
import { roles } from '../../core/access/roles.ts';
import { rosterFormats } from '../../core/rows/row.ts';
import { sentActions } from '../../core/run/run.ts';
import { guardNames } from '../../core/guards/guard-settings.ts';
import { scopes } from '../../core/secrets/token.ts';
import { completionStatuses } from '../../core/story/completion.ts';
import { planKinds } from '../../report/plan/plan-row.ts';
import { RosterOption } from '../roster-command.ts';

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

export interface Suggestion {
  word: string;
  says: string;
}

export interface Suggested {
  words: Suggestion[];
  files: boolean;
}

/** Looks up the names of the config's sources. `configFile` is what `--config` names. */
export type LookUp = (configFile: string | undefined) => Promise<string[]>;

interface Place {
  command: Command;
  operands: number;
  used: Set<Option>;
  option?: Option | undefined;
  isOnlyOperands: boolean;
  configFile?: string | undefined;
}

/** `words`: those after `roster-sync`, the last one being typed: it may be empty. */
export async function suggest(program: Command, words: readonly string[], lookUp: LookUp): Promise<Suggested> {
  const place = placeOf(program, words.slice(0, -1));
  const typed = words.at(-1) ?? '';
  const [flag, value] = splitFlag(typed);
  const assigned =
    value !== undefined && !place.option && !place.isOnlyOperands ? findOption(place.command, flag) : undefined;
  const option = assigned ?? place.option;
  const begun = assigned ? (value ?? '') : typed;
  if (option && (option.required || assigned || !typed.startsWith('-'))) {
    const found = await fill(optionValues(option), place, lookUp);
    if (option.required || assigned || found.words.length > 0) return beginning(found, begun);
  }
  if (typed.startsWith('-') && !place.isOnlyOperands) return beginning({ words: flagsOf(place), files: false }, typed);
  const { command, operands } = place;
  const below = operands === 0 ? command.createHelp().visibleCommands(command) : [];
  if (below.length > 0) {
    const commands = below.map((each) => ({ word: each.name(), says: each.description() }));
    return beginning({ words: commands, files: false }, typed);
  }
  // Nothing for an argument that the command does not have.
  const wanted = placeholders[command.registeredArguments[operands]?.name() ?? ''] ?? {};
  return beginning(await fill(wanted, place, lookUp), typed);
}

function splitFlag(word: string): [string, string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function placeOf(program: Command, words: readonly string[]): Place {
  const place: Place = { command: program, operands: 0, used: new Set(), isOnlyOperands: false };
  for (const word of words) {
    const waiting = place.option;
    place.option = undefined;
    if (waiting && (waiting.required || !word.startsWith('-'))) {
      if (waiting.long === '--config') place.configFile = word;
      continue;
    }
    if (place.isOnlyOperands || word === '-' || !word.startsWith('-')) enterWord(place, word);
    else if (word === '--') place.isOnlyOperands = true;
    else enterFlag(place, word);
  }
  return place;
}

function enterWord(place: Place, word: string): void {
  const below = place.operands === 0 ? place.command.commands.find((each) => each.name() === word) : undefined;
  if (below) place.command = below;
  else place.operands += 1;
}

function enterFlag(place: Place, word: string): void {
  const [flag, value] = splitFlag(word);
  const option = findOption(place.command, flag);
  if (!option) return;
  place.used.add(option);
  if (value === undefined && (option.required || option.optional)) place.option = option;
  if (value !== undefined && option.long === '--config') place.configFile = value;
}

function findOption(command: Command, flag: string): Option | undefined {
  return optionsOf(command).find(({ long, short }) => long === flag || short === flag);
}

function optionsOf(command: Command): readonly Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...(command.parent ? optionsOf(command.parent).filter(isGlobal) : [])];
}

const isGlobal = ({ long }: Option): boolean => long !== '--help' && long !== '--version';

/** The flags that may still be given; one that may be repeated always. */
function flagsOf({ command, used }: Place): Suggestion[] {
  const usedNames = new Set(
    [...used].filter(({ defaultValue }) => typeof defaultValue !== 'object').map(({ long }) => long),
  );
  return optionsOf(command)
    .filter(({ long }) => !usedNames.has(long))
    .map(({ long, short, description }) => ({ word: long ?? short ?? '', says: description }));
}

async function fill(wanted: Wanted, { configFile }: Place, lookUp: LookUp): Promise<Suggested> {
  const { choices = [], files = false, sources: before } = wanted;
  const words: Suggestion[] = choices.map((word) => ({ word, says: '' }));
  const sources = before === undefined ? [] : await lookUp(configFile);
  words.push(...sources.map((name) => ({ word: `${before}${name}`, says: 'a source of the config' })));
  return { words, files };
}

/** Those that begin as what was typed, each once, without any that could not be typed on one line. */
function beginning({ words, files }: Suggested, typed: string): Suggested {
  const seen = new Set<string>();
  const fitting = words.filter(({ word }) => {
    const isNew = word.startsWith(typed) && !/\p{C}/u.test(word) && !seen.has(word);
    seen.add(word);
    return isNew;
  });
  return { words: fitting, files };
}

interface Wanted {
  choices?: readonly string[];
  files?: boolean;
  /** Sources of the config, with this before their names. */
  sources?: string;
}

/** By what stands between `<` and `>`, wherever it does. */
const placeholders: Record<string, Wanted> = {
  file: { files: true },
  'file|source': { files: true, sources: '' },
  source: { sources: '' },
  run: { choices: ['latest'] },
  role: { choices: roles },
  shell: { choices: shells },
};

/** By what the values of a flag are. */
const values: Readonly<Record<NonNullable<RosterOption['of']>, Wanted>> = {
  actions: { choices: sentActions },
  answerFormats: { choices: ['csv', 'ndjson', 'json'] },
  completion: { choices: completionStatuses },
  formats: { choices: rosterFormats },
  guards: { choices: guardNames },
  kinds: { choices: planKinds },
  roles: { choices: roles },
  scopes: { choices: scopes, sources: 'scim:' },
  sources: { sources: '' },
  splits: { choices: ['none', 'newline'] },
};

function optionValues(option: Option): Wanted {
  if (option instanceof RosterOption && option.of !== undefined) return values[option.of];
  const [, placeholder = ''] = /[<[]([^<[>\]]+)[>\]]/.exec(option.flags) ?? [];
  return placeholders[placeholder] ?? {};
}
