// The pages: who may see them, and their routes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { watchChanges } from '../../acts/changes.ts';
import { insertsOfRun, rejectsOfRun, reportRun } from '../../acts/run-files.ts';
import { mountActs } from '../api/mount.ts';
import type { ServerParts } from '../parts.ts';
import { answerWhileAway, answerWithPages, sendLedgerAway } from './failures.ts';
import { registerForgetting, registerLooking, registerMoves } from './looking.ts';
import { registerListing, registerPeopleOfRun } from './listing.ts';
import { registerAccounts } from './accounts.ts';
import { registerImporting } from './importing.ts';
import { registerDeciding } from './deciding.ts';
import { countsOfRuns } from './run-figures.ts';
import { requireSession } from './session.ts';
import { registerSettings, registerSources } from './sources.ts';
import { registerSigningIn, registerSigningOut } from './signing-in.ts';
import { registerStories } from './stories.ts';

/** Without a session there is only the one that says how to sign in. */
export async function registerPages(app: FastifyInstance, parts: ServerParts): Promise<void> {
  const { ledger, log } = parts.context;
  answerWithPages(app, parts, log);
  answerWhileAway(app, parts, (request, reply) => void sendLedgerAway(parts, request, reply));
  // Forms are texts by their names: JSON, or a name that comes twice, would be something else.
  app.removeAllContentTypeParsers();
  app.addHook('preValidation', async (request) => {
    request.body ??= {};
    const query = Object.entries(request.query as Record<string, string | string[]>);
    request.query = Object.fromEntries(query.map(([name, value]) => [name, [value].flat().at(-1)]));
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  for (const [name, type] of [
    ['page.css', 'text/css'],
    ['page.js', 'text/javascript'],
  ] as const) {
    const text = readFileSync(join(import.meta.dirname, '../../page', name), 'utf8');
    app.get(`/${name}`, async (_request, reply) =>
      reply.header('cache-control', 'max-age=3600').type(`${type}; charset=utf-8`).send(text),
    );
  }
  await registerSigningIn(app, parts);
  await app.register(async (pages) => {
    requireSession(pages, ledger);
    registerSigningOut(pages, parts);
    mountActs(pages, parts, [watchChanges]);
    const countRun = countsOfRuns(ledger);
    registerLooking(pages, parts, countRun);
    registerListing(pages, parts, countRun);
    registerPeopleOfRun(pages, parts, countRun);
    registerDeciding(pages, parts, countRun);
    registerForgetting(pages, parts);
    registerMoves(pages, parts);
    registerSources(pages, parts);
    registerStories(pages, parts);
    registerSettings(pages, parts);
    await pages.register(async (accounts) => registerAccounts(accounts, parts));
    await registerImporting(pages, parts);
    await pages.register(async (files) => mountActs(files, parts, [reportRun, rejectsOfRun, insertsOfRun]), {
      prefix: '/files',
    });
  });
}
