// The pages that look: home, runs, a run, its people, a person, what is left behind.
import type { FastifyInstance } from 'fastify';
import { readPerson } from '../../../jobs/index.ts';
import { escapeJson } from '../../core/text/escape.ts';
import { isEmailAddress } from '../../core/rows/email-address.ts';
import { personKey } from '../../core/person/member.ts';
import { configuredSchedules, nextTimes } from '../../core/run/schedule.ts';
import type { Reject } from '../../core/rows/row.ts';
import { sentActions } from '../../core/run/run.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import type { PeopleFilter } from '../../ledger/people/people-of-run.ts';
import type { DepartedPerson } from '../../ledger/planning/departed-list.ts';
import { home, type SourceView } from '../../page/home.ts';
import { leftBehind } from '../../page/left-behind.ts';
import { people, type PeopleView, type Show, shows } from '../../page/people.ts';
import { person, personSearch } from '../../page/person.ts';
import { runs } from '../../page/runs.ts';
import { readReport, readSummaries } from '../../report/run/read-report.ts';
import type { RunReport } from '../../report/run/run-report.ts';
import { originOf } from '../api/deeds.ts';
import { writeCause } from '../../core/run/cause.ts';
import { causeOf } from '../api/cause.ts';
import { theRun } from '../api/find-run.ts';
import { reasonOf } from '../api/reason.ts';
import type { ServerParts } from '../parts.ts';
import { RequestError } from '../problems.ts';
import { sendPage } from './answers.ts';
import { forgottenOn } from './forgotten.ts';
import { type CountRun, sendRun } from './run-page.ts';
import { viewerOf } from './session.ts';

/** Runs that the first page looks at: enough for the last ones of each source. */
const lookedAtRuns = 100;
const barsOfSource = 14;
const weekMs = 7 * 24 * 60 * 60_000;
const mostLeftBehind = 500;
/** People on a page. */
const limit = 50;
/** More than any roster has. */
const mostPeople = 100_000_000;

