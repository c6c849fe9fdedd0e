// `progress`: shows who of a source's roster has answered a story.
import { lastRoster, rosterPeople } from '../../acts/stories.ts';
import { completeRoster } from '../../../jobs/story/complete-roster.ts';
import { defined } from '../../core/defined.ts';
import { chooseStories, completionStatuses, hideSmallGroups } from '../../core/story/completion.ts';
import { InputError, StorageError } from '../../core/errors.ts';
import { escapeText, figure } from '../../core/text/format.ts';
import {
  completionJson,
  type CompletionReport,
  groupsSheet,
  ofStatus,
  peopleSheet,
  renderCompletion,
} from '../../report/story/completion-report.ts';
import { withVersion } from '../../acts/shapes/version.ts';
import { sheetParts } from '../../report/files/sheet.ts';
import { refuseEmpty, outputFormat } from '../frame/read-flags.ts';
import { whileAsking } from '../frame/asking.ts';
import { openSession, withActs } from '../frame/session.ts';
import { checkWrittenFiles, writeOut } from '../frame/written-files.ts';
import type { Options } from '../options.ts';

const formats = ['csv', 'xlsx', 'json', 'ndjson'] as const;
type Format = (typeof formats)[number];

/** Only `--people` names anybody. Memory grows by some 40 bytes a person and a bit for each question. */
export async function showProgress(options: Options<'progress'>): Promise<number> {
  const { story, source } = options;
  const session = openSession(options);
  const { config, output } = session;
  refuseEmpty({ app: options.app, story, source });
  const target = targetOf(options);
  checkWrittenFiles({ departed: target.file }, config);
  const how = { command: 'progress' };
  return whileAsking(session, options.quiet ?? false, async ({ service, signal, progress, ask: askService }) => {
    // Asked first, so that a wrong name is told at once and not after a long answer.
    await withActs(session, how, (ask) => ask(lastRoster, { service, source }));
    const { app } = options;
    const request = { story, ...defined({ app }) };
    const askedAt = new Date().toISOString();
    const received = await askService(request);
    const chosen = chooseStories(received.stories, story);
    if (typeof chosen === 'string') throw new InputError(chosen);
    let hasWritten = false;
    await withActs(session, how, async (ask) => {
      if (hasWritten)
        throw new StorageError('The process that owned the ledger has just ended. Run the command again.');
      const roster = await ask(lastRoster, { service, source });
      const of = { service, source, runIds: roster.runIds };
      const page = (after: string, limit: number) => ask(rosterPeople, { ...of, after, limit });
      const { join, tally, found, questions, people } = await completeRoster(page, {
        analysis: received,
        chosen,
      });
      progress?.stop();
      const rows = people(signal);
      if (target.people !== undefined) {
        hasWritten = target.file === undefined;
        const some = ofStatus(rows, target.people);
        const parts = sheetParts(peopleSheet(some), defined({ format: target.format }));
        if (!(await writeOut(output, target.file, parts))) return;
      }
      for await (const _ of rows);
      const { ID, name, app: its } = received.stories[chosen[0] ?? 0]?.story ?? noStory;
      const report: CompletionReport = {
        story: { ID, name, app: its },
        source,
        rosterAt: roster.at,
        askedAt,
        questions,
        shown: hideSmallGroups(tally.total, tally.groups, target.minCell),
        minCell: target.minCell,
        strangers: join.strangers,
      };
      if (target.people === undefined && target.format !== undefined) {
        await writeOut(output, target.file, partsOf(report, target.format));
      }
      const isShown = target.format === undefined || target.file !== undefined;
      const text = renderCompletion(report, output.style);
      if (!options.json) output[isShown ? 'print' : 'note'](text);
      if (!roster.isSnapshot && roster.runIds.length === 1 && found > roster.members) {
        output.note(
          `${figure(found - roster.members)} more people than in the last roster. People of earlier rosters count too: ` +
            'without `snapshot: true` nobody counts as having left.',
        );
      }
      if (target.file !== undefined) output.note(`It is in ${escapeText(target.file)}.`);
      if (options.json) output.json('completion', completionJson(report));
    });
    return 0;
  });
}

const noStory = { ID: '', name: '', app: { ID: '', name: '', version: '' } };

function targetOf({ output: file, format, people, minCell, json = false }: Options<'progress'>) {
  const named = outputFormat(formats, format, file);
  const asked = people === true ? 'all' : people;
  const which = (['all', ...completionStatuses] as const).find((status) => status === asked);
  if (asked !== undefined && which === undefined) {
    throw new InputError(
      `--people ${escapeText(asked)}: write one of ${completionStatuses.join(', ')}, or nothing for all.`,
    );
  }
  if (which !== undefined && named === 'json') {
    throw new InputError(`--people with ${named}: a list of people is csv, xlsx or ndjson.`);
  }
  if (which === undefined && named === 'ndjson') throw new InputError('--format ndjson goes with --people only.');
  if (json && file === undefined && (which !== undefined || named !== undefined)) {
    throw new InputError('--json prints one document on standard output: name a file with -o for anything else.');
  }
  if (!/^\d{1,6}$/.test(minCell) || Number(minCell) < 1)
    throw new InputError(`--min-cell ${minCell}: write a whole number from 1.`);
  return { format: named ?? (which === undefined ? undefined : 'csv'), file, people: which, minCell: Number(minCell) };
}

async function* partsOf(report: CompletionReport, format: Format): AsyncGenerator<string | Uint8Array> {
  if (format === 'json') yield `${JSON.stringify(withVersion(completionJson(report)), null, 2)}\n`;
  else yield* sheetParts(groupsSheet(report), { format });
}
