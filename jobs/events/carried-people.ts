// The people whom events carry: read as a roster, whose they are, and what an event does not say about them.
import { Readable } from 'node:stream';
import { attempt } from '../../src/core/attempt.ts';
import { defined } from '../../src/core/defined.ts';
import { InputError } from '../../src/core/errors.ts';
import type { Column } from '../../src/core/columns/columns.ts';
import type { CompiledCondition } from '../../src/core/mapping/filter.ts';
import { mapRow, personOfRow } from '../../src/core/mapping/map-row.ts';
import { columnsToRead, effectiveRules, type MappingOptions } from '../../src/core/mapping/mapping-options.ts';
import { columnsThere, type Mapping, resolveColumns } from '../../src/core/mapping/mapping.ts';
import { parsePath, spelledIn } from '../../src/core/rows/path.ts';
import type { Row } from '../../src/core/rows/row.ts';
import type { EventRules } from '../../src/core/webhooks/webhook.ts';
import type { NewEvent } from '../../src/ledger/events/events.ts';
import { canFetchById, requireSource, timezoneOf } from '../../src/roster/configured-source.ts';
import type { PlanningContext } from '../../src/wiring/context.ts';
import { columnsOfSource } from '../run/open-source.ts';
import type { OpenedRoster } from '../run/planning-run.ts';

/** A source, and how it understands its events. */
export interface EventRulesOf {
  source: string;
  rules: EventRules;
}

/** A record of a person, and its event. */
export interface Carried {
  record: Record<string, unknown>;
  event: number;
  /** Their id in the sender's words. */
  id?: string | undefined;
  /** Whose it is, as far as it says. */
  address?: string | undefined;
  employeeId?: string | undefined;
  /** The rules leave them out. */
  isLeftOut?: boolean;
  /** Something is missing without which somebody cannot be sent. What is there and is refused, is refused. */
  lacks?: boolean;
}

/** The people of events in their order; of one that carries nobody, those whom it names. */
export async function carriedBy(
  context: PlanningContext,
  batch: EventRulesOf,
  events: readonly (Pick<NewEvent, 'employees' | 'people'> & { id: number })[],
): Promise<Carried[]> {
  const people: Carried[] = events
    .toSorted((one, other) => one.id - other.id)
    .flatMap(({ id: event, people, employees }) => {
      const records = people?.length ? people : (employees ?? []).map(() => ({}));
      return records.map((record, at) => {
        const id = employees?.length === records.length ? employees[at] : undefined;
        const isKnown = id !== undefined && Object.keys(record).length > 0 && hasIds(context, batch);
        return { record: isKnown ? { ...record, [senderId]: id } : record, event, id };
      });
    });
  const told = people.filter(({ record }) => Object.keys(record).length > 0);
  if (told.length === 0) return people;
  const roster = await openPeople(context, batch, told);
  try {
    await identify(told, roster, columnsOf(context, batch, roster.form.header));
  } finally {
    await roster.close();
  }
  const { people: rules } = batch.rules;
  const known = effectiveRules(columnsOfSource(context, batch.source)).members?.employeeId;
  if (rules === undefined || rules.members?.employeeId !== undefined || known === false) return people;
  // The sender names people by ids, and nothing says how the source knows them.
  const naming = new Set(events.flatMap(({ id, employees }) => (employees?.length ? [id] : [])));
  for (const one of told) one.lacks ||= naming.has(one.event) && !(senderId in one.record) && !one.isLeftOut;
  return people;
}

/** Of each person the records of the last event. Two employee ids with one address are two people. */
export function newestOf(people: readonly Carried[]): Carried[] {
  const [byAddress, byId] = [new Map<string, Carried>(), new Map<string, Carried>()];
  const idsOf = ({ id, employeeId }: Carried): string[] =>
    [id ?? employeeId, employeeId && `own ${employeeId}`].flatMap((each) => (each ? [each] : []));
  const isOvertaken = (each: Carried): boolean => {
    const known = idsOf(each).find((id) => byId.has(id));
    const same = byId.get(known ?? '') ?? byAddress.get(each.address ?? '');
    if (same === undefined || same.event === each.event) return false;
    return known !== undefined || !same.employeeId || !each.employeeId;
  };
  const newest = people.toReversed().filter((each) => {
    if (isOvertaken(each)) return false;
    if (each.address && !byAddress.has(each.address)) byAddress.set(each.address, each);
    for (const id of idsOf(each)) if (!byId.has(id)) byId.set(id, each);
    return true;
  });
  return newest.toReversed();
}

/** Whether rules of its own for the people of events say all by which the source, or its preset, leaves somebody out or waits. */
export function judgesAll(context: PlanningContext, { source, rules: { people } }: EventRulesOf): boolean {
  if (!people) return true;
  const { members, ...rules } = effectiveRules(columnsOfSource(context, source));
  const isSaid = (key: 'only' | 'except' | 'leavers'): boolean => !rules[key]?.length || people[key] !== undefined;
  const waits = members?.startDate !== undefined && people.members?.startDate === undefined;
  return isSaid('only') && isSaid('except') && isSaid('leavers') && !waits;
}