/** The pages that only look. Who looks at people is in the audit. */
export function registerLooking(app: FastifyInstance, parts: ServerParts, countRun: CountRun): void {
  const { context } = parts;
  const { ledger, config } = context;

  app.get('/', async (request, reply) => {
    const latest = await ledger.listRuns(lookedAtRuns);
    const reports = await reportsOf(latest);
    const now = new Date();
    const schedules = configuredSchedules(config);
    const names = [...new Set([...Object.keys(config.sources), ...reports.map(({ source }) => source)])];
    const sources = names.map((name): SourceView => {
      const schedule = schedules.get(name);
      const next = schedule && nextTimes(schedule, now, 1)[0];
      return {
        name,
        runs: reports.filter(({ source }) => source === name).slice(0, barsOfSource),
        ...(next && { nextAt: next.toISOString() }),
      };
    });
    const { people: leftBehind } = await ledger.countLeftBehind({});
    const unseen = await unseenSince(now.getTime() - weekMs, latest);
    const { title, body } = home({
      ...{ runs: reports, sources, leftBehind, unseen, now: now.toISOString() },
      ...(viewerOf(request).mayRun && { limitBytes: config.server.uploadLimit }),
    });
    const live = reports.some(({ status }) => status === 'delivering' || status === 'planning') && { live: '*' };
    return sendPage(parts, request, reply, { title, place: 'home', ...live }, body);
  });

  app.get('/runs', async (request, reply) => {
    const reports = await reportsOf(await ledger.listRuns(lookedAtRuns));
    return sendPage(parts, request, reply, { title: 'Runs', place: 'runs' }, runs(reports));
  });

  app.get('/runs/:run', async (request, reply) =>
    sendRun({ parts, countRun }, request, reply, await theRun(ledger, (request.params as { run: string }).run)),
  );

  app.get('/runs/:run/people', async (request, reply) => {
    const run = await theRun(ledger, (request.params as { run: string }).run);
    const { show = '', reason, group, cause, from = '0' } = request.query as Partial<Record<string, string>>;
    const place = Math.min(Math.max(0, Math.trunc(Number(from)) || 0), mostPeople);
    const view = await peopleView(run, { show: isShow(show) ? show : 'everybody', from: place, reason, group, cause });
    return sendPage(parts, request, reply, { title: `Everybody of ${run.source}`, place: 'runs' }, people(view));
  });

  // What is searched for names people: it is posted, so that it stays out of addresses and logs.
  app.post('/runs/:run/people', async (request, reply) => {
    const run = await theRun(ledger, (request.params as { run: string }).run);
    const { text = '' } = request.body as Partial<Record<string, string>>;
    const view = await peopleView(run, { show: 'everybody', from: 0, text: text.trim().slice(0, 200) });
    return sendPage(parts, request, reply, { title: `Everybody of ${run.source}`, place: 'runs' }, people(view));
  });

  app.get('/people', async (request, reply) =>
    sendPage(parts, request, reply, { title: 'Look somebody up', place: 'people' }, personSearch()),
  );

  app.post('/people', async (request, reply) => {
    const { email = '' } = request.body as Partial<Record<string, string>>;
    const frame = { title: 'A person', place: 'people' } as const;
    if (!isEmailAddress(personKey(email))) {
      return sendPage(parts, request, reply.code(422), frame, personSearch(email, 'That is not an e-mail address.'));
    }
    await ledger.noteDeed({ by: request.by, action: 'look at a person', origin: originOf(request) });
    const history = await readPerson(context, email);
    const forgottenAt = await forgottenOn(context, personKey(email));
    return sendPage(parts, request, reply, frame, person(history, viewerOf(request), forgottenAt));
  });

  app.post('/people/download', async (request, reply) => {
    const { email = '' } = request.body as Partial<Record<string, string>>;
    if (!isEmailAddress(personKey(email))) throw new RequestError(422, 'INPUT', 'That is not an e-mail address.');
    const history = await readPerson(context, email);
    await ledger.noteDeed({ by: request.by, action: 'download a person', origin: originOf(request) });
    return reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="person.json"')
      .send(escapeJson(JSON.stringify(history, undefined, 2)));
  });

  app.get('/left-behind', async (request, reply) => {
    const { rows } = await ledger.listLeftBehind({}, undefined, mostLeftBehind);
    const title = 'Groups that somebody should have left';
    return sendPage(parts, request, reply, { title, place: 'home' }, leftBehind(rows));
  });

  /** Kinds of answers that the service gave for the first time, in any run, since then (ms). */
  async function unseenSince(since: number, latest: readonly Run[]): Promise<number> {
    const kinds = new Set<string>();
    for (const run of latest) {
      if (run.finishedAt !== null && run.finishedAt.getTime() < since) continue;
      const { noticed } = await countRun(run);
      for (const { kind, firstSeenAt } of noticed) {
        if (firstSeenAt.getTime() >= since) kinds.add(`${run.service} ${kind}`);
      }
    }
    return kinds.size;
  }

  async function reportsOf(latest: Run[]): Promise<RunReport[]> {
    return readSummaries(context, latest, async (run) => (await countRun(run)).totals);
  }

  /** A page of people. Places in the list are numbers, so that nobody's address is in the address of a page. */
  async function peopleView(run: Run, asked: PeopleAsked): Promise<PeopleView> {
    const { show, from, text = '', reason, group, cause: word } = asked;
    const { totals, failures } = await countRun(run);
    const report = await readReport(context, run, { rejectSamples: 0, totals });
    const cause = word === undefined ? undefined : causeOf(word);
    const failure = failures.find((each) => writeCause(each) === word);
    const narrow = { ...(group !== undefined && { group }), ...(cause && { cause }) };
    const trip = reason === undefined ? undefined : reasonOf(run, Number(reason));
    const of = { runId: run.id, service: run.service, source: run.source };
    const filter = { ...filterOf(show), ...narrow, ...(trip && { stoppedBy: trip }), ...(text !== '' && { text }) };
    const found = {
      people: show === 'reject' || show === 'departed' ? [] : await ledger.peopleOfRun(of, filter, { from, limit }),
      departed: show === 'departed' ? await departedFrom(run.id, from) : [],
      rejects: show === 'reject' ? await rejectsFrom(run.id, from) : [],
    };
    const shown = found.people.length + found.departed.length + found.rejects.length;
    const named = { ...(group !== undefined && { group }) };
    const query = new URLSearchParams({
      ...{ show, ...named, ...(reason !== undefined && { reason }) },
      ...(word && { cause: word }),
      from: String(from + shown),
    });
    // A search is posted, and shows its first page.
    const next = text === '' && shown === limit ? `/runs/${run.id}/people?${query.toString()}` : undefined;
    const said = cause && { cause: `Not delivered: ${failure?.reason || 'no answer that was kept'}.` };
    return {
      report,
      show,
      text,
      from,
      ...named,
      ...(trip && { guard: trip.guard }),
      ...said,
      ...found,
      ...(next && { next }),
    };
  }

  async function departedFrom(runId: string, from: number): Promise<DepartedPerson[]> {
    const all = await ledger.listDeparted(runId, '', from + limit);
    return all.slice(from);
  }

  async function rejectsFrom(runId: string, from: number): Promise<Reject[]> {
    const all = await ledger.listRejects(runId, { limit: from + limit });
    return all.slice(from);
  }
}

interface PeopleAsked {
  show: Show;
  from: number;
  text?: string;
  reason?: string | undefined;
  group?: string | undefined;
  cause?: string | undefined;
}

function isShow(text: string): text is Show {
  return Object.hasOwn(shows, text);
}

function filterOf(show: Show): PeopleFilter {
  switch (show) {
    case 'everybody':
      return { actions: [...sentActions, 'later'] };
    case 'undelivered':
      return { outcomes: ['failed', 'partial', 'unknown'] };
    case 'open':
      return { isOpen: true };
    case 'failed':
    case 'partial':
    case 'unknown':
      return { outcomes: [show] };
    case 'departed':
    case 'reject':
      return {};
    default:
      return { actions: [show] };
  }
}
