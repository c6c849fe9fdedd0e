// Examines a kept upload: what the file holds, and what its mapping makes of it.
import type { WrittenMapping } from '../../config/source-schema.ts';
import type { SourceRunContext } from '../../jobs/run/run-source.ts';
import type { ColumnSurvey } from '../core/columns/column-survey.ts';
import { dayText } from '../core/cells/days.ts';
import { defined } from '../core/defined.ts';
import { EncodingQuestion, InputError, SheetQuestion, saySheet } from '../core/errors.ts';
import type { Examined } from '../core/inspect/census.ts';
import { likeGroups } from '../core/inspect/like-groups.ts';
import { type Proposal, rulesOf } from '../core/inspect/proposal.ts';
import { commonDomain } from '../core/mapping/unsettled-columns.ts';
import { alwaysOf } from '../core/mapping/column-uses.ts';
import { asList, type MappingRules } from '../core/mapping/mapping-rules.ts';
import { type RosterFile, surveyRoster } from '../roster/roster-file.ts';
import { type CheckProblem, type CheckView, describeColumns } from './check-view.ts';
import { describeFilters, filtersOf } from './upload-filters.ts';
import { type KeptUpload, sourceNameFor } from './kept-uploads.ts';
import { say } from '../core/words/say.ts';
import { mappingOfUpload, resolveUpload, withUpload, readingsOf } from './open-upload.ts';
import { examineRows, proposeRules } from './understand.ts';

type ExamineContext = Pick<SourceRunContext, 'config' | 'ledger' | 'service'>;

export interface ExaminedUpload {
  view: CheckView;
  /** The upload, with the mapping that was proposed if nobody had given one. */
  upload: KeptUpload;
}

/** @param signal ends the reading, where nobody waits for it any more */
export async function examineUpload(
  context: ExamineContext,
  upload: KeptUpload,
  signal?: AbortSignal,
): Promise<ExaminedUpload> {
  const nothing = emptyView(context, upload);
  let isOpen = false;
  try {
    return await withUpload(
      upload,
      (roster) => {
        isOpen = true;
        return examine(context, upload, roster, nothing);
      },
      signal,
    );
  } catch (error) {
    if (isOpen || !(error instanceof InputError)) throw error;
    return { view: { ...nothing, ...unread(error) }, upload };
  }
}

async function examine(
  context: ExamineContext,
  upload: KeptUpload,
  roster: RosterFile,
  nothing: CheckView,
): Promise<ExaminedUpload> {
  const { header } = roster.form;
  const { surveys, rows } = await surveyRoster(roster);
  const domain = commonDomain(Object.values(context.config.sources));
  const proposed = proposeRules(header, surveys, { domain });
  const known = settled(upload, proposed.proposal);
  const { read: _, deliver, everybody, ...rules } = mappingOfUpload(known);
  const problems = lacking(rules);
  const mapping = problems.length > 0 ? undefined : await resolveUpload(context, known, roster, problems);
  const examined = mapping && (await examineRows(roster, mapping));
  const census = examined?.census;
  const usedBefore = mapping?.names.known ?? [];
  const like = likeGroups(census?.groups ?? [], usedBefore).filter(({ group }) => !upload.meantGroups.includes(group));
  const alike = new Set(like.map(({ group }) => group));
  const originOf = originsOf(rules, surveys);
  const groups = (examined?.named ?? []).map(({ name, group = '', people }) => ({
    ...{ name, group, people },
    from: originOf(name),
  }));
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
    groups: groups.toSorted((one, other) => Number(alike.has(other.group)) - Number(alike.has(one.group))),
    usedBefore,
    always: alwaysOf(rules),
    like,
    filters: describeFilters(filters, { mapping, examined, surveys }),
    ...laterOf(rules, examined),
    invite: deliver?.invite ?? context.config.delivery.invite,
    forceSync: deliver?.forceSync ?? context.config.delivery.forceSync,
    ...(census && {
      sum: {
        ...{ rows: census.rows, members: census.members, merged: census.merged },
        ...{ filtered: total(census.filtered), rejects: total(census.rejects) },
      },
    }),
    ...defined({ origin: upload.origin ?? besideKnown(context, upload) }),
    readNotes: notes,
    rowNotes: [...(examined?.remarks ?? []), ...(everybody ? [] : (examined?.presence ?? []))],
  };
  return { view, upload: known };
}

