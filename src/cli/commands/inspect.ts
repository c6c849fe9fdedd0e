// `inspect`: shows how a roster is understood and proposes rules for it.
import { relative, resolve } from 'node:path';
import { writeReadBlock, writeSourceBlock } from '../../../config/source-block.ts';
import type { Config } from '../../../config/load.ts';
import { closing } from '../../core/closing.ts';
import { defined } from '../../core/defined.ts';
import { configured, openConfigured } from '../../roster/configured-source.ts';
import { findPreset } from '../../roster/presets/presets.ts';
import { redactorOfConfig } from '../../wiring/configured-secrets.ts';
import { addressesSeen, commonDomain } from '../../core/mapping/unsettled-columns.ts';
import type { ColumnSurvey } from '../../core/columns/column-survey.ts';
import type { FieldSource } from '../../core/mapping/fields.ts';
import type { FoundFields } from '../../core/mapping/find-fields.ts';
import { effectiveRules, type MappingOptions, mergeRules } from '../../core/mapping/mapping-options.ts';
import type { Mapping } from '../../core/mapping/mapping.ts';
import { maskedExamples } from '../../core/person/mask.ts';
import type { MappingRules } from '../../core/mapping/mapping-rules.ts';
import { wildcard } from '../../core/text/wildcard.ts';
import { rulesOf } from '../../core/inspect/proposal.ts';
import { examineRows, proposeRules, settleRules } from '../../intake/understand.ts';
import { createRowProgress } from '../../report/run/progress.ts';
import { type Inspection, renderInspection } from '../../report/terminal/render-inspection.ts';
import type { RosterFile } from '../../roster/open-roster.ts';
import { surveyRoster } from '../../roster/roster-file.ts';
import { listenForInterruptions } from '../../process/shutdown.ts';
import { columnsOf, openForImport, readGroupFile, sayPipe } from './import.ts';
import { remarkOnSplits } from './group-splits.ts';
import type { Flags, Options } from '../options.ts';
import { type Output, sayWaiting } from '../frame/output.ts';
import { readFlagsGiven, readOptions, remarkOnReadFlags, remarkOnSourceFlags } from '../frame/read-flags.ts';
import { openSession } from '../frame/session.ts';

/** Sends nothing, keeps nothing. Returns the exit code. */
export async function inspectRoster(named: string, options: Options<'inspect'>): Promise<number> {
  const { config, output } = openSession(options);
  const inspection = await inspect(named, options, { config, output });
  output.print(renderInspection(inspection, output.style, { verbose: options.verbose ?? false }));
  if (options.json) output.json('inspect', inspection);
  return 0;
}

/** @param folder of the config that the block is for: paths in it begin there */
export async function inspect(
  named: string,
  options: Flags<'inspect'>,
  { config, output, folder = '.' }: { config: Config; output: Output; folder?: string },
): Promise<Inspection> {
  const source = configured(config, named);
  using interruptions = listenForInterruptions(() => {});
  using progress = createRowProgress({ stream: process.stderr, label: 'Read', unit: 'row' });
  const seen = (rows: number, share?: number): void => {
    interruptions.signal.throwIfAborted();
    if (!output.quiet) progress.update(rows, share);
  };
  await readGroupFile(options);
  const { passwordFile } = options;
  const asked = columnsOf(options, source);
  if (!source) await sayPipe(named, output);
  const roster = source
    ? await openConfigured({ config, redact: redactorOfConfig(config) }, named, asked, {
        signal: interruptions.signal,
        onWait: sayWaiting(output),
      })
    : await openForImport(named, options, asked);
  await using _ = closing(roster);
  const vain = source ? remarkOnSourceFlags(named, readFlagsGiven(options)) : remarkOnReadFlags(options, roster.form);
  if (vain !== undefined) output.note(vain);
  const { form } = roster;
  const { surveys, rows } = await surveyRoster(roster, seen);
  const { preset } = source ?? {};
  const domain = commonDomain(Object.values(config.sources));
  const asks = columnsOf(options, source, form.header);
  const { splits, remarks } = remarkOnSplits(form.header, asks, surveys);
  const columns = { ...asks, splits };
  const { understood, ...settled } = await understand(roster, surveys, { columns, domain }, seen);
  return {
    source: source ? named : form.file,
    form,
    sizeBytes: roster.sizeBytes,
    rows,
    ...understood,
    remarks: [...remarks, ...understood.remarks],
    ...(understood.block.length > 0 && {
      block: [
        ...writeReadBlock(
          readOptions(options),
          passwordFile === undefined ? undefined : pathFrom(folder, passwordFile),
        ),
        ...understood.block,
      ],
    }),
    columns: surveys.map((survey) => {
      const uses = usesOf(survey, settled);
      const examples = maskedExamples(survey, uses.some(isPersonal));
      return { name: survey.name, filled: survey.filled, examples, uses };
    }),
    ...(preset !== undefined && { preset: { name: preset, ...findPreset(preset) } }),
  };
}

