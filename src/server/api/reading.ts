// The API routes that only read.
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { readPerson } from '../../../jobs/index.ts';
import { isEmailAddress } from '../../core/cells/email-address.ts';
import { personKey } from '../../core/person/member.ts';
import { readReport, readSummaries } from '../../report/run/read-report.ts';
import { runJson, runsJson } from '../../report/run/run-report.ts';
import type { ApiParts } from '../parts.ts';
import { RequestError } from '../problems.ts';
import { originOf } from './deeds.ts';
import { theRun } from './find-run.ts';
import { facts } from './routes.ts';
import {
  Audit,
  InvitedPage,
  InvitedQuery,
  ListQuery,
  Person,
  PersonBody,
  PlanOfRun,
  Run,
  RunParams,
  Runs,
} from './schemas.ts';

/** Deeds at most in one answer. */
const mostDeeds = 200;

export function registerReading(app: FastifyInstance, { context }: ApiParts): void {
  const { ledger } = context;

  app.get(
    '/runs',
    facts({ scope: 'read', id: 'listRuns', summary: 'List the runs', querystring: ListQuery, answer: Runs }),
    async (request) => {
      const { limit, before, since, ...filter } = request.query as z.output<typeof ListQuery>;
      const found = await ledger.listRuns(limit + 1, {
        ...filter,
        ...(since !== undefined && { since: new Date(since) }),
        ...(before !== undefined && { before: (await theRun(ledger, before)).number }),
      });
      const reports = await readSummaries(context, found.slice(0, limit));
      const last = reports.at(-1);
      return { ...runsJson(reports), ...(found.length > limit && last && { next: last.run }) };
    },
  );

  app.get(
    '/invited',
    facts({
      scope: 'read',
      id: 'listInvited',
      summary: 'List who may have been invited',
      querystring: InvitedQuery,
      answer: InvitedPage,
    }),
    async (request) => {
      const { limit, after, since, until } = request.query as z.output<typeof InvitedQuery>;
      const filter = {
        ...(since !== undefined && { since: new Date(since) }),
        ...(until !== undefined && { until: new Date(until) }),
      };
      const found = await ledger.listInvited(filter, after, limit);
      await ledger.noteDeed({ by: request.by, action: 'list who was invited', origin: originOf(request) });
      const last = found.length === limit ? found.at(-1) : undefined;
      const invited = found.map((person) => ({ ...person, at: person.at.toISOString(), id: undefined }));
      return { invited, ...(last && { next: last.id }) };
    },
  );

  app.get(
    '/runs/:run',
    facts({ scope: 'read', id: 'getRun', summary: 'Show a run', params: RunParams, answer: Run }),
    async (request) => {
      const run = await theRun(ledger, (request.params as z.output<typeof RunParams>).run);
      return runJson(await readReport(context, run));
    },
  );

  app.get(
    '/runs/:run/plan',
    facts({ scope: 'read', id: 'getPlan', summary: 'Show the plan of a run', params: RunParams, answer: PlanOfRun }),
    async (request) => {
      const { id, status, plan, trips } = await theRun(ledger, (request.params as z.output<typeof RunParams>).run);
      if (plan === null) throw new RequestError(404, 'NO_PLAN', `Run ${id} is ${status} and has no plan.`);
      const stopped = trips.map(({ guard, message }) => ({ guard, message }));
      return { run: id, status, ...plan, trips: stopped };
    },
  );

  app.get(
    '/runs/:run/audit',
    facts({ scope: 'read', id: 'getAudit', summary: 'Show who did what to a run', params: RunParams, answer: Audit }),
    async (request) => {
      const { id } = await theRun(ledger, (request.params as z.output<typeof RunParams>).run);
      const deeds = await ledger.listDeeds({ runId: id, limit: mostDeeds });
      return { audit: deeds.map(({ runId, at, ...deed }) => ({ at: at.toISOString(), ...deed, run: runId })) };
    },
  );

  // An address in a path or a query would be in the logs of every proxy.
  app.post(
    '/person',
    facts({
      scope: 'read',
      id: 'getPerson',
      summary: 'Show what is known about a person',
      body: PersonBody,
      answer: Person,
    }),
    async (request) => {
      const { email } = request.body as z.output<typeof PersonBody>;
      if (!isEmailAddress(personKey(email))) {
        throw new RequestError(422, 'INPUT', 'Name the person by their e-mail address.');
      }
      const person = await readPerson(context, email);
      await ledger.noteDeed({ by: request.by, action: 'look at a person', origin: originOf(request) });
      return person;
    },
  );
}
