// `sources` and `schedules`: the sources that are kept in the ledger, and when each source is read.
import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { existsSync } from 'node:fs';
import { problemsOfKept, readKeptSources, writeKeptSource } from '../../../config/kept-source.ts';
import * as acts from '../../acts/sources.ts';
import { codeOf, InputError } from '../../core/errors.ts';
import { count, escapeText, moment } from '../../core/text/format.ts';
import { tableOf } from '../../report/terminal/columns.ts';
import { flow } from '../../report/terminal/layout.ts';
import { type GlobalOptions, openLedgerSession, tell, withActs } from '../frame/session.ts';
import { type Config, findBaseUrl } from '../../../config/load.ts';
import { viewSchedules } from '../../../jobs/run/run-due.ts';
import type { ScheduleView } from '../../acts/shapes/roster.ts';
import { labelled, labelledLines, labelWidth, paint, type Style } from '../../report/terminal/style.ts';

export async function listSources(options: GlobalOptions): Promise<number> {
  return tell(options, { command: 'sources list' }, [acts.listSources, {}], (listed, output) => {
    const sources = listed.sources.map(({ name, from, isUsed, ...kept }) => {
      const { by, at } = { by: '', at: '', ...kept };
      return { name, from: isUsed ? from : 'ledger, not used: the config has one of this name', by, at };
    });
    const lines = tableOf(sources, output.style.width, ({ words }) => [
      words('Source', ({ name }) => name),
      words('from', ({ from }) => from),
      words('kept by', ({ by }) => by),
      words('on', ({ at }) => at.slice(0, 10)),
    ]);
    const none = 'There are no sources. `roster-sync init FILE` writes one into a config.';
    output.print(sources.length > 0 ? lines.join('\n') : none);
    if (options.json) output.json('sources', { sources });
  });
}

export async function exportSource(name: string, options: GlobalOptions): Promise<number> {
  return tell(options, { command: 'sources export' }, [acts.getSource, { source: name }], ({ settings }, output) =>
    output.print(writeKeptSource(name, settings).trimEnd()),
  );
}

/** `roster-sync sources import FILE`: all of the file, or nothing. */
export async function importSources(file: string, options: GlobalOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { output } = session;
  const read = readKeptSources(await contentOf(file));
  const shown = file === '-' ? 'standard input' : file;
  if (typeof read === 'string') throw new InputError(`${shown}: ${read}. Nothing was kept.`);
  const problems = read.flatMap(({ name, block }) => problemsOfKept(name, block).map((each) => `${name}: ${each}`));
  if (problems.length > 0) throw new InputError(`${shown}: nothing was kept.\n  ${problems.join('\n  ')}`);
  return withActs(session, { command: 'sources import', create: true }, async (ask) => {
    for (const { name, block } of read) await ask(acts.checkSource, { source: name, settings: block });
    for (const { name, block } of read) await ask(acts.keepSource, { source: name, settings: block });
    output.print(
      `${count(read.length, 'source is', 'sources are')} kept: ${read.map(({ name }) => escapeText(name)).join(', ')}.`,
    );
    if (options.json) output.json('sources-kept', { kept: read.map(({ name }) => name) });
    return 0;
  });
}

export async function removeSource(name: string, options: GlobalOptions): Promise<number> {
  return tell(options, { command: 'sources remove' }, [acts.removeSource, { source: name }], (_, output) => {
    output.print(`The source ${escapeText(name)} is removed. What was sent stays.`);
    if (options.json) output.json('source-removed', { name, removed: true });
  });
}

async function contentOf(file: string): Promise<string> {
  if (file === '-') return textOf(process.stdin);
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new InputError(`${file} cannot be read (${codeOf(error) || String(error)}).`, { cause: error });
  });
}

export async function listSchedules(options: GlobalOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { config, output } = session;
  const isKnown = findBaseUrl(config) !== undefined && hasLedger(config);
  const { schedules: views } = isKnown
    ? await withActs(session, { command: 'schedules' }, (ask) => ask(acts.listSchedules, {}))
    : { schedules: viewSchedules(config, new Date()) };
  output.print(renderSchedules(views, output.style));
  if (options.json) output.json('schedules', { schedules: views });
  return 0;
}

function hasLedger({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== undefined || existsSync(dataDir);
}

export function renderSchedules(schedules: readonly ScheduleView[], style: Style): string {
  if (schedules.length === 0) {
    return 'No source has a schedule. To read one automatically: schedule: { cron: "15 2 * * *", timezone: Europe/Copenhagen }';
  }
  return schedules.map((schedule) => block(schedule, style).join('\n')).join('\n\n');
}

function block({ source, cron, timezone, next, last, missed }: ScheduleView, style: Style): string[] {
  const time = (iso: string): string => moment(iso, timezone);
  const times = next.map(({ at, isBlackedOut }) => `${time(at)}${isBlackedOut ? ' (blacked out)' : ''}`);
  const shown = times.length > 0 ? flow(times, ', ', style.width - labelWidth) : ['never'];
  const lines = [
    `${paint(style, 'label', escapeText(source))}  ${cron}  ${timezone}`,
    ...labelledLines('Next', shown, style),
  ];
  if (last !== undefined) lines.push(labelled('Last', last ? sayLast(last, time) : 'none yet', style));
  if (missed) {
    const becomes = {
      run: 'begins when `serve` runs',
      missed: 'too long ago to catch up on (schedule.catchUp)',
      blackout: 'on a blackout day',
    }[missed.will];
    lines.push(labelled('Missed', `${time(missed.due)}: ${becomes}`, style));
  }
  return lines;
}

function sayLast(
  { due, result, reason, run, status }: NonNullable<ScheduleView['last']>,
  time: (iso: string) => string,
) {
  const became = status ?? result;
  const why = reason === '' || status !== null ? '' : `: ${escapeText(reason)}`;
  return `${time(due)}  ${became}${why}${run !== null && result !== 'unchanged' && result !== 'busy' ? ` (run ${run})` : ''}`;
}
