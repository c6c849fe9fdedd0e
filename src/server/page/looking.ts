// The pages that look at runs and people: home, a run, a person and what may be decided about them.
import type { FastifyInstance } from 'fastify';
import { everyLeftBehind, listLeftBehind, markLeftBehind } from '../../acts/left-behind.ts';
import * as acts from '../../acts/people.ts';
import { defined } from '../../core/defined.ts';
import { isEmailAddress } from '../../core/cells/read-cell.ts';
import { personKey } from '../../core/person/member.ts';
import { configuredSchedules, nextTimes } from '../../core/run/schedule.ts';
import { configured } from '../../roster/configured-source.ts';
import { fileTypes } from '../../acts/shapes/requests.ts';
import { leftBehindSheet } from '../../report/files/left-behind.ts';
import { sheetParts } from '../../report/files/sheet.ts';
import { home, type SourceView } from '../../page/home.ts';
import { leftBehind } from '../../page/runs.ts';
import { peopleFound } from '../../page/people.ts';
import { person, personSearch } from '../../page/person.ts';
import { t } from '../../page/words.ts';
import { findRun, readSummaries } from '../../report/run/read-report.ts';
import { askOf, sendBytes, sendFile } from '../api/mount.ts';
import type { ServerParts } from '../parts.ts';
import { type Form, formOf, paramOf, requireScope, sendPage, viewerOf } from './session.ts';
import { cleanText, placeOf } from './people-list.ts';
import { type CountRun, sendRun } from './run-page.ts';
import {
  allowedPage,
  forgetPage,
  forgetTitle,
  type ForgetView,
  forgottenPage,
  movesPage,
  movesTitle,
} from '../../page/forget.ts';
import { awaitAnswer } from '../bodies.ts';
import { InputError } from '../../core/errors.ts';

/** Runs that the first page looks at: enough for the last ones of each source. */
const lookedAtRuns = 100;
const barsOfSource = 14;
const weekMs = 7 * 24 * 60 * 60_000;