/** What is proposed takes the place of what nobody said. Rules are plain data, as the config writes it. */
function settled(upload: KeptUpload, proposal: Proposal): KeptUpload {
  const { members, groups } = upload.mapping ?? {};
  if (members !== undefined || groups !== undefined) return upload;
  const { groups: proposed = [], ...rules } = rulesOf({ ...proposal, domains: [] });
  const mapping = JSON.stringify({ ...rules, ...(proposed.length > 0 && { groups: proposed }) });
  const offered = (['only', 'except'] as const).flatMap((kind) => proposal[kind].map(({ rule }) => ({ kind, rule })));
  return { ...upload, mapping: { ...(JSON.parse(mapping) as WrittenMapping), ...upload.mapping }, offered };
}

function lacking({ members = {} }: MappingRules): CheckProblem[] {
  const { firstname, lastname, fullname, email } = members;
  const said: string[] = [];
  if (!fullname && !firstname) said.push(say('lacksFirstname', 1));
  if (!fullname && !lastname) said.push(say('lacksLastname', 1));
  if (!email) said.push(say('lacksEmail', 1));
  return said.map((message) => ({ message, field: 'columns' }));
}

function emptyView({ config }: ExamineContext, upload: KeptUpload): CheckView {
  const { read } = upload.mapping ?? {};
  const { encoding, delimiter, headerLine, sheet } = read ?? {};
  const given = defined({ encoding, delimiter, headerLine: headerLine?.toString(), sheet });
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
    usedBefore: [],
    always: '',
    like: [],
    filters: [],
    invite: config.delivery.invite,
    forceSync: config.delivery.forceSync,
    readNotes: [],
    rowNotes: [],
    remember: upload.remember === true,
    changes: upload.corrections.length,
  };
}

function unread(error: InputError): Partial<CheckView> {
  const asked = (message: string) => ({ problems: [{ message, field: 'reading' as const }] });
  if (error instanceof EncodingQuestion) {
    const readings = error.readings.map(({ encoding, examples }) => ({ encoding, names: examples }));
    return { ...asked(say('severalEncodings', 1)), readings };
  }
  if (error instanceof SheetQuestion) {
    const sheets = error.sheets.map((sheet) => ({ name: sheet.name, words: saySheet(sheet) }));
    return { ...asked(say('severalSheets', 1)), sheets };
  }
  return asked(error.message);
}

const total = (tallies: readonly { count: number }[]): number => tallies.reduce((sum, { count }) => sum + count, 0);

/** What is said about a file that is called like a list that is known, and is not read as one of it. */
function besideKnown({ config }: ExamineContext, { name, source }: KeptUpload): string | undefined {
  const known = sourceNameFor(name, []);
  if (known === source || !Object.hasOwn(config.sources, known)) return undefined;
  return `A list called ${known} is known, but this file becomes another one, ${source}. What is known about people of ${known}, and its rules, do not hold for it. If it is the same list, bring it again as one of ${known}.`;
}

/** Tells which columns a group comes from: there may be thousands of either. */
function originsOf({ groups = [] }: MappingRules, surveys: readonly ColumnSurvey[]): (group: string) => string {
  const ofEverybody = new Set(groups.flatMap(({ always, add }) => [...asList(always), ...asList(add)]));
  const matrix = new Set(groups.flatMap((rule) => asList(rule.matrix)));
  const rules = new Map(groups.toReversed().map((rule) => [rule.column, rule]));
  const columns = new Map<string, string[]>();
  for (const { name, values, parts } of surveys) {
    const rule = rules.get(name);
    const given = rule
      ? [...(values?.keys() ?? []), ...asList(rule.split).flatMap((sign) => [...(parts.get(sign) ?? [])])]
      : [name].filter((each) => matrix.has(each));
    for (const group of new Set(given)) {
      const known = columns.get(group);
      if (known) known.push(name);
      else columns.set(group, [name]);
    }
  }
  return (group) => (ofEverybody.has(group) ? 'everybody' : (columns.get(group) ?? []).join(', '));
}

function laterOf(rules: MappingRules, examined: Examined | undefined): Pick<CheckView, 'later'> {
  if (rules.members?.startDate === undefined || !examined) return {};
  const { later } = examined;
  if (!later) return { later: { people: 0 } };
  return { later: { people: later.people, from: dayText(later.from), to: dayText(later.to) } };
}
