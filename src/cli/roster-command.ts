// A command of the command line: its flags, what `--json` prints, and how its code is called.
import { Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander';
import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import type { DocumentName } from '../acts/shapes/documents.ts';
import type { Flag, Flags, Shared } from '../data/schemas.ts';
import type { ProgramParts } from './frame/session.ts';

/** An empty one is refused: mostly a variable that is not set, and a filter of nothing lets everybody through. */
const collect = (value: string, before: string[]): string[] => {
  if (value.trim() === '') throw new InvalidArgumentError('It is empty. Name something, or leave the flag out.');
  return [...before, value];
};

const fields = ['firstname', 'lastname', 'fullname', 'email', 'telephone'];

function collectColumn(value: string, before: Record<string, string>): Record<string, string> {
  const [field = '', ...column] = value.split('=');
  if (!fields.includes(field) || column.length === 0) {
    throw new CommanderError(
      2,
      'map',
      `error: --map ${value}: write FIELD=COLUMN, where FIELD is one of ${fields.join(', ')}`,
    );
  }
  return { ...before, [field]: column.join('=') };
}

/** `100=Sales`; a name may have a = in it, a code may not. */
function collectGroup(value: string, before: Record<string, string>): Record<string, string> {
  const [code = '', ...name] = value.split('=');
  if (code.trim() === '' || name.length === 0)
    throw new InvalidArgumentError('Write CODE=NAME, such as 100=Sales, or CODE= to leave the group out.');
  return { ...before, [code.trim()]: name.join('=').trim() };
}

const pairs = { columns: collectColumn, groups: collectGroup };

/** A flag, and what its values are. */
export class RosterOption extends Option {
  of: Flag['of'];
}

function optionOf(flags: string, declared: string | Flag, heading: string): RosterOption {
  const flag: Flag = typeof declared === 'string' ? { says: declared } : declared;
  const option = new RosterOption(flags, flag.says).default(flag.default).makeOptionMandatory(flag.isRequired ?? false);
  option.of = flag.of;
  if (heading !== '') option.helpGroup(heading);
  if (flag.as === 'list') option.default([]).argParser(collect);
  else if (flag.as !== undefined) option.default({}).argParser(pairs[flag.as]);
  return option;
}

/** An error as mails of cron and journals may have it. */
function withoutWords(error: unknown): unknown {
  if (!(error instanceof InputError) || error.withoutWords === error.message) return error;
  return new InputError(`${error.withoutWords} To see words of the roster here, add --verbose.`, {
    cause: error,
    next: error.next,
  });
}

/** What a command does: gets its arguments, undefined where one is left out, and all flags; returns the exit code. */
export type Handler = (...given: never[]) => Promise<number>;

class RosterHelp extends Help {
  override optionDescription(option: Option): string {
    return typeof option.defaultValue === 'object' ? option.description : super.optionDescription(option);
  }
}

export class RosterCommand extends Command {
  readonly #parts: ProgramParts | undefined;
  /** What `--json` prints: the name of a schema in `docs/schemas`; undefined if the command has no `--json`. */
  document: DocumentName | undefined;
  shownBelow = '';

  /** @param parts what else a command works with than the product's own */
  constructor(name?: string, parts?: ProgramParts) {
    super(name);
    this.#parts = parts;
  }

  override createCommand(name?: string): RosterCommand {
    return new RosterCommand(name, this.#parts);
  }

  override createHelp(): Help {
    return new RosterHelp();
  }

  /** `--json`, which prints this document. */
  json(document: DocumentName): this {
    this.document = document;
    return this.option('--json', 'one JSON document on standard output');
  }

  /** Adds flags, in their order; those of `shared` by name, under the heading there. */
  takes(flags: Flags, shared: Shared, heading = ''): this {
    for (const each of flags) {
      if (typeof each === 'string') {
        const { options = [], heading: own = heading } = shared[each] ?? {};
        this.takes(options, shared, own);
      } else for (const [name, flag] of Object.entries(each)) this.addOption(optionOf(name, flag, heading));
    }
    return this;
  }

  /** Examples below the help, and what else is to be said there; begins with a line end. */
  examples(text: string): this {
    this.shownBelow = text;
    return this.addHelpText('after', `\nExamples:${text}`);
  }

  /** Registers what it does, which is loaded once it is called. */
  does(load: () => Promise<Handler>): this {
    return this.action(async (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      const options = { ...command.optsWithGlobals(), ...defined({ parts: this.#parts }) };
      const handler = await load();
      process.exitCode = await handler(...([...given.slice(0, -2), options] as never[])).catch(
        async (error: unknown) => {
          const { mayNamePeople } = await import('./frame/ask.ts');
          const isLook = this.document === 'plan' || this.document === 'inspect' || this.document === 'init';
          throw isLook || mayNamePeople(command.optsWithGlobals()) ? error : withoutWords(error);
        },
      );
    });
  }
}
