// The pages that list: runs, what changed between two, and who was put into which group.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compareRuns } from '../../acts/looking.ts';
import { checkInsertsKept } from '../../acts/run-files.ts';
import { defined } from '../../core/defined.ts';
import { runStates } from '../../core/run/states.ts';
import { runOrderNames } from '../../ledger/runs/runs.ts';
import { inserts, insertsTitle } from '../../page/inserts.ts';
import { changeNames, comparison, runs, runsLimit } from '../../page/runs.ts';
import { findRun, readReport, readSummaries } from '../../report/run/read-report.ts';
import { askOf } from '../api/mount.ts';
import type { ServerParts } from '../parts.ts';
import { sendPage } from './answers.ts';
import { cleanText, type Form, limit, placeOf } from './people-list.ts';
import type { CountRun } from './run-page.ts';

export function registerListing(app: FastifyInstance, parts: ServerParts, countRun: CountRun): void {
  const { context } = parts;
  const { ledger } = context;
  const runOf = ({ params }: FastifyRequest) => findRun(context, (params as { run: string }).run);

  app.get('/runs', async (request, reply) => sendRuns(request, reply, request.query as Form));
  app.post('/runs', async (request, reply) => sendRuns(request, reply, request.body as Form));

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
    return sendPage(parts, request, reply, { title: 'Runs', place: 'runs' }, body);
  }

  app.get('/runs/:run/compare', async (request, reply) => {
    const { run } = request.params as { run: string };
    const { change: asked = '', with: other = '', from: place = '' } = request.query as Form;
    const change = changeNames.find((each) => each === asked);
    const from = placeOf(place);
    const named = other === '' ? {} : { with: other };
    const compared = await askOf(parts, request)(compareRuns, { run, ...named, ...defined({ change }), from, limit });
    const list = { path: `/runs/${run}/compare`, asked: { change: change ?? '', with: other }, from, limit };
    return sendPage(parts, request, reply, { title: 'What changed', place: 'runs' }, comparison(list, compared));
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
    return sendPage(parts, request, reply, { title: insertsTitle, place: 'runs' }, body);
  });
}