export function registerLooking(app: FastifyInstance, parts: ServerParts, countRun: CountRun): void {
  const { context } = parts;
  const { ledger, config } = context;

  app.get('/', async (request, reply) => {
    const newest = await ledger.listRuns(lookedAtRuns, { isMeant: true });
    // However many came after it, what waits is never left out.
    const waiting = [
      ...(await ledger.listRuns(lookedAtRuns, { status: 'held' })),
      ...(await ledger.unfinishedRuns()).slice(0, lookedAtRuns),
    ];
    const reports = await readSummaries(
      context,
      [...new Map([...newest, ...waiting].map((run) => [run.id, run])).values()],
      async (run) => (await countRun(run)).totals,
    );
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
    const unseen = await ledger.unseenAnswers(new Date(now.getTime() - weekMs));
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
    sendRun({ parts, countRun }, request, reply, await findRun(context, paramOf(request, 'run'))),
  );

  app.get('/people', async (request, reply) =>
    sendPage(parts, request, reply, { title: t('Look somebody up'), place: 'people' }, personSearch()),
  );

  app.post('/people', async (request, reply) => {
    const { email = '' } = formOf(request);
    const frame = { title: t('A person'), place: 'people' } as const;
    const ask = askOf(parts, request);
    if (!isEmailAddress(personKey(email))) {
      const text = cleanText(email);
      if (text.length < 2) {
        return sendPage(parts, request, reply.code(422), frame, personSearch(text, t('Type at least two letters.')));
      }
      return sendPage(parts, request, reply, frame, peopleFound(text, await ask(acts.findPeople, { text })));
    }
    const history = await ask(acts.getPerson, { email });
    return sendPage(parts, request, reply, frame, person(history, viewerOf(request)));
  });

  app.post('/people/download', async (request, reply) => {
    const { email = '' } = formOf(request);
    return sendBytes(request, reply, await askOf(parts, request)(acts.personFile, { email }));
  });

  registerLeftBehind(app, parts);
}

function registerLeftBehind(app: FastifyInstance, parts: ServerParts): void {
  app.get('/left-behind', async (request, reply) => {
    const listed = await askOf(parts, request)(listLeftBehind, {});
    const { leftBehind: rows, people = 0, groups = 0, at = new Date().toISOString() } = listed;
    const title = t('Groups that somebody should have left');
    const { marked = '' } = request.query as Form;
    const { mayRun: mayMark } = viewerOf(request);
    const body = leftBehind({ rows, people, groups, at, marked: placeOf(marked), mayMark });
    return sendPage(parts, request, reply, { title, place: 'home' }, body);
  });

  app.post('/left-behind/done', async (request, reply) => {
    requireScope(request, 'run');
    const { before = '', person, group, source } = formOf(request);
    const { groups } = await askOf(parts, request)(markLeftBehind, { before, ...defined({ person, group, source }) });
    return reply.redirect(`/left-behind?marked=${groups}`, 303);
  });

  app.post('/left-behind/download', async (request, reply) => {
    const format = formOf(request)['format'] === 'xlsx' ? 'xlsx' : 'csv';
    const { context } = parts;
    const counted = await context.ledger.countLeftBehind({});
    const rows = everyLeftBehind(askOf(parts, request), {});
    return sendFile(context, request, reply, {
      action: 'download left behind',
      name: `left-behind.${format}`,
      type: fileTypes[format],
      parts: sheetParts(leftBehindSheet(counted, rows), { format, excel: false }),
    });
  });
}

/** Only a form with the address typed again erases anything. */
export function registerForgetting(app: FastifyInstance, parts: ServerParts): void {
  app.post('/people/forget', async (request, reply) => {
    const { email = '', confirm } = formOf(request);
    const ask = askOf(parts, request);
    const { key, known, services, notReached } = await ask(acts.lookToForget, { email });
    const show = (wrong?: NonNullable<ForgetView['confirm']>) => {
      const view = { email: email.trim(), known, services, notReached };
      const body = forgetPage({ ...view, ...defined({ confirm: wrong }) });
      return sendPage(parts, request, reply.code(wrong ? 422 : 200), { title: t(forgetTitle), place: 'people' }, body);
    };
    if (confirm === undefined) return show();
    if (personKey(confirm) !== key) {
      const typed = confirm.trim().slice(0, 320);
      return show({ typed, problem: typed === '' ? t('Type the address to confirm.') : t('That is another address.') });
    }
    if (known.inTheWay.length > 0 || known.inFlight > 0) return show();
    awaitAnswer(request);
    const { keptOutOf, ...forgotten } = await ask(acts.forgetPerson, { email });
    const body = forgottenPage({ email: email.trim(), services: keptOutOf, ...forgotten });
    return sendPage(parts, request, reply, { title: t('This person is forgotten'), place: 'people' }, body);
  });

  app.post('/people/allow', async (request, reply) => {
    const { email = '' } = formOf(request);
    await askOf(parts, request)(acts.allowPerson, { email });
    return sendPage(parts, request, reply, { title: t('A person'), place: 'people' }, allowedPage(email.trim()));
  });
}

/** Only a form with the hash of what was shown changes anything. */
export function registerMoves(app: FastifyInstance, parts: ServerParts): void {
  app.post('/runs/:run/moves', async (request, reply) => {
    requireScope(request, 'approve');
    const run = paramOf(request, 'run');
    const { decision, old = '', now = '', hash } = formOf(request);
    if (decision !== 'renamed-there' && decision !== 'new-account') {
      throw new InputError(t('Choose what it means. Nothing was changed.'));
    }
    const of = old === '' && now === '' ? { run } : { moves: [{ old, new: now }] };
    const { found } = await askOf(parts, request)(acts.resolveMoves, { decision, ...of, ...defined({ hash }) });
    const body = movesPage({ run, decision, old, now, found });
    return sendPage(parts, request, reply, { title: t(movesTitle), place: 'runs' }, body);
  });
}
