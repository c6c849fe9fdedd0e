// The pages that list: runs, the people of a run, what changed between two, and who was put into which group.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compareRuns } from '../../acts/looking.ts';
import { checkInsertsKept } from '../../acts/run-files.ts';
import { defined } from '../../core/defined.ts';
import { runStates } from '../../core/run/states.ts';
import { type Run, runOrderNames } from '../../ledger/runs/runs.ts';
import { changeNames, comparison, inserts, insertsTitle, runs, runsLimit } from '../../page/runs.ts';
import { findRun, readReport, readSummaries } from '../../report/run/read-report.ts';
import { askOf } from '../api/mount.ts';
import type { ServerParts } from '../parts.ts';
import { type Form, formOf, paramOf, sendPage } from './session.ts';
import {
  type Asked,
  cleanText,
  filterOf,
  isOfPeople,
  limit,
  orderOf,
  peopleRoutes,
  placeOf,
  viewOfList,
} from './people-list.ts';
import type { CountRun } from './run-page.ts';
import { plannedFor } from '../../acts/people-filter.ts';
import { writeCause } from '../../core/run/cause.ts';
import type { PeopleFilter, PersonOfRun } from '../../ledger/people/people-of-run.ts';
import { people, type PeopleView, showsOfRun } from '../../page/people.ts';
import { t } from '../../page/words.ts';
import { keepNewest } from './run-figures.ts';

export function registerListing(app: FastifyInstance, parts: ServerParts, countRun: CountRun): void {
  const { context } = parts;
  const { ledger } = context;
  const runOf = (request: FastifyRequest) => findRun(context, paramOf(request, 'run'));

  app.get('/runs', async (request, reply) => sendRuns(request, reply, request.query as Form));
  app.post('/runs', async (request, reply) => sendRuns(request, reply, formOf(request)));

  async function sendRuns(request: FastifyRequest, reply: FastifyReply, form: Form): Promise<FastifyReply> {
    const { status: state = '', source = '', text: typed = '', previews = '', from: place = '', sort = '' } = form;
    const status = runStates.find((each) => each === state);
    const [text, from] = [cleanText(typed), placeOf(place)];
    const filter = {
      ...defined({ status }),
      ...(source !== '' && { source }),
      ...(text !== '' && { text }),
    };
    const isMeant = previews !== 'shown';
    const by = runOrderNames.find((name) => name === sort.replace(/^-/, ''));
    const order = by && { by, isUp: !sort.startsWith('-') };
    const found = await ledger.listRuns(runsLimit, { ...filter, isMeant, from, ...order });
    const reports = await readSummaries(context, found, async (run) => (await countRun(run)).totals);
    const total = await ledger.countRuns({ ...filter, isMeant });
    const body = runs({
      list: { path: '/runs', asked: { status: status ?? '', source, text, previews, sort }, from, limit: runsLimit },
      runs: reports.map((report, at) => ({ ...report, begunBy: found[at]?.begunBy ?? null })),
      total,
      previews: isMeant ? (await ledger.countRuns(filter)) - total : 0,
      sources: await ledger.sourcesOfRuns(),
    });
    return sendPage(parts, request, reply, { title: t('Runs'), place: 'runs' }, body);
  }

  app.get('/runs/:run/compare', async (request, reply) => {
    const run = paramOf(request, 'run');
    const { change: asked = '', with: other = '', from: place = '' } = request.query as Form;
    const change = changeNames.find((each) => each === asked);
    const from = placeOf(place);
    const named = other === '' ? {} : { with: other };
    const compared = await askOf(parts, request)(compareRuns, { run, ...named, ...defined({ change }), from, limit });
    const list = { path: `/runs/${run}/compare`, asked: { change: change ?? '', with: other }, from, limit };
    return sendPage(parts, request, reply, { title: t('What changed'), place: 'runs' }, comparison(list, compared));
  });

  app.get('/runs/:run/inserts', async (request, reply) => {
    const run = await runOf(request);
    checkInsertsKept(run);
    const { totals } = await countRun(run);
    const { after = '0', from = '0' } = request.query as Form;
    const listed = await ledger.listInserts(run.id, { after: placeOf(after), deliveries: limit });
    const people = new Set(listed.map(({ deliveryId }) => deliveryId));
    const last = listed.at(-1)?.deliveryId ?? 0;
    const isMore = people.size === limit;
    const next = isMore ? `/runs/${run.id}/inserts?after=${last}&from=${placeOf(from) + limit}` : undefined;
    const report = await readReport(context, run, { rejectSamples: 0, totals });
    const body = inserts({
      report,
      inserts: listed.filter(({ group }) => group !== null),
      from: placeOf(from),
      ...defined({ next }),
    });
    return sendPage(parts, request, reply, { title: t(insertsTitle), place: 'runs' }, body);
  });
}

export function registerPeopleOfRun(app: FastifyInstance, parts: ServerParts, countRun: CountRun): void {
  const { context } = parts;
  const { ledger } = context;
  const places = listPlaces();
  const runOf = (request: FastifyRequest): Promise<Run> => findRun(context, paramOf(request, 'run'));

  async function answer(request: FastifyRequest, reply: FastifyReply, asked: Asked): Promise<FastifyReply> {
    const run = await runOf(request);
    const frame = { title: t('Everybody of {source}', 1, { source: run.source }), place: 'runs' } as const;
    return sendPage(parts, request, reply, frame, people(await viewOf(run, asked)));
  }

  peopleRoutes(app, parts, { path: '/runs/:run/people', shows: showsOfRun, scope: 'read', runOf, answer });

  /** A page of people. Places in the list are numbers, so that nobody's address is in the address of a page. */
  async function viewOf(run: Run, asked: Asked): Promise<PeopleView> {
    const { show, from, cause } = asked;
    const { totals, failures } = await countRun(run);
    const report = await readReport(context, run, { rejectSamples: 0, totals });
    const filter = filterOf(run, asked);
    const reason = failures.find((each) => writeCause(each) === cause)?.reason || t('no answer that was kept');
    return {
      report,
      ...(await viewOfList(context, run, `/runs/${run.id}/people`, asked)),
      people: isOfPeople(show) ? await peopleFrom(run, filter, asked) : [],
      departed: show === 'departed' ? await ledger.listDeparted(run.id, '', limit, from) : [],
      rejects: show === 'reject' ? await ledger.listRejects(run.id, { from, limit }) : [],
      ...(filter.stoppedBy && { question: asked.reason }),
      ...(filter.cause && { cause: t('Not delivered: {reason}.', 1, { reason }) }),
    };
  }

  /** People of a list. Who belongs to it stays the same while the state of the run does, unless it is about how calls end. */
  async function peopleFrom(run: Run, filter: PeopleFilter, { from, sort }: Asked): Promise<PersonOfRun[]> {
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
