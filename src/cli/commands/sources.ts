// `sources`: lists, exports, imports and removes the sources that are kept in the ledger.
import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { keptNameProblem, parseKeptBlock, readKeptSources, writeKeptSource } from '../../../config/kept-source.ts';
import { InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/escape.ts';
import { count } from '../../core/text/figures.ts';
import { table } from '../../report/terminal/layout.ts';
import { osUser } from '../frame/os-user.ts';
import { type GlobalOptions, openLedgerSession, withLedger } from '../frame/session.ts';

export async function listSources(options: GlobalOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { output, config } = session;
  const own = Object.keys(config.sources);
  return withLedger(session, { command: 'sources list' }, async ({ ledger }) => {
    const kept = await ledger.listKeptSources();
    const isOwn = (name: string): boolean => own.includes(name);
    const sources = [
      ...own.filter(isOwn).map((name) => ({ name, from: 'config', by: '', at: '' })),
      ...kept.map(({ name, by, at }) => ({
        name,
        from: isOwn(name) ? 'ledger, not used: the config has one of this name' : 'ledger',
        by,
        at: at.toISOString(),
      })),
    ];
    const columns = [
      { heading: 'Source', cells: sources.map(({ name }) => escapeText(name)) },
      { heading: 'from', cells: sources.map(({ from }) => from) },
      { heading: 'kept by', cells: sources.map(({ by }) => escapeText(by)) },
      { heading: 'on', cells: sources.map(({ at }) => at.slice(0, 10)) },
    ];
    if (sources.length > 0) output.print(table(columns, output.style.width).join('\n'));
    else output.print('There are no sources. `roster-sync init FILE` writes one into a config.');
    if (options.json) output.json('sources', { sources });
    return 0;
  });
}

export async function exportSource(name: string, options: GlobalOptions): Promise<number> {
  const session = openLedgerSession(options);
  return withLedger(session, { command: 'sources export' }, async ({ ledger }) => {
    const found = (await ledger.listKeptSources()).find((source) => source.name === name);
    if (!found) throw notKept(name);
    session.output.print(writeKeptSource(name, found.block).trimEnd());
    return 0;
  });
}

/** `roster-sync sources import FILE`: all of the file, or nothing. */
export async function importSources(file: string, options: GlobalOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { output } = session;
  const read = readKeptSources(await contentOf(file));
  const shown = file === '-' ? 'standard input' : file;
  if (typeof read === 'string') throw new InputError(`${shown}: ${read}. Nothing was kept.`);
  const problems = read.flatMap(({ name, block }) => {
    const problem = keptNameProblem(name);
    const parsed = parseKeptBlock(block);
    const wrong = [...(problem === undefined ? [] : [problem]), ...('problems' in parsed ? parsed.problems : [])];
    return wrong.map((each) => `${name}: ${each}`);
  });
  if (problems.length > 0) throw new InputError(`${shown}: nothing was kept.\n  ${problems.join('\n  ')}`);
  return withLedger(session, { command: 'sources import', create: true }, async ({ ledger }) => {
    for (const { name, block } of read) {
      await ledger.keepSource({ name, block, by: osUser() });
      await ledger.noteDeed({ by: osUser(), action: `keep source ${name}`, origin: '' });
    }
    output.print(
      `${count(read.length, 'source is', 'sources are')} kept: ${read.map(({ name }) => escapeText(name)).join(', ')}.`,
    );
    if (options.json) output.json('sources-kept', { kept: read.map(({ name }) => name) });
    return 0;
  });
}

export async function removeSource(name: string, options: GlobalOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { output } = session;
  return withLedger(session, { command: 'sources remove' }, async ({ ledger }) => {
    if (!(await ledger.removeKeptSource(name))) throw notKept(name);
    await ledger.noteDeed({ by: osUser(), action: `remove source ${name}`, origin: '' });
    output.print(`The source ${escapeText(name)} is removed. What was sent stays.`);
    if (options.json) output.json('source-removed', { name, removed: true });
    return 0;
  });
}

async function contentOf(file: string): Promise<string> {
  if (file === '-') return textOf(process.stdin);
  return readFile(file, 'utf8').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new InputError(`${file} cannot be read (${code}).`, { cause: error });
  });
}

function notKept(name: string): InputError {
  return new InputError(`No source ${name} is kept in the ledger; \`roster-sync sources list\` shows them.`);
}
