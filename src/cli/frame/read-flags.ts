// Reads flags that several commands have, above all how a file is written: encoding, delimiter, sheet, header.
import { extname } from 'node:path';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { type RosterForm, type RosterFormat, rosterFormats } from '../../core/rows/row.ts';
import { flagOf } from '../../report/terminal/commands.ts';
import type { OpenOptions } from '../../roster/open-roster.ts';
import { escapeText } from '../../core/text/format.ts';
import type { Flags } from '../options.ts';

/** Throws an `InputError` for a format that is none, and for a line that is no number. */
export function readOptions({ format, headerLine, allSheets, ...texts }: ReadFlags): OpenOptions {
  const { encoding, delimiter, sheet, records } = texts;
  const known = rosterFormats.find((one) => one === format);
  if (format !== undefined && !known) {
    throw new InputError(`--format ${format}: give one of ${rosterFormats.join(', ')}.`);
  }
  if (allSheets && texts.sheet !== undefined) {
    throw new InputError('--sheet names one sheet, and --all-sheets means all: leave one of them out.');
  }
  if (headerLine !== undefined && !/^[1-9]\d{0,6}$/.test(headerLine)) {
    throw new InputError(`--header-line ${headerLine}: give the number of the line, from 1.`);
  }
  return {
    ...defined({ format: known, encoding, delimiter }),
    ...(headerLine !== undefined && { headerLine: Number(headerLine) }),
    ...defined({ sheet }),
    ...(allSheets && { allSheets }),
    ...defined({ records }),
  };
}

/** Which of the flags each format uses, in addition to its own name. */
const heeded = {
  csv: ['encoding', 'delimiter', 'headerLine'],
  html: ['encoding', 'headerLine', 'sheet', 'allSheets'],
  json: ['encoding', 'records'],
  ndjson: ['encoding'],
  xlsx: ['headerLine', 'sheet', 'allSheets', 'passwordFile'],
  ods: ['headerLine', 'sheet', 'allSheets'],
  xls: ['headerLine', 'sheet', 'allSheets'],
  bundle: ['encoding', 'delimiter', 'passwordFile'],
} as const satisfies Record<RosterFormat, readonly (keyof Flags<'inspect'>)[]>;

const names = ['format', ...new Set(Object.values(heeded).flat())] as const;

/** The flags that say how a roster is written, if it is not to be detected. */
export type ReadFlags = Pick<Flags<'inspect'>, (typeof names)[number]>;

export function readFlagsGiven(flags: ReadFlags, except: readonly (keyof ReadFlags)[] = []): string[] {
  return flagsGiven(
    flags,
    names.filter((name) => !except.includes(name)),
  );
}

/** Which of these flags somebody gave: not those that are switched off, or lists of nothing. */
export function flagsGiven<Options extends object>(
  options: Options,
  names: readonly (keyof Options & string)[],
): string[] {
  const given = names.filter((name) => {
    const value: unknown = options[name];
    return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : (value ?? false) !== false;
  });
  return given.map(flagOf);
}

/** @throws InputError where one of the texts is empty: it would narrow nothing */
export function refuseEmpty(options: Readonly<Record<string, string | readonly string[] | undefined>>): void {
  for (const [name, value] of Object.entries(options))
    if ([value].flat().some((text) => text?.trim() === ''))
      throw new InputError(`${flagOf(name)}: it must not be empty.`);
}

/** A remark on flags that say nothing about a roster of its format; undefined if there are none. */
export function remarkOnReadFlags(flags: ReadFlags, { file, format }: RosterForm): string | undefined {
  const vain = readFlagsGiven(flags, ['format', ...heeded[format]]);
  return vain.length > 0 ? `${file} is read as ${format}, which ignores ${vain.join(', ')}.` : undefined;
}

/** A remark on flags that say nothing about a source, since its settings do; undefined if there are none. */
export function remarkOnSourceFlags(source: string, flags: readonly string[]): string | undefined {
  if (flags.length === 0) return undefined;
  return `${source} is a source of the config: its settings apply, not ${flags.join(', ')}.`;
}

/** Throws an InputError for anything else. */
export function readPort(given: string): number {
  const port = Number(given);
  if (!/^\d+$/.test(given) || port > 65_535) throw new InputError(`--port ${given}: write a port from 0 to 65535.`);
  return port;
}

/** Undefined if neither is given. Throws an `InputError` for anything else. */
export function outputFormat<Format extends string>(
  formats: readonly Format[],
  format: string | undefined,
  output: string | undefined,
): Format | undefined {
  const ending = output === undefined ? '' : extname(output).slice(1).toLowerCase();
  const found = formats.find((one) => one === (format ?? ending));
  if (found === 'xlsx' && output === undefined)
    throw new InputError('--format xlsx: a workbook is no text; name a file with -o.');
  if (found !== undefined) return found;
  const all = formats.join(', ');
  if (format !== undefined) throw new InputError(`--format ${escapeText(format)}: write one of ${all}.`);
  if (output === undefined) return undefined;
  throw new InputError(`-o ${escapeText(output)}: its ending names no format; add --format with one of ${all}.`);
}
