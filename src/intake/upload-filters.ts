// The filters of an upload: those that are proposed, those in force, and the rows that they leave out.
import type { CheckFilter } from './check-view.ts';
import type { ColumnSurvey } from '../core/columns/column-survey.ts';
import { type Examined, type LeftOutRow, nameInRow } from '../core/inspect/census.ts';
import type { Mapping } from '../core/mapping/mapping.ts';
import type { ConditionRule } from '../core/mapping/mapping-rules.ts';
import { say } from '../core/words/say.ts';
import type { RosterFile } from '../roster/roster-file.ts';
import type { KeptUpload, OfferedFilter } from './kept-uploads.ts';
import { mappingOfUpload, resolveUpload, withUpload } from './open-upload.ts';
import { EndedContracts } from '../core/mapping/ended-contracts.ts';
import { type FilteredRow, type MappedRow, mapRow } from '../core/mapping/map-row.ts';
import { isReject, type Reject } from '../core/rows/row.ts';
import { createTurns } from '../roster/turns.ts';

/** The most values that a sentence names. */
const mostValues = 5;

export interface UploadFilter extends OfferedFilter {
  isOn: boolean;
}

export function filtersOf(upload: KeptUpload): UploadFilter[] {
  const { only = [], except = [] } = mappingOfUpload(upload);
  const inForce: OfferedFilter[] = [
    ...only.map((rule) => ({ kind: 'only' as const, rule: plain(rule) })),
    ...except.map((rule) => ({ kind: 'except' as const, rule: plain(rule) })),
  ];
  const keys = new Set(inForce.map(keyOf));
  const offered = new Set(upload.offered.map(keyOf));
  return [
    ...upload.offered.map((filter) => ({ ...filter, isOn: keys.has(keyOf(filter)) })),
    ...inForce.filter((filter) => !offered.has(keyOf(filter))).map((filter) => ({ ...filter, isOn: true })),
  ];
}

const plain = (rule: object): ConditionRule => JSON.parse(JSON.stringify(rule)) as ConditionRule;

/** Two filters are one if they say the same, whatever the order of their keys. */
function keyOf({ kind, rule }: OfferedFilter): string {
  return JSON.stringify([kind, Object.entries(rule).toSorted(([one], [other]) => (one < other ? -1 : 1))]);
}

/** Each filter as a sentence, with a few of those whom it leaves out. */
export function describeFilters(
  filters: readonly UploadFilter[],
  {
    mapping,
    examined,
    surveys,
  }: { mapping: Mapping | undefined; examined: Examined | undefined; surveys: readonly ColumnSurvey[] },
): CheckFilter[] {
  const next = { only: 0, except: 0 };
  return filters.map(({ kind, rule, isOn }) => {
    const condition = isOn && mapping ? mapping[kind][next[kind]] : undefined;
    if (isOn) next[kind] += 1;
    const said = condition && (kind === 'only' ? condition.otherwise : condition.words);
    const left = examined?.census.filtered.find(({ what }) => what === said)?.count;
    const names = (said !== undefined && examined?.leftOut.get(said)) || [];
    const about = leftOutWords(kind, rule, surveys) ?? said ?? wordsOf(kind, rule);
    return {
      words: left === undefined ? say('leaveOutRows', 1, { about }) : say('leaveOutPeople', left, { about }),
      isOn,
      names,
      further: Math.max(0, (left ?? 0) - names.length),
    };
  });
}

/** The values that a list of wanted ones leaves out, where they are few. */
function leftOutWords(
  kind: OfferedFilter['kind'],
  { column, in: wanted, ...others }: ConditionRule,
  surveys: readonly ColumnSurvey[],
): string | undefined {
  const survey = surveys.find(({ name }) => name === column);
  if (kind !== 'only' || !wanted || !survey?.values || Object.keys(others).length > 0) return undefined;
  const values = [...survey.values.keys(), ...(survey.filled < survey.rows ? [''] : [])];
  const left = values.filter((value) => !wanted.includes(value)).map((value) => value || 'empty');
  return left.length > 0 && left.length <= mostValues ? `${column} is ${left.join(' or ')}` : undefined;
}

/** What a filter that is not in force would leave out, in a few words. */
function wordsOf(kind: OfferedFilter['kind'], { column, in: values, is, past }: ConditionRule): string {
  const not = kind === 'only' ? 'not ' : '';
  if (values !== undefined) return `${column} is ${not}${values.join(' or ')}`;
  if (is !== undefined) return `${column} is ${(kind === 'only') === is ? 'no' : 'yes'}`;
  return past === undefined ? `${column} says so` : `${column} is ${not}in the past`;
}

/** In the order of the file, read up to there. Nobody where its mapping cannot be used. */
export async function listLeftOut(
  context: Parameters<typeof resolveUpload>[0],
  upload: KeptUpload,
  { from, limit }: { from: number; limit: number },
  signal?: AbortSignal,
): Promise<LeftOutRow[]> {
  const use = async (roster: RosterFile): Promise<LeftOutRow[]> => {
    const mapping = await resolveUpload(context, upload, roster, []);
    if (!mapping) return [];
    const found: LeftOutRow[] = [];
    let seen = 0;
    const take = (result: MappedRow | FilteredRow | Reject): boolean => {
      if (!('filtered' in result)) return false;
      seen += 1;
      if (seen <= from) return false;
      const { row, filtered: why } = result;
      const email = mapping.fields.email?.read(row.cells) ?? '';
      found.push({ name: nameInRow(mapping, row), email, why, file: row.file, line: row.line });
      return found.length === limit;
    };
    const turns = createTurns();
    const ended = new EndedContracts(mapping);
    for await (const batch of roster.batches()) {
      for (const row of batch) {
        if (turns.isOver()) await turns.next();
        const result = isReject(row) ? row : mapRow(row, mapping);
        if (!ended.waits(result) && take(result)) return found;
      }
    }
    ended.settle().some(take);
    return found;
  };
  return withUpload(upload, use, signal);
}
