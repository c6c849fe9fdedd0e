// Reads one field of a row from a column, several columns, or a template.
import type * as Phone from 'libphonenumber-js/max';
import { createRequire } from 'node:module';
import { isDamaged } from '../cells/placeholders.ts';
import { cleanCell, nameBeside } from '../cells/read-cell.ts';
import { hasTwoLastNames, isJapanese, isLastNameFirst, type Column, type Field } from '../columns/columns.ts';
import { defined } from '../defined.ts';
import type { ColumnFinder } from './column-finder.ts';
import { asList, type FieldRule, type MemberRules, parseTemplate } from './mapping-rules.ts';
import { isGuessed, splitName, withComma, withoutRemark } from './names.ts';
import { quote } from '../text/format.ts';
import { say } from '../words/say.ts';

/** The most columns of one template. */
const mostOfTemplate = 50;

export interface FieldSource {
  /** The columns that it reads, the one to blame first. */
  columns: Column[];
  read(cells: readonly string[]): string;
  /** How it was found: `named`, or `by its name`. */
  why: 'named' | 'by its name';
  /** For showing: `Name`, `{Prefix} {Last}`. */
  words: string;
}

export function fieldOfColumn(column: Column, why: FieldSource['why']): FieldSource {
  const { index, name } = column;
  return { columns: [column], read: (cells) => cleanCell(cells[index] ?? ''), why, words: name };
}

/**
 * Prepares what a rule names; undefined if its columns are not there, which the finder's problems say. A strict
 * template with an empty part is empty. Where several columns or a template make the field, `isNone` tells the cells that
 * stand for no value and so count as empty.
 */
export function compileField(
  rule: FieldRule,
  finder: ColumnFinder,
  asker: string,
  { isStrict = false, isNone = () => false }: { isStrict?: boolean; isNone?: (cell: string) => boolean } = {},
): FieldSource | undefined {
  if (typeof rule === 'object' && rule.template !== undefined) {
    const template = compileTemplate(rule.template, finder, asker, isNone);
    const { columns } = template;
    const whole = (cells: readonly string[]): string =>
      isStrict ? (template.read(cells) ?? '') : template.readLoosely(cells);
    const read = (cells: readonly string[]): string => textsIn(cells, columns).find(isDamaged) ?? whole(cells);
    return columns.length > 0 ? { columns, read, why: 'named', words: rule.template } : undefined;
  }
  const names = typeof rule === 'string' ? [rule] : [...asList(rule.column), ...asList(rule.columns)];
  const columns = names.flatMap((name) => finder.one(name, asker) ?? []);
  const [first] = columns;
  if (!first) return undefined;
  if (columns.length === 1) return fieldOfColumn(first, 'named');
  return {
    columns,
    read: (cells) => {
      const texts = textsIn(cells, columns);
      return texts.find((text) => isDamaged(text) || !isNone(text)) ?? texts[0] ?? '';
    },
    why: 'named',
    words: columns.map(({ name }) => name).join(', else '),
  };
}

/** What these columns have in a row. A damaged cell decides: nobody knows whether another one would have counted. */
const textsIn = (cells: readonly string[], columns: readonly Column[]): string[] =>
  columns.map(({ index }) => cleanCell(cells[index] ?? '')).filter((text) => text !== '');

export type FullName = NonNullable<ReturnType<typeof compileFullName>>;

export function compileFullName(
  { column: name, form }: NonNullable<MemberRules['fullname']>,
  finder: ColumnFinder,
  asker: string,
) {
  const column = finder.one(name, asker);
  if (!column) return undefined;
  const order = form ?? (isLastNameFirst(column) ? 'Last First' : 'First Last');
  const split = (cells: readonly string[]): ReturnType<typeof splitName> => {
    const { name, remark } = withoutRemark(nameBeside(cleanCell(cells[column.index] ?? '')));
    const text = form === undefined && !name.includes(',') ? withComma(name) : name;
    if (text === '') return { reason: say('empty-fullname', 1) };
    if (form === undefined && hasTwoLastNames(column) && !text.includes(',') && text.split(/\s+/).length > 2) {
      return { reason: say('twoLastNames', 1, { name: quote(text) }) };
    }
    const isPlain = form === undefined && !text.includes(',');
    const parts = splitName(text, form ?? (isPlain ? order : 'Last, First'), isJapanese(column));
    if ('reason' in parts) return parts;
    return { ...parts, isGuess: isPlain && isGuessed(parts), ...defined({ remark }) };
  };
  // How names are written in it, where that was said; `order` for a cell without a comma, where it was not.
  return { column, split, order, ...defined({ form }) };
}

const load = createRequire(import.meta.url);

/** A telephone's text made E.164; undefined if it is no number of any country. What knows them is loaded when asked for. */
export function numberReader(rule: FieldRule | false | undefined): ((text: string) => string | undefined) | undefined {
  const country = typeof rule === 'object' ? rule.country : undefined;
  if (country === undefined) return undefined;
  const { parsePhoneNumberFromString } = load('libphonenumber-js/max') as typeof Phone;
  return (text) => {
    const found = parsePhoneNumberFromString(text, country as Phone.CountryCode);
    return found?.isValid() ? found.number : undefined;
  };
}

export const fieldWords: Record<Field | 'fullname', string> = {
  firstname: 'first name',
  lastname: 'last name',
  email: 'e-mail',
  telephone: 'telephone',
  fullname: 'full name',
};

/** What is not there goes to the finder's problems. A cell that stands for no value (`isNone`) counts as empty. */
export function compileTemplate(
  template: string,
  finder: ColumnFinder,
  asker: string,
  isNone: (cell: string) => boolean,
) {
  const parts = parseTemplate(template).map((part) => {
    if ('text' in part) return part;
    return { column: finder.one(part.column, asker) };
  });
  const columns = parts.flatMap((part) => ('column' in part && part.column ? [part.column] : []));
  if (columns.length === 0 && !parts.some((part) => 'column' in part)) {
    finder.problems.push(`the template "${template}" has no {Column} in it.`);
  }
  if (columns.length > mostOfTemplate) {
    finder.problems.push(`a template has ${columns.length} columns; at most ${mostOfTemplate} make a text.`);
  }
  const cellOf = (cells: readonly string[], column: Column | undefined): string => {
    const cell = column ? cleanCell(cells[column.index] ?? '') : '';
    return isNone(cell) ? '' : cell;
  };
  return {
    columns,
    /** The text for a row; undefined if one of its columns is empty. */
    read: (cells: readonly string[]): string | undefined => {
      let text = '';
      for (const part of parts) {
        const piece = 'text' in part ? part.text : cellOf(cells, part.column);
        if (piece === '') return undefined;
        text += piece;
      }
      return cleanCell(text);
    },
    /** The text for a row, in which an empty column leaves no double space. */
    readLoosely: (cells: readonly string[]): string => {
      if (columns.every((column) => cellOf(cells, column) === '')) return '';
      const text = parts.map((part) => ('text' in part ? part.text : cellOf(cells, part.column))).join('');
      return cleanCell(text).replace(/ {2,}/g, ' ');
    },
  };
}
