// Declares the arguments and flags that several commands share.
import { Command, CommanderError, Help, InvalidArgumentError, type Option } from 'commander';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import type { DocumentName } from '../../acts/shapes/documents.ts';
import type { ProgramParts } from '../frame/session.ts';

/** An empty one is refused: mostly a variable that is not set, and a filter of nothing lets everybody through. */
export const collect = (value: string, before: string[]): string[] => {
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
  if (code.trim() === '' || name.join('').trim() === '')
    throw new InvalidArgumentError('Write CODE=NAME, such as 100=Sales.');
  return { ...before, [code.trim()]: name.join('=').trim() };
}

export const shared = {
  run: ['<run>', 'its id, the beginning of it, or latest'],
  report: ['--report <file>', 'write a line per person and group to FILE (.csv, .xlsx, .json, or .html for a page)'],
  planReport: [
    '--report <file>',
    'write a line per person and group to FILE (.csv, .xlsx, .json, .html); with --dry-run, who would get what and why',
  ],
  excel: ['--excel', 'CSV that Excel opens with a double click: a byte order mark, and ; between columns'],
  rate: [
    '--rate <rate>',
    'the highest rate of calls: 200 is 200 a second, 300/1m is 300 a minute; only lowers the configured rate',
  ],
  concurrency: ['--concurrency <n>', 'the most calls in flight at one time'],
} as const;

/** An error as mails of cron and journals may have it. */
function withoutWords(error: unknown): unknown {
  if (!(error instanceof InputError) || error.withoutWords === error.message) return error;
  return new InputError(`${error.withoutWords} To see words of the roster here, add --verbose.`, {
    cause: error,
    next: error.next,
  });
}

/** What a command does: gets its arguments, undefined where one is left out, and all flags; returns the exit code. */
type Deed = (...given: never[]) => Promise<number>;

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

  fileOptions(): this {
    return this.optionsGroup('Groups:')
      .option('--group <name>', 'a group for everybody; may be repeated', collect, [])
      .option('--group-column <column>', 'a column that names groups; may be repeated', collect, [])
      .option(
        '--group-split <sign>',
        'what separates several groups in a cell: , ; | / # newline, or none (default: detected; asks if unclear)',
      )
      .groupMatrix()
      .option(
        '--map-group <code=name>',
        'what a group of the file is called at the service, such as 100=Sales; may be repeated',
        collectGroup,
        {},
      )
      .option('--map-group-file <file>', 'the same for many: a table whose first two columns are code and name')
      .optionsGroup('Columns and rows:')
      .option(
        '--map <field=column>',
        `which column is ${fields.join(', ')}, or a text with {Column} in it; may be repeated`,
        collectColumn,
        {},
      )
      .option(
        '--allow-value <text>',
        'a text that looks like no value, such as NULL, and is a real name or group; may be repeated',
        collect,
        [],
      )
      .option(
        '--encoding <label>',
        'how the file is encoded: utf-8, utf-16le, windows-1250, iso-8859-2 … (default: detected)',
      )
      .option('--delimiter <character>', 'what separates its columns: , ; | or tab (default: detected)')
      .option(
        '--format <format>',
        'its format: csv, xlsx, ods, xls, html, json, ndjson, or bundle for a folder of files (default: detected)',
      )
      .option('--header-line <n>', 'the line, or row of a sheet, with the names of the columns')
      .option('--sheet <name>', 'the sheet of a workbook (default: the one whose header names a person)')
      .option('--all-sheets', 'all sheets of a workbook that have the same columns, with the column _sheet')
      .option('--records <pointer>', 'where in JSON the people are, such as /data/people')
      .option('--password-file <file>', 'a file with the password of a workbook that is locked')
      .optionsGroup('');
  }

  groupMatrix(): this {
    return this.option(
      '--group-matrix <columns>',
      'columns that stand for one group each, marked with x, 1, yes …: "C:F", or names with commas between; may be repeated',
      collect,
      [],
    );
  }

  deliverySwitches(): this {
    return this.optionsGroup('How people are sent:')
      .option('--force-sync', 'let the service take people out of groups they were put in by hand')
      .option('--no-force-sync', 'do not let it, whatever the config says')
      .option('--invite', 'let the service invite people it does not know')
      .option('--no-invite', 'add these people without an invitation')
      .option(...shared.rate);
  }

  peopleOptions(): this {
    return this.optionsGroup('Who is sent:')
      .option(
        '--only-active',
        'leave out people who have left, are blocked or have not started, by the columns that say so',
      )
      .option(
        '--everybody',
        'send these people too; without either flag you are asked, or the run is held if there is no terminal',
      )
      .option('--all', 'send unchanged people too')
      .option('--only <email>', 'only this person; may be repeated', collect, [])
      .option('--as-of <time>', 'the time the roster is from, such as 2026-01-31 or 2026-01-31T06:00Z')
      .optionsGroup('');
  }

  planPeopleOptions(where: string): this {
    return this.optionsGroup('A file of the people:')
      .option(
        '--kind <kinds>',
        `in ${where}, only these kinds: new, changed, again, unchanged, later, departed, reject`,
        collect,
        [],
      )
      .option('--guard <name>', 'in that file, only people whom this guard holds')
      .option('--unchanged', 'in that file, unchanged people too')
      .option('--excel', 'CSV that Excel opens with a double click: a byte order mark, and ; between columns')
      .optionsGroup('');
  }

  /** How many people may be invited without an approval. */
  invitationBound(): this {
    return this.option('--max-invitations <n>', 'hold the run if it may invite more people than this, even with --yes');
  }

  /** How what is planned or approved is sent, and by whom. */
  releaseOptions(): this {
    return this.optionsGroup('How people are sent:')
      .option('--no-canary', 'send all at once; otherwise a run of 50 calls or more starts with a few people')
      .option('--no-worker', 'let workers elsewhere deliver, and wait for them')
      .option('--no-wait', 'do not wait for the end; the workers deliver')
      .optionsGroup('');
  }

  /** Examples below the help, and what else is to be said there; begins with a line end. */
  examples(text: string): this {
    this.shownBelow = text;
    return this.addHelpText('after', `\nExamples:${text}`);
  }

  /** Registers what it does, which is loaded once it is called. */
  does(load: () => Promise<Deed>): this {
    return this.action(async (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      const options = { ...command.optsWithGlobals(), ...defined({ parts: this.#parts }) };
      const deed = await load();
      process.exitCode = await deed(...([...given.slice(0, -2), options] as never[])).catch(async (error: unknown) => {
        const { mayNamePeople } = await import('../frame/ask.ts');
        const isLook = this.document === 'plan' || this.document === 'inspect' || this.document === 'init';
        throw isLook || mayNamePeople(command.optsWithGlobals()) ? error : withoutWords(error);
      });
    });
  }
}
