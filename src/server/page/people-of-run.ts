// The people of a run, page by page and as a file; remembers where pages begin.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { plannedFor } from '../../acts/people-filter.ts';
import { defined } from '../../core/defined.ts';
import { writeCause } from '../../core/run/cause.ts';
import type { PeopleFilter, PersonOfRun } from '../../ledger/people/people-of-run.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import { people, type PeopleView, showsOfRun } from '../../page/people.ts';
import { findRun, readReport } from '../../report/run/read-report.ts';
import type { ServerParts } from '../parts.ts';
import { sendPage } from './answers.ts';
import {
  type Asked,
  countNarrowed,
  filterOf,
  type Form,
  isOfPeople,
  isSortable,
  limit,
  listOf,
  orderOf,
  readAsked,
  sendPeople,
} from './people-list.ts';
import { keepNewest } from './run-figures.ts';
import type { CountRun } from './run-page.ts';

export function registerPeopleOfRun(app: FastifyInstance, parts: ServerParts, countRun: CountRun): void {
  const { context } = parts;
  const { ledger } = context;
  const places = listPlaces();
  const runOf = ({ params }: FastifyRequest): Promise<Run> => findRun(context, (params as { run: string }).run);

  async function send(request: FastifyRequest, reply: FastifyReply, asked: Asked): Promise<FastifyReply> {
    const run = await runOf(request);
    const frame = { title: `Everybody of ${run.source}`, place: 'runs' } as const;
    return sendPage(parts, request, reply, frame, people(await viewOf(run, asked)));
  }

  app.get('/runs/:run/people', async (request, reply) =>
    send(request, reply, { ...readAsked(showsOfRun, request.query as Form), text: '' }),
  );

  // What is searched for names people: it is posted, so that it stays out of addresses and logs.
  app.post('/runs/:run/people', async (request, reply) =>
    send(request, reply, readAsked(showsOfRun, request.body as Form)),
  );

  app.post('/runs/:run/people/download', async (request, reply) =>
    sendPeople(parts, [request, reply], [await runOf(request), readAsked(showsOfRun, request.body as Form)]),
  );

  /** A page of people. Places in the list are numbers, so that nobody's address is in the address of a page. */
  async function viewOf(run: Run, asked: Asked): Promise<PeopleView> {
    const { show, from, cause } = asked;
    const { totals, failures } = await countRun(run);
    const report = await readReport(context, run, { rejectSamples: 0, totals });
    const filter = filterOf(run, asked);
    const failure = failures.find((each) => writeCause(each) === cause);
    return {
      report,
      show,
      list: listOf(`/runs/${run.id}/people`, asked),
      groups: (run.plan?.groups ?? []).map((each) => each.group).toSorted(),
      isSortable: isSortable(run),
      people: isOfPeople(show) ? await peopleFrom(run, filter, asked) : [],
      departed: show === 'departed' ? await ledger.listDeparted(run.id, '', limit, from) : [],
      rejects: show === 'reject' ? await ledger.listRejects(run.id, { from, limit }) : [],
      ...defined({ counted: await countNarrowed(context, run, asked) }),
      ...(filter.stoppedBy && { guard: filter.stoppedBy.guard }),
      ...(filter.cause && { cause: `Not delivered: ${failure?.reason || 'no answer that was kept'}.` }),
    };
  }

  /** People of a list. Who belongs to it stays the same while the state of the run does, unless it is about how calls end. */
  async function peopleFrom(run: Run, filter: PeopleFilter, { from, sort = '' }: Asked): Promise<PersonOfRun[]> {
    const { outcomes, isOpen, cause, text } = filter;
    const of = plannedFor(run);
    const order = orderOf(run, { sort });
    if (order) return ledger.peopleOfRun(of, filter, { from, limit, ...order });
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

/** Lists that are remembered, and places of each. */
const [mostLists, mostPlaces] = [200, 500];

/** Makes an empty memory. A list is named by everything that its people depend on, so that nothing in it goes out of date. */
export function listPlaces() {
  const lists = new Map<string, Map<number, string>>();
  return {
    /** The shortest known way to the person with this number, from 0: behind whom (nobody where it is empty), and how many further. */
    wayTo(list: string, number: number): { after: string; from: number } {
      let [nearest, after] = [0, ''];
      for (const [place, before] of lists.get(list) ?? []) {
        if (place > nearest && place <= number) [nearest, after] = [place, before];
      }
      return { after, from: number - nearest };
    },
    /** Notes who comes just before the person with this number. */
    note(list: string, number: number, before: string): void {
      const places = lists.get(list) ?? new Map<number, string>();
      keepNewest(lists, mostLists, list, places);
      keepNewest(places, mostPlaces, number, before);
    },
  };
}