export function pathFrom(folder: string, file: string): string {
  const path = relative(folder, resolve(file)).replaceAll('\\', '/');
  return path.startsWith('.') || path.startsWith('/') ? path : `./${path}`;
}

type Understood = Pick<Inspection, 'fields' | 'census' | 'problem' | 'remarks' | 'block'>;

/** The mapping, and where there is none, the fields and rules that are settled. */
interface Settled {
  mapping?: Mapping;
  settled: { fields: FoundFields; rules: MappingRules };
}

/** What the rules make of the roster; where nobody has given any, those that are proposed for it. */
async function understand(
  roster: RosterFile,
  surveys: readonly ColumnSurvey[],
  { columns, domain }: { columns: MappingOptions; domain: string | undefined },
  seen: (rows: number) => void,
): Promise<Settled & { understood: Understood }> {
  const given = effectiveRules(columns);
  const { found, proposal } = proposeRules(roster.form.header, surveys, { given, domain });
  const isOwn = columns.rules !== undefined || columns.defaults !== undefined;
  const proposed = rulesOf(proposal);
  const allow = { ...proposed.allow, ...given.allow };
  const rules = isOwn ? given : { ...mergeRules(given, proposed), ...(Object.keys(allow).length > 0 && { allow }) };
  const groups = given.groups?.map((rule) => ({ rule })) ?? proposal.groups;
  const block = isOwn ? [] : writeSourceBlock({ ...proposal, groups }, given);
  const settled = { fields: found, rules };
  const { today, timezone } = columns;
  const asked = { groups: [], groupColumns: [], rules, seen: addressesSeen(surveys, domain) };
  const mapping = settleRules(roster, { ...asked, ...defined({ today, timezone }) });
  if ('problem' in mapping) {
    const { problem } = mapping;
    return { settled, understood: { fields: fieldsOf({ fields: found }, found), problem, remarks: [], block } };
  }
  const { census } = await examineRows(roster, mapping, seen);
  const understood = { fields: fieldsOf(mapping, found), census, remarks: mapping.remarks.list(), block };
  return { mapping, settled, understood };
}

/** `found` knows which columns were found by their names, before they were recorded as rules. */
function fieldsOf({ fields }: Pick<Mapping, 'fields'>, found: FoundFields): Inspection['fields'] {
  const { fullname, ...sources } = fields;
  return [
    ...(fullname ? [{ field: 'firstname, lastname', column: fullname.column.name, why: splitWords(fullname) }] : []),
    ...(Object.entries(sources) as [keyof typeof sources, FieldSource][]).map(([field, { words, why }]) => {
      return { field, column: words, why: found[field]?.why ?? why };
    }),
  ];
}

function splitWords({ form, order }: NonNullable<FoundFields['fullname']>): string {
  return form ? `split as ${form}` : `split as Last, First where it has a comma, else as ${order}`;
}

/** Whether a column that becomes this says who somebody is. */
const isPersonal = (use: string): boolean => !['groups', 'filter', 'startDate'].includes(use);

/** What a column becomes; where the rules are not settled yet, as far as they are. */
function usesOf({ index, name }: ColumnSurvey, { mapping, settled }: Settled): string[] {
  const { fullname, ...sources } = mapping?.fields ?? settled.fields;
  const isHere = (column: { index: number } | undefined): boolean => column?.index === index;
  const isNamed = ({ column = '' }: { column?: string }): boolean => wildcard(column)(name);
  const { groups = [], only = [], except = [] } = settled.rules;
  const isGroups = mapping ? mapping.groups.some(({ columns }) => columns.some(isHere)) : groups.some(isNamed);
  const conditions = [...only, ...except];
  const isFilter = mapping
    ? [...mapping.only, ...mapping.except].some(({ column }) => isHere(column))
    : conditions.some(isNamed);
  return [
    ...(isHere(fullname?.column) ? ['firstname', 'lastname'] : []),
    ...Object.entries(sources).flatMap(([field, source]) => (source.columns.some(isHere) ? [field] : [])),
    ...(isGroups ? ['groups'] : []),
    ...(isFilter ? ['filter'] : []),
  ];
}
