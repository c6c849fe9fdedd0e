// The people of a run, page by page: everybody, or those of a filter; and the same as a file.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { rejectsFileParts } from '../../../jobs/index.ts';
import { defined } from '../../core/defined.ts';
import { failedOutcomes, writeCause } from '../../core/run/cause.ts';
import { sentActions } from '../../core/run/run.ts';
import type { PeopleFilter, PersonOfRun } from '../../ledger/people/people-of-run.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import { people, type PeopleView, type Show, shows } from '../../page/people.ts';
import { departedFile, peopleFile } from '../../report/files/people-file.ts';
import { findRun, readReport } from '../../report/run/read-report.ts';
import { causeOf, plannedFor, reasonOf } from '../../acts/people-filter.ts';
import { sendFile } from '../api/send-file.ts';
import type { ServerParts } from '../parts.ts';
import { sendPage } from './answers.ts';
import { listPlaces } from './list-places.ts';
import type { CountRun } from './run-page.ts';

type Form = Partial<Record<string, string>>;

const limit = 50;
/** More than any roster has. */
const mostPeople = 100_000_000;

interface Asked {
  show: Show;
  text: string;
  reason?: string | undefined;
  group?: string | undefined;
  cause?: string | undefined;
}

export function registerPeopleOfRun(app: FastifyInstance, parts: ServerParts, countRun: CountRun): void {
  const { context } = parts;
  const { ledger } = context;
  const places = listPlaces();
  const runOf = ({ params }: FastifyRequest): Promise<Run> => findRun(context, (params as { run: string }).run);

  app.get('/runs/:run/people', async (request, reply) => {
    const run = await runOf(request);
    const query = request.query as Form;
    const from = Math.min(Math.max(0, Math.trunc(Number(query['from'] ?? '0')) || 0), mostPeople);
    const view = await viewOf(run, { ...readAsked(query), text: '' }, from);
    return sendPage(parts, request, reply, { title: `Everybody of ${run.source}`, place: 'runs' }, people(view));
  });

  // What is searched for names people: it is posted, so that it stays out of addresses and logs.
  app.post('/runs/:run/people', async (request, reply) => {
    const run = await runOf(request);
    const { text } = readAsked(request.body as Form);
    const view = await viewOf(run, { show: 'everybody', text }, 0);
    return sendPage(parts, request, reply, { title: `Everybody of ${run.source}`, place: 'runs' }, people(view));
  });

  app.post('/runs/:run/people/download', async (request, reply) => {
    const run = await runOf(request);
    const asked = readAsked(request.body as Form);
    const parts =
      asked.show === 'reject'
        ? rejectsFileParts(context, run)
        : asked.show === 'departed'
          ? departedFile(ledger, run.id)
          : peopleFile(ledger, plannedFor(run), filterOf(run, asked));
    const file = { name: `${run.id}-people.csv`, type: 'text/csv; charset=utf-8', parts };
    return sendFile(context, request, reply, { runId: run.id, action: 'download people', ...file });
  });

  /** A page of people. Places in the list are numbers, so that nobody's address is in the address of a page. */
  async function viewOf(run: Run, asked: Asked, from: number): Promise<PeopleView> {
    const { show, text, reason, group, cause } = asked;
    const { totals, failures } = await countRun(run);
    const report = await readReport(context, run, { rejectSamples: 0, totals });
    const filter = filterOf(run, asked);
    const isOfPeople = show !== 'reject' && show !== 'departed';
    const found = {
      people: isOfPeople ? await peopleFrom(run, filter, from) : [],
      departed: show === 'departed' ? await ledger.listDeparted(run.id, '', limit, from) : [],
      rejects: show === 'reject' ? await ledger.listRejects(run.id, { from, limit }) : [],
    };
    const shown = found.people.length + found.departed.length + found.rejects.length;
    const narrow = {
      ...defined({ group, reason, cause }),
    };
    const query = new URLSearchParams({ show, ...narrow, from: String(from + shown) });
    // A search is posted, and shows its first page.
    const next = text === '' && shown === limit ? `/runs/${run.id}/people?${query.toString()}` : undefined;
    const failure = failures.find((each) => writeCause(each) === cause);
    return {
      report,
      show,
      text,
      from,
      asked: { show, text, ...narrow },
      ...defined({ group }),
      ...(filter.stoppedBy && { guard: filter.stoppedBy.guard }),
      ...(filter.cause && { cause: `Not delivered: ${failure?.reason || 'no answer that was kept'}.` }),
      ...found,
      ...defined({ next }),
    };
  }

  /** People of a list. Who belongs to it stays the same while the state of the run does, unless it is about how calls end. */
  async function peopleFrom(run: Run, filter: PeopleFilter, from: number): Promise<PersonOfRun[]> {
    const { outcomes, isOpen, cause, text } = filter;
    const of = plannedFor(run);
    if (from === 0 || outcomes || isOpen || cause || text) return ledger.peopleOfRun(of, filter, { from, limit });
    const list = JSON.stringify([run.id, run.status, run.releasedAt, filter]);
    const { after, from: further } = places.wayTo(list, from);
    if (further === 0) return noted(await ledger.peopleOfRun(of, filter, { after, limit }));
    // The one before them is read as well: next time the page begins behind them.
    const [before, ...people] = await ledger.peopleOfRun(of, filter, { after, from: further - 1, limit: limit + 1 });
    if (before) places.note(list, from, before.key);
    return noted(people);

    function noted(found: PersonOfRun[]): PersonOfRun[] {
      const last = found.at(-1);
      if (last) places.note(list, from + found.length, last.key);
      return found;
    }
  }
}

function readAsked({ show = '', text = '', reason, group, cause }: Form): Asked {
  return { show: isShow(show) ? show : 'everybody', text: text.trim().slice(0, 200), reason, group, cause };
}

function isShow(text: string): text is Show {
  return Object.hasOwn(shows, text);
}

function filterOf(run: Run, { show, text, reason, group, cause }: Asked): PeopleFilter {
  return {
    ...filterOfShow(show),
    ...defined({ group }),
    ...(cause !== undefined && { cause: causeOf(cause) }),
    ...(reason !== undefined && { stoppedBy: reasonOf(run, Number(reason)) }),
    ...(text !== '' && { text }),
  };
}

function filterOfShow(show: Show): PeopleFilter {
  switch (show) {
    case 'everybody':
      return { actions: [...sentActions, 'later'] };
    case 'undelivered':
      return { outcomes: [...failedOutcomes] };
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
