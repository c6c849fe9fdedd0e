// Decides whether the cells of a column name one group or several.
import type { ColumnSurvey } from '../columns/column-survey.ts';

/** Whether cells of a column name one group each or several, and what stands between them. */
export type Several =
  | { kind: 'one' }
  /** `unclear`: only a person can say whether `example` is one group or several. */
  | { kind: 'list' | 'unclear'; separator: string; example: string };

/** Signs that occur in no name of a group. */
const sureSigns = [';', '|', '\n'];
/** Signs that may occur in the name of a group as well. */
const unsureSigns = ['#', ',', '/'];
/** The number of parts that must be alone in other cells, to be sure that they are groups of their own. */
const mostAlone = 0.8;
/** Up to this number of cells nobody is asked if there are too many different ones to compare. */
const fewCells = 0.02;

/**
 * Whether cells of a column name several groups. `;`, `|` and line breaks always stand between groups; `,`, `/` and `#` do
 * where what they part stands alone in other cells too. Where only some of it does, it is unclear.
 * @param isList the column's name says that it holds lists
 */
export function severalIn(survey: ColumnSurvey, isList = false): Several {
  for (const separator of sureSigns) {
    const example = survey.firstSeparated.get(separator);
    if (example !== undefined) return { kind: 'list', separator, example };
  }
  const judged = unsureSigns.map((separator) => judge(survey, separator, isList));
  return judged.find(({ kind }) => kind === 'list') ?? judged.find(({ kind }) => kind === 'unclear') ?? { kind: 'one' };
}

function judge(survey: ColumnSurvey, separator: string, isList: boolean): Several {
  const example = survey.firstSeparated.get(separator);
  const cells = survey.separated.get(separator) ?? 0;
  if (example === undefined) return { kind: 'one' };
  const isPath = separator === '/' && (cells * 2 > survey.filled || example.startsWith('/'));
  if (isPath) return { kind: 'one' };
  const parts = survey.parts.get(separator);
  if (isList && separator !== '/' && parts !== undefined && parts.size < cells * 2) {
    return { kind: 'list', separator, example };
  }
  const { values } = survey;
  if (!values) return cells < survey.filled * fewCells ? { kind: 'one' } : { kind: 'unclear', separator, example };
  const joint = [...values.keys()]
    .filter((value) => value.includes(separator))
    .map((value) => partsOf(value, separator));
  const all = joint.flat();
  const different = new Set(all);
  const alone = [...different].filter((part) => values.has(part));
  if (alone.length >= different.size * mostAlone) return { kind: 'list', separator, example };
  const isUnclear =
    separator === '/'
      ? joint.some((each) => alone.includes(each.at(-1) ?? ''))
      : alone.length > 0 || all.length > different.size;
  return isUnclear ? { kind: 'unclear', separator, example } : { kind: 'one' };
}

function partsOf(value: string, separator: string): string[] {
  return value
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
