// Finds out, or asks, which sign separates several groups in one cell.
import type { ColumnSurvey } from '../../core/columns/column-survey.ts';
import { columnsNamed, columnsMeaning, listColumns } from '../../core/columns/columns.ts';
import { InputError } from '../../core/errors.ts';
import { effectiveRules, type MappingOptions, sureSigns } from '../../core/mapping/mapping-options.ts';
import { quote } from '../../core/text/format.ts';
import { severalIn } from '../../core/inspect/proposed.ts';
import type { RosterFile } from '../../roster/open-roster.ts';
import { surveyRoster } from '../../roster/roster-file.ts';
import { ask, isTerminal } from '../frame/ask.ts';
import type { Output } from '../frame/output.ts';

/** The number of rows that say whether a cell names several groups. */
const rowsLookedAt = 10_000;

const signs = [',', ';', '|', '/', '#'];

/** What `--group-split` says: one sign, `newline`, or `none`. Throws an `InputError` for anything else. */
export function readSplit(text: string): readonly string[] {
  if (text === 'none') return [];
  if (text === 'newline') return ['\n'];
  if (signs.includes(text)) return [text];
  throw new InputError(`--group-split ${quote(text)}: give one of ${signs.join(' ')} newline, or none.`);
}

/**
 * What separates several groups in the cells of the columns that flags name, or that are called groups: detected from
 * the first rows. Where it is unclear whether a cell names one group or several, a person is asked; without a terminal
 * it throws an `InputError` that names the flag. Undefined where that person wants to end it.
 * @param given groups that people were given before
 */
export async function settleSplits(
  roster: RosterFile,
  columns: MappingOptions,
  output: Output,
  given: readonly string[] = [],
): Promise<MappingOptions | undefined> {
  const names = columnsToSplit(roster.form.header, columns);
  if (names.length === 0 || columns.splits !== undefined) return columns;
  const surveys = await surveyOf(roster, names);
  const splits: Record<string, readonly string[]> = {};
  for (const { name, survey } of surveys) {
    const found = splitOf(survey, given);
    if (!found || sureSigns.includes(found.separator)) continue;
    if (found.isUnclear) {
      const isSeveral = await askWhether(roster.form.file, survey.name, found);
      if (isSeveral === undefined) return undefined;
      splits[name] = isSeveral ? [found.separator] : [];
      continue;
    }
    splits[name] = [found.separator, ...sureSigns];
    output.note(`${quote(survey.name)}: ${sentenceOf(found)}. --group-split none makes each cell one group.`);
  }
  return { ...columns, splits };
}

/** The same for `inspect`: unclear columns only give a remark. */
export function remarkOnSplits(
  header: readonly string[],
  columns: MappingOptions,
  surveys: readonly ColumnSurvey[],
): { splits: NonNullable<MappingOptions['splits']>; remarks: string[] } {
  const splits: Record<string, readonly string[]> = { ...columns.splits };
  const remarks: string[] = [];
  if (columns.splits !== undefined) return { splits, remarks };
  for (const name of columnsToSplit(header, columns)) {
    const [column] = columnsNamed(listColumns(header), name);
    const survey = surveys.find(({ index }) => index === column?.index);
    const found = survey && splitOf(survey);
    if (!found) continue;
    splits[name] = found.isUnclear ? [] : [found.separator];
    if (found.isUnclear) remarks.push(unclearSentence(name, found));
  }
  return { splits, remarks };
}

interface Split {
  separator: string;
  example: string;
  isUnclear: boolean;
}

function splitOf(survey: ColumnSurvey, given: readonly string[] = []): Split | undefined {
  const isList = columnsMeaning([survey], 'group').length > 0;
  const found = severalIn(survey, isList, new Set(given));
  return found.kind === 'one' ? undefined : { ...found, isUnclear: found.kind === 'unclear' };
}

/** The columns whose cells may name several groups: those of the flags, else those that are called groups. */
function columnsToSplit(header: readonly string[], columns: MappingOptions): string[] {
  if (columns.groupColumns.length > 0) return [...columns.groupColumns];
  if (columns.groups.length > 0 || (effectiveRules(columns).groups ?? []).length > 0) return [];
  return columnsMeaning(listColumns(header), 'group').map(({ name }) => name);
}

async function surveyOf(roster: RosterFile, names: string[]): Promise<{ name: string; survey: ColumnSurvey }[]> {
  const { surveys } = await surveyRoster(roster, undefined, rowsLookedAt);
  return names.flatMap((name) => {
    const [column, ...others] = columnsNamed(listColumns(roster.form.header), name);
    const survey = others.length === 0 ? surveys.find(({ index }) => index === column?.index) : undefined;
    return survey ? [{ name, survey }] : [];
  });
}

const signOf = (separator: string): string => (separator === '\n' ? 'a line break' : quote(separator));

const sentenceOf = ({ example, separator }: Split): string =>
  `a cell like ${quote(example)} names several groups, separated by ${signOf(separator)}`;

function unclearSentence(column: string, { example, separator }: Split): string {
  return (
    `${quote(column)}: is ${quote(example)} one group, or several separated by ${signOf(separator)}? ` +
    `Use --group-split none or --group-split "${separator}"`
  );
}

async function askWhether(file: string, column: string, split: Split): Promise<boolean | undefined> {
  if (!isTerminal()) throw new InputError(`${file}: ${unclearSentence(column, split)}. Nothing was sent.`);
  const question = `${quote(column)}: does ${quote(split.example)} name several groups, separated by ${signOf(split.separator)}?`;
  const reply = await ask(question);
  return reply === 'interrupted' ? undefined : reply === 'yes';
}
