// `import`: reads a file, plans, asks, delivers, reports.
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { noService } from '../../report/plan/plan-row.ts';
import { requireBaseUrl, type Config } from '../../../config/load.ts';
import type { SourceConfig } from '../../../config/source-schema.ts';
import { configured, mappingOf, timezoneOf } from '../../roster/configured-source.ts';
import type { Context } from '../../wiring/context.ts';
import { useKeptSources } from '../../wiring/kept-sources.ts';
import { cleanCell } from '../../core/cells/read-cell.ts';
import { closing } from '../../core/closing.ts';
import { columnsMeaning, listColumns } from '../../core/columns/columns.ts';
import { EncodingQuestion, InputError, SheetQuestion } from '../../core/errors.ts';
import { columnsToRead, type MappingOptions } from '../../core/mapping/mapping-options.ts';
import { escapeText } from '../../core/text/format.ts';
import { isRejectsHeader } from '../../core/rows/row.ts';
import { seriesOf } from '../../roster/files/passing-files.ts';
import { runOfRejects } from '../../roster/files/rejects-file.ts';
import { sourceNameProblem } from '../../core/rows/source.ts';
import { openRoster, type OpenOptions, type RosterFile } from '../../roster/open-roster.ts';
import { loadKeys } from '../../roster/places.ts';
import { parseBaseUrl } from '../../service/settings.ts';
import { besideSettings, byFlags } from '../../report/terminal/commands.ts';
import { isTerminal, askEncoding, askSheet } from '../frame/ask.ts';
import { readSplit, settleSplits } from './group-splits.ts';
import { keptSources } from '../../acts/sources.ts';
import { chooseRate } from '../../acts/runs.ts';
import type { Output } from '../frame/output.ts';
import { readOptions, type ReadFlags, remarkOnReadFlags } from '../frame/read-flags.ts';
import { type RunOptions, checkRunFiles } from '../run/roster-job.ts';
import { runRoster } from '../run/roster-run.ts';
import { openSession, type Session, withActs, withContext } from '../frame/session.ts';
import type { Flags, Options } from '../options.ts';

type ImportOptions = Options<'import'> & Pick<RunOptions, 'planOnly'>;

/** The service's normalised address; a dry run needs none. Throws InputError if it is needed and not set. */
export function serviceOf(config: Config, dryRun: boolean): string {
  if (dryRun && config.service.baseUrl === undefined) return noService;
  return parseBaseUrl(requireBaseUrl(config)).address;
}

export async function importRoster(file: string, options: ImportOptions): Promise<number> {
  const session = openSession(options);
  const { config, output } = session;
  const { dryRun = false } = options;
  checkRunFiles(options, config);
  await readGroupFile(options);
  const named = options.source ?? nameOf(file, config);
  requireSourceName(named, options.source === undefined ? file : undefined);
  const { rate, note } = chooseRate(config, options.rate);
  if (note !== undefined) output.note(note);
  if (options.source !== undefined && !configured(config, named)) await learnIfKept(session);
  const before = configured(config, named);
  await sayPipe(file, output);
  const roster = await openForImport(
    file,
    options,
    columnsOf(options, before),
    before && { ...before.read, timezone: timezoneOf(before), ...(await loadKeys(before)) },
  );
  await using _ = closing(roster);
  const vain = remarkOnReadFlags(options, roster.form);
  if (vain !== undefined) output.note(vain);
  // A file that cannot be read is reported first: its name may be mistyped before any service is set.
  const service = serviceOf(config, dryRun);
  const how = { command: `import ${file}`, create: !dryRun, dryRun, rosterBytes: roster.sizeBytes };
  return await withContext(session, how, async (context) => {
    const source = options.source ?? (await sourceOf(context, named, roster));
    const settings = configured(config, source);
    const given = await context.ledger.groupsGiven(service);
    const columns = await settleSplits(roster, columnsOf(options, settings, roster.form.header), output, given);
    if (!columns) {
      output.note('Nothing was sent, and nothing was kept.');
      return 130;
    }
    return runRoster(context, {
      session,
      options,
      trigger: 'import',
      source,
      service,
      opened: { roster, columns },
      rate,
    });
  });
}

/** A source that the config does not have may be kept in the ledger, if there is one. */
async function learnIfKept(session: Session): Promise<void> {
  const { databaseUrl, dataDir } = session.config;
  if (databaseUrl === undefined && !existsSync(dataDir)) return;
  const { kept } = await withActs(session, { command: 'import' }, (ask) => ask(keptSources, {}));
  useKeptSources(session, kept);
}

/** That of its series, so that the files of two months are one source; unless the config has one called as the file. */
function nameOf(file: string, config: Config): string {
  if (file === '-') throw new InputError('Standard input has no name: name its source with --source NAME.');
  const unpacked = file.replace(/\.gz$/i, '');
  const name = basename(unpacked, extname(unpacked));
  return configured(config, name) ? name : seriesOf(name);
}