/** Opens the people of events as a roster of the time at which the last of them came. */
export async function openPeople(
  context: PlanningContext,
  batch: EventRulesOf,
  people: readonly Carried[],
  receivedAt = new Date(),
): Promise<OpenedRoster['roster']> {
  const lines = people.map(({ record }) => `${JSON.stringify(record)}\n`);
  // Loaded when needed: a command that only steers a run reads no roster.
  const { openRoster } = await import('../../src/roster/open-roster.ts');
  const roster = await openRoster(Readable.from(lines), {
    name: `events of ${batch.source}`,
    format: 'ndjson',
    now: () => receivedAt,
    // One event rarely has all that a person has.
    known: columnsToRead(columnsOf(context, batch)).paths,
  });
  // They say nothing about anybody else.
  roster.form.isPartial = true;
  const mapping = attempt(() => resolveColumns(roster.form.header, columnsOf(context, batch, roster.form.header)));
  if (!mapping) return roster;
  return {
    ...roster,
    async *batches() {
      for await (const rows of roster.batches())
        yield rows.map((row) =>
          'reason' in row ? row : judgedByWhatIsThere(row, people[row.line - 1]?.record, mapping),
        );
    },
  };
}

/** The places of columns that a record does not have, which is not the same as an empty cell of a roster. */
function absentIn(record: Record<string, unknown> = {}, columns: readonly Column[]): Set<number> {
  const absent = columns.filter(({ name }) => {
    const path = attempt(() => parsePath(name));
    return path !== undefined && spelledIn(record, path) === undefined;
  });
  return new Set(absent.map(({ index }) => index));
}

const conditionColumns = ({ only, except, leavers }: Mapping): Column[] =>
  [...only, ...except, ...leavers].flatMap(({ column }) => column ?? []);

/** The columns that decide whether somebody is sent, from when on, and into which groups. */
const decidingColumns = (mapping: Mapping): Column[] => [
  ...conditionColumns(mapping),
  ...(mapping.fields.startDate?.columns ?? []),
  ...mapping.groups.flatMap(({ columns, asked = [] }) => [...columns, ...asked]),
];

/**
 * Nobody is left out, or has left, by a condition on what an event does not say: such a row is one that is cut short, unless
 * what it says decides.
 */
function judgedByWhatIsThere(row: Row, record: Record<string, unknown> | undefined, mapping: Mapping): Row {
  const missing = absentIn(record, conditionColumns(mapping));
  if (missing.size === 0 || !('filtered' in mapRow(row, mapping))) return row;
  const isSaid = ({ column }: CompiledCondition): boolean => !column || !missing.has(column.index);
  const said = {
    ...mapping,
    only: mapping.only.filter(isSaid),
    except: mapping.except.filter(isSaid),
    leavers: mapping.leavers.filter(isSaid),
  };
  return 'filtered' in mapRow(row, said) ? row : { ...row, missing };
}

/** Whether something is missing without which nobody can say what would be sent; what is left out or refused, is. */
function lacks(
  mapped: ReturnType<typeof mapRow>,
  record: Record<string, unknown>,
  mapping: Mapping | undefined,
): boolean {
  if ('filtered' in mapped) return false;
  return 'reason' in mapped
    ? mapped.value.trim() === ''
    : !!mapping && absentIn(record, decidingColumns(mapping)).size > 0;
}

/** Notes for each record whose it is, and whether it lacks something. */
async function identify(
  people: readonly Carried[],
  roster: OpenedRoster['roster'],
  columns: MappingOptions,
): Promise<void> {
  const { header } = roster.form;
  const fields = columnsThere(header, columns);
  const mapping = attempt(() => resolveColumns(header, columns));
  // Where rules name the id by which the source knows its people, somebody without it and with a new address would be new.
  const isNamed = effectiveRules(columns).members?.employeeId !== undefined;
  const isTold = isNamed && fields.employeeId?.columns.some(({ name }) => name !== senderId) === true;
  // Who opted out by id is known by nothing else.
  const needsId = isTold || (mapping !== undefined && mapping.optedOut.unfound().length > 0);
  try {
    for await (const rows of roster.batches()) {
      for (const row of rows) {
        const one = people[row.line - 1];
        if (one === undefined) continue;
        const mapped = 'reason' in row ? row : mapping && mapRow(row, mapping);
        const { key: address, employeeId } = personOfRow(row, { fields });
        one.isLeftOut = mapped !== undefined && 'filtered' in mapped;
        one.lacks =
          mapped === undefined || lacks(mapped, one.record, mapping) || (needsId && !employeeId && !one.isLeftOut);
        Object.assign(one, { address, employeeId });
      }
    }
  } catch (error) {
    // Not even rows are there.
    if (!(error instanceof InputError)) throw error;
    for (const one of people) one.lacks = true;
  }
}

/** The column for the id in the sender's words, where the record of a person has none by which the source knows them. */
const senderId = 'senderId';

/** Whether the ids of a sender are those by which the source knows its people. */
export function hasIds({ config }: PlanningContext, { source }: EventRulesOf): boolean {
  const settings = requireSource(config, source);
  return canFetchById(settings) && settings.members?.employeeId === undefined;
}

/** How people of events are read: as rows of the source, or by rules of their own; what may be sent is the same. */
export function columnsOf(context: PlanningContext, of: EventRulesOf, header?: readonly string[]): MappingOptions {
  const { source, rules } = of;
  const { people } = rules;
  const settings = requireSource(context.config, source);
  if (!people) return columnsOfSource(context, source, header);
  const { rename, renamePatterns, allow, groups } = settings;
  return {
    groups: [],
    groupColumns: [],
    today: new Date(),
    timezone: timezoneOf(settings),
    rules: {
      ...defined({ groups }),
      ...people,
      // An id of another system, taken for one of this source, would look like somebody else with the same address.
      members: { employeeId: hasIds(context, of) ? senderId : false, ...people.members },
      ...defined({ rename, renamePatterns, allow }),
    },
  };
}
