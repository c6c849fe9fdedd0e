// The pages that look: home, runs, a run, a person, what is left behind.
import type { FastifyInstance } from 'fastify';
import { listLeftBehind } from '../../acts/left-behind.ts';
import { findPeople, getPerson, personFile } from '../../acts/people.ts';
import { defined } from '../../core/defined.ts';
import { isEmailAddress } from '../../core/cells/read-cell.ts';
import { personKey } from '../../core/person/member.ts';
import { configuredSchedules, nextTimes } from '../../core/run/schedule.ts';
import { configured } from '../../roster/configured-source.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import { home, type SourceView } from '../../page/home.ts';
import { leftBehind } from '../../page/runs.ts';
import { peopleFound } from '../../page/people-found.ts';
import { person, personSearch } from '../../page/person.ts';
import { findRun, readSummaries } from '../../report/run/read-report.ts';
import type { RunReport } from '../../report/run/run-report.ts';
import { askOf } from '../api/mount.ts';
import { sendBytes } from '../api/send-file.ts';
import type { ServerParts } from '../parts.ts';
import { sendPage } from './answers.ts';
import { cleanText } from './people-list.ts';
import { type CountRun, sendRun } from './run-page.ts';
import { viewerOf } from './session.ts';

/** Runs that the first page looks at: enough for the last ones of each source. */
const lookedAtRuns = 100;
const barsOfSource = 14;
const weekMs = 7 * 24 * 60 * 60_000;

export function registerLooking(app: FastifyInstance, parts: ServerParts, countRun: CountRun): void {
  const { context } = parts;
  const { ledger, config } = context;

  app.get('/', async (request, reply) => {
    const reports = await reportsOf(await ledger.listRuns(lookedAtRuns));
    const now = new Date();
    const schedules = configuredSchedules(config);
    const names = [...new Set([...Object.keys(config.sources), ...reports.map(({ source }) => source)])];
    const sources = names.map((name): SourceView => {
      const source = configured(config, name);
      const schedule = schedules.get(name);
      const next = schedule && nextTimes(schedule, now, 1)[0];
      return {
        name,
        runs: reports.filter(({ source }) => source === name).slice(0, barsOfSource),
        ...defined({ nextAt: next?.toISOString() }),
        ...(source?.scim && { isPushed: true }),
        ...(source?.webhook && { webhook: source.webhook }),
      };
    });
    const { people: leftBehind } = await ledger.countLeftBehind({});
    const unseen = await ledger.countUnseen(new Date(now.getTime() - weekMs));
    const { title, body } = home({
      runs: reports,
      sources,
      leftBehind,
      unseen,
      now: now.toISOString(),
      ...(viewerOf(request).mayRun && { limitBytes: config.server.uploadLimit }),
    });
    const live = reports.some(({ status }) => status === 'delivering' || status === 'planning') && { live: '*' };
    return sendPage(parts, request, reply, { title, place: 'home', ...live }, body);
  });

  app.get('/runs/:run', async (request, reply) =>
    sendRun({ parts, countRun }, request, reply, await findRun(context, (request.params as { run: string }).run)),
  );

  app.get('/people', async (request, reply) =>
    sendPage(parts, request, reply, { title: 'Look somebody up', place: 'people' }, personSearch()),
  );

  app.post('/people', async (request, reply) => {
    const { email = '' } = request.body as Partial<Record<string, string>>;
    const frame = { title: 'A person', place: 'people' } as const;
    const ask = askOf(parts, request);
    if (!isEmailAddress(personKey(email))) {
      const text = cleanText(email);
      if (text.length < 2) {
        return sendPage(parts, request, reply.code(422), frame, personSearch(text, 'Type at least two letters.'));
      }
      return sendPage(parts, request, reply, frame, peopleFound(text, await ask(findPeople, { text })));
    }
    const history = await ask(getPerson, { email });
    return sendPage(parts, request, reply, frame, person(history, viewerOf(request)));
  });

  app.post('/people/download', async (request, reply) => {
    const { email = '' } = request.body as Partial<Record<string, string>>;
    return sendBytes(request, reply, await askOf(parts, request)(personFile, { email }));
  });

  app.get('/left-behind', async (request, reply) => {
    const { leftBehind: rows } = await askOf(parts, request)(listLeftBehind, {});
    const title = 'Groups that somebody should have left';
    return sendPage(parts, request, reply, { title, place: 'home' }, leftBehind(rows));
  });

  async function reportsOf(latest: Run[]): Promise<RunReport[]> {
    return readSummaries(context, latest, async (run) => (await countRun(run)).totals);
  }
}
