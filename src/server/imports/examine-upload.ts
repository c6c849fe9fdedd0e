// Examines a kept upload: what the file holds, and what its mapping makes of it.
import { defined } from '../../core/defined.ts';
import type { CheckProblem, CheckView, ReadingGiven } from '../../page/check-view.ts';
import { EncodingQuestion, InputError, SheetQuestion, saySheet } from '../../core/errors.ts';
import type { ColumnSurvey } from '../../core/columns/column-survey.ts';
import { type Examined, Examiner } from '../../core/inspect/examiner.ts';
import { likeGroups } from '../../core/inspect/like-groups.ts';
import { commonDomain } from '../../core/mapping/addresses-seen.ts';
import { type Mapping, resolveColumns } from '../../core/mapping/mapping.ts';
import { asList, type MappingRules } from '../../core/mapping/mapping-rules.ts';
import { loadTools } from '../../core/mapping/tools.ts';
import { surveyRoster } from '../../roster/survey-roster.ts';
import type { RosterFile } from '../../roster/open-roster.ts';
import type { DeliveryContext } from '../../wiring/context.ts';
import { describeColumns } from './describe-columns.ts';
import { describeFilters, filtersOf } from './describe-filters.ts';
import type { KeptUpload } from './kept-uploads.ts';
import { columnsOfUpload, mappingOfUpload, openUpload } from './open-upload.ts';
import { proposeMapping } from './propose-mapping.ts';
import { readingsOf } from './readings.ts';

export interface ExaminedUpload {
  view: CheckView;
  /** The upload, with the mapping that was proposed if nobody had given one. */
  upload: KeptUpload;
  header: readonly string[];
}

export async function examineUpload(context: DeliveryContext, upload: KeptUpload): Promise<ExaminedUpload> {
  const nothing = emptyView(context, upload);
  let roster: RosterFile;
  try {
    roster = await openUpload(upload);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { view: { ...nothing, ...unread(error) }, upload, header: [] };
  }
  try {
    return await examine(context, upload, roster, nothing);
  } finally {
    await roster.close();
  }
}

async function examine(
  context: DeliveryContext,
  upload: KeptUpload,
  roster: RosterFile,
  nothing: CheckView,
): Promise<ExaminedUpload> {
  const { header } = roster.form;
  const { surveys, rows } = await surveyRoster(roster);
  const proposed = proposeMapping(header, surveys, commonDomain(Object.values(context.config.sources)));
  const known = settled(upload, proposed);
  const { read: _, deliver, everybody: _everybody, ...rules } = mappingOfUpload(known);
  const problems = lacking(rules);
  const mapping = problems.length > 0 ? undefined : await resolveUpload(context, known, roster, problems);
  const examined = mapping && (await readRows(roster, mapping));
  const census = examined?.census;
  const groups = (census?.groups ?? []).map((each) => ({ ...each, from: originOf(each.group, rules, surveys) }));
  const like = likeGroups(census?.groups ?? []).filter(({ group }) => !upload.meantGroups.includes(group));
  const { notes, encoding, delimiter, headerLine, format, part } = roster.form;
  const filters = filtersOf(known);
  const names = examined?.names ?? [];
  const view: CheckView = {
    ...nothing,
    rows,
    problems: [...nothing.problems, ...problems],
    read: { format, encoding, delimiter, headerLine, ...defined({ part }) },
    names,
    readings: await readingsOf(known, { names, format }),
    columns: describeColumns(surveys, { rules, filters: filters.map(({ rule }) => rule), proposed, rows }),
    groups,
    always: alwaysOf(rules),
    like,
    filters: describeFilters(filters, { mapping, examined, surveys }),
    ...laterOf(rules, examined),
    invite: deliver?.invite ?? context.config.delivery.invite,
    forceSync: deliver?.forceSync ?? context.config.delivery.forceSync,
    ...(census && {
      sum: {
        rows: census.rows,
        leftOut: total(census.filtered),
        twice: census.merged,
        rejected: total(census.rejects),
        people: census.members,
      },
    }),
    ...defined({ origin: upload.origin }),
    readNotes: notes,
    rowNotes: mapping?.remarks.list() ?? [],
  };
  return { view, upload: known, header };
}

/** What is proposed takes the place of what nobody said. */
function settled(upload: KeptUpload, { mapping, offered }: ReturnType<typeof proposeMapping>): KeptUpload {
  const { members, groups } = upload.mapping ?? {};
  if (members !== undefined || groups !== undefined) return upload;
  return { ...upload, mapping: { ...mapping, ...upload.mapping }, offered };
}