function requireSourceName(name: string, file: string | undefined): void {
  const problem = sourceNameProblem(name);
  if (problem === undefined) return;
  const next = 'Nothing was read.';
  throw new InputError(
    file === undefined
      ? `--source: ${problem}. ${next}`
      : `${file}: ${problem}. Give it one with --source NAME. ${next}`,
  );
}

/** What flags and the source's settings say about columns. */
export function columnsOf(
  options: Flags<'inspect'>,
  settings: SourceConfig | undefined,
  header?: readonly string[],
): MappingOptions {
  return {
    ...(Object.keys(options.map).length > 0 && { map: options.map }),
    groups: options.group,
    groupColumns: options.groupColumn,
    ...(Object.keys(options.mapGroup).length > 0 && { rename: options.mapGroup }),
    ...(options.allowValue.length > 0 && { allowValues: options.allowValue }),
    ...matrixOf(options.groupMatrix, header),
    ...(options.groupSplit !== undefined && splitsGiven(options.groupColumn, header, options.groupSplit)),
    wording: settings ? besideSettings(Object.keys(options.map).length > 0) : byFlags,
    ...mappingOf(settings, header),
    today: new Date(),
  };
}

/** Adds the codes and names of `--map-group-file` to those of `--map-group`, which go first. Its headings do no harm. */
export async function readGroupFile(options: Flags<'inspect'>): Promise<void> {
  const { mapGroupFile, mapGroup } = options;
  if (mapGroupFile === undefined) return;
  const table = await openRoster(mapGroupFile, {});
  await using _ = closing(table);
  const { header } = table.form;
  if (header.length < 2) throw new InputError(`${mapGroupFile}: it needs two columns, of codes and of names.`);
  const pairs: (readonly string[])[] = [header];
  for await (const batch of table.batches()) pairs.push(...batch.map(({ cells }) => cells));
  const named = pairs.map(([code = '', name = '']) => [cleanCell(code), cleanCell(name)] as const);
  options.mapGroup = { ...Object.fromEntries(named.filter((each) => !each.includes(''))), ...mapGroup };
}

/** What `--group-matrix` says: names of columns with commas between, unless a column is called just so. */
export function matrixOf(
  given: readonly string[],
  header: readonly string[] = [],
): Pick<MappingOptions, 'groupMatrix'> {
  const isName = (text: string): boolean => header.some((name) => name.trim() === text.trim());
  return {
    groupMatrix: given.flatMap((text) => (isName(text) ? [text] : text.split(',').map((name) => name.trim()))),
  };
}

/** What `--group-split` says about the columns of the flags, else of those that are called groups. */
function splitsGiven(
  named: readonly string[],
  header: readonly string[] | undefined,
  sign: string,
): Pick<MappingOptions, 'splits'> {
  const split = readSplit(sign);
  const columns = named.length > 0 ? named : columnsMeaning(listColumns(header ?? []), 'group').map(({ name }) => name);
  return { splits: Object.fromEntries(columns.map((column) => [column, split])) };
}

/** A named pipe that nobody writes to is opened once somebody does. */
export async function sayPipe(file: string, { note }: Pick<Output, 'note'>): Promise<void> {
  if ((await stat(file).catch(() => undefined))?.isFIFO())
    note(`${escapeText(file)} is a pipe: waiting for what is written to it, until its writer ends. Ctrl-C stops.`);
}

/** The source's settings say what flags do not. Somebody who is there is asked; `flags` has the answer. */
export async function openForImport(
  file: string,
  flags: ReadFlags,
  columns: MappingOptions,
  settings: OpenOptions = {},
): Promise<RosterFile> {
  const asked = columnsToRead(columns);
  // Once: what a shell gives as `<(…)` can be read no second time.
  const keys = await loadKeys(flags);
  const open = (): Promise<RosterFile> =>
    openRoster(file === '-' ? process.stdin : file, {
      ...settings,
      ...keys,
      ...readOptions(flags),
      ...asked,
    });
  try {
    return await open();
  } catch (error) {
    if (!isTerminal()) throw error;
    if (error instanceof EncodingQuestion) flags.encoding = await askEncoding(error);
    else if (error instanceof SheetQuestion) flags.sheet = await askSheet(error);
    else throw error;
    return open();
  }
}

/** A corrected file of rejects belongs to the source of its run; any other roster is called as its file. */
async function sourceOf({ ledger }: Context, named: string, roster: RosterFile): Promise<string> {
  const { header, file } = roster.form;
  if (!isRejectsHeader(header)) return named;
  const runId = await runOfRejects(roster);
  const [run] = runId === '' ? [] : await ledger.findRuns(runId);
  if (run?.id === runId) return run.source;
  throw new InputError(
    `${file} is a file of rejects${runId === '' ? '' : ` of run ${runId}`}, which is not known here: ` +
      'name the source they belong to with --source NAME.',
  );
}
