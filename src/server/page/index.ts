// The pages: who may see them, and their routes.
import type { FastifyInstance } from 'fastify';
import { importStyle } from '../../page/import-style.ts';
import { stylesheet } from '../../page/stylesheet.ts';
import { registerDownloads } from '../api/downloads.ts';
import type { ServerParts } from '../parts.ts';
import { answerWithPages } from './failures.ts';
import { registerLooking } from './looking.ts';
import { registerImporting } from './importing.ts';
import { registerDeciding } from './deciding.ts';
import { requireSession } from './session.ts';
import { registerSigningIn, registerSigningOut } from './signing-in.ts';

/** The pages. Without a session there is only the one that says how to sign in. */
export async function registerPages(app: FastifyInstance, parts: ServerParts): Promise<void> {
  const { ledger, log } = parts.context;
  answerWithPages(app, parts, log);
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.get('/page.css', async (_request, reply) =>
    reply
      .header('cache-control', 'max-age=3600')
      .type('text/css; charset=utf-8')
      .send(stylesheet + importStyle),
  );
  await registerSigningIn(app, parts);
  await app.register(async (pages) => {
    requireSession(pages, ledger);
    registerSigningOut(pages, parts);
    registerLooking(pages, parts);
    registerDeciding(pages, parts);
    await registerImporting(pages, parts);
    await pages.register(async (files) => registerDownloads(files, parts), { prefix: '/files' });
  });
}