function lacking({ members = {} }: MappingRules): CheckProblem[] {
  const { firstname, lastname, fullname, email } = members;
  const said: string[] = [];
  if (!fullname && !firstname) said.push('Which column is the first name? Nobody can be sent without.');
  if (!fullname && !lastname) said.push('Which column is the last name? Nobody can be sent without.');
  if (!email) said.push('Which column is the e-mail? Nobody can be sent without.');
  return said.map((message) => ({ message, field: 'columns' }));
}

/** The mapping of an upload for its columns; undefined, with what is wrong added to the problems, where it cannot be used. */
export async function resolveUpload(
  { ledger, service }: DeliveryContext,
  upload: KeptUpload,
  roster: RosterFile,
  problems: CheckProblem[],
): Promise<Mapping | undefined> {
  const columns = columnsOfUpload(upload);
  const { rules = {} } = columns;
  if ((rules.groups ?? []).length === 0) {
    problems.push({ message: 'No group yet. Choose a column, or name one for everybody.', field: 'groups' });
    return undefined;
  }
  const knownGroups = await ledger.groupsGiven(service.address);
  try {
    const tools = await loadTools(rules);
    return resolveColumns(roster.form.header, { ...columns, tools, knownGroups, file: roster.form.file });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problems.push({ message: error.message, field: 'columns' });
    return undefined;
  }
}

async function readRows(roster: RosterFile, mapping: Mapping): Promise<Examined> {
  const examiner = new Examiner(mapping);
  for await (const batch of roster.batches()) for (const row of batch) examiner.add(row);
  return examiner.result();
}

function emptyView({ config }: DeliveryContext, upload: KeptUpload): CheckView {
  const { read } = upload.mapping ?? {};
  const given: ReadingGiven = {
    ...(read?.encoding !== undefined && { encoding: read.encoding }),
    ...(read?.delimiter !== undefined && { delimiter: read.delimiter }),
    ...(read?.headerLine !== undefined && { headerLine: String(read.headerLine) }),
    ...(read?.sheet !== undefined && { sheet: read.sheet }),
  };
  return {
    upload: upload.id,
    fileName: upload.name,
    source: upload.source,
    given,
    problems: upload.problem === undefined ? [] : [{ message: upload.problem }],
    readings: [],
    sheets: [],
    rows: 0,
    names: [],
    columns: [],
    groups: [],
    always: '',
    like: [],
    filters: [],
    invite: config.delivery.invite,
    forceSync: config.delivery.forceSync,
    readNotes: [],
    rowNotes: [],
    remember: upload.remember === true,
  };
}

function unread(error: InputError): Pick<CheckView, 'problems' | 'readings' | 'sheets'> {
  if (error instanceof EncodingQuestion) {
    const message = 'Several encodings are possible. Choose the one in which these words are right.';
    const readings = error.readings.map(({ encoding, examples }) => ({ encoding, names: examples }));
    return { problems: [{ message, field: 'reading' }], readings, sheets: [] };
  }
  if (error instanceof SheetQuestion) {
    const message = 'The people can be on several sheets. Choose one.';
    const sheets = error.sheets.map((sheet) => ({ name: sheet.name, words: saySheet(sheet) }));
    return { problems: [{ message, field: 'reading' }], readings: [], sheets };
  }
  return { problems: [{ message: error.message, field: 'reading' }], readings: [], sheets: [] };
}

const total = (tallies: readonly { count: number }[]): number => tallies.reduce((sum, { count }) => sum + count, 0);

function originOf(group: string, { groups = [] }: MappingRules, surveys: readonly ColumnSurvey[]): string {
  if (groups.some(({ always, add }) => [...asList(always), ...asList(add)].includes(group))) return 'everybody';
  const columns = surveys.filter((survey) => {
    const rule = groups.find(({ column }) => column === survey.name);
    if (!rule) return survey.name === group && groups.some(({ matrix }) => asList(matrix).includes(group));
    const parts = asList(rule.split).flatMap((sign) => [...(survey.parts.get(sign) ?? [])]);
    return survey.values?.has(group) === true || parts.includes(group);
  });
  return columns.map(({ name }) => name).join(', ');
}

const alwaysOf = ({ groups = [] }: MappingRules): string => groups.flatMap(({ always }) => asList(always)).join('; ');

function laterOf(rules: MappingRules, examined: Examined | undefined): Pick<CheckView, 'later'> {
  if (rules.members?.startDate === undefined || !examined) return {};
  const { later } = examined;
  if (!later) return { later: { people: 0 } };
  return { later: { people: later.people, from: dayWords(later.from), to: dayWords(later.to) } };
}

/** 20261201 as `2026-12-01`. */
const dayWords = (day: number): string => String(day).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
