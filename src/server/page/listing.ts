// The pages that list: runs, what changed between two, and who was put into which group.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { compareRuns } from '../../acts/looking.ts';
import { checkInsertsKept } from '../../acts/run-files.ts';
import { defined } from '../../core/defined.ts';
import { inserts, insertsTitle } from '../../page/inserts.ts';
import { comparison } from '../../page/runs.ts';
import { findRun, readReport } from '../../report/run/read-report.ts';
import { askOf } from '../api/mount.ts';
import type { ServerParts } from '../parts.ts';
import { sendPage } from './answers.ts';
import { type Form, limit, placeOf } from './people-list.ts';
import type { CountRun } from './run-page.ts';

export function registerListing(app: FastifyInstance, parts: ServerParts, countRun: CountRun): void {
  const { context } = parts;
  const runOf = ({ params }: FastifyRequest) => findRun(context, (params as { run: string }).run);

  app.get('/runs/:run/compare', async (request, reply) => {
    const { run } = request.params as { run: string };
    const compared = await askOf(parts, request)(compareRuns, { run, limit: 500 });
    return sendPage(parts, request, reply, { title: 'What changed', place: 'runs' }, comparison(compared));
  });

  app.get('/runs/:run/inserts', async (request, reply) => {
    const run = await runOf(request);
    checkInsertsKept(run);
    const { totals } = await countRun(run);
    const { after = '0', from = '0' } = request.query as Form;
    const listed = await context.ledger.listInserts(run.id, { after: placeOf(after), deliveries: limit });
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
