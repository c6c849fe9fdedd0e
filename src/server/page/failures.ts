// What is thrown in a page, or a ledger or queue that is away, becomes a page with the next step.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ScopeError, RequestError } from '../../core/errors.ts';
import { defined } from '../../core/defined.ts';
import type { Logger } from '../../process/logger.ts';
import type { Html } from '../../core/text/format.ts';
import type { ServerParts } from '../parts.ts';
import { tellProblem } from '../problems.ts';
import { ledgerAwayPage, ledgerAwayTitle, mayOnly } from '../../page/layout.ts';
import { withButtons } from '../../page/press.ts';
import { html, t, words } from '../../page/words.ts';
import { UploadSent } from '../../intake/kept-uploads.ts';
import { sendPage, SignedOut, viewerOf } from './session.ts';
import { sendSignIn, signInAddress } from './signing-in.ts';
import { told } from '../../page/told.ts';

/** The page that says that the ledger is away; it needs nothing of the ledger. */
export function sendLedgerAway(parts: ServerParts, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const wasSent = request.method !== 'GET';
  // Another file or form is not sent again by itself.
  if (!wasSent) reply.header('refresh', '5');
  void reply.code(503).header('retry-after', '5').header('cache-control', 'no-store');
  return sendPage(parts, request, reply, { title: t(ledgerAwayTitle) }, ledgerAwayPage(wasSent));
}

export function answerWithPages(app: FastifyInstance, parts: ServerParts, log: Logger): void {
  app.setErrorHandler(async (error, request, reply) => {
    if (error instanceof UploadSent) return reply.redirect(`/runs/${error.runId}`, 303);
    const { status, code, detail: said, next, isExpected } = tellProblem(error, request, log);
    if (code === 'LEDGER_AWAY') return sendLedgerAway(parts, request, reply);
    const detail = error instanceof ScopeError ? `${whoMay(error, request)} ${t('Nothing was changed.')}` : said;
    if (error instanceof SignedOut) {
      const { fields, isOver, hadFile } = error;
      if (request.method === 'GET') return reply.redirect(signInAddress(request.url, isOver), 303);
      return sendSignIn(parts, request, reply.code(401), {
        reason: isOver ? 'over' : undefined,
        back: { path: request.url, ...defined({ fields }) },
        hadFile,
      });
    }
    void reply.code(status);
    if (status === 503) reply.header('retry-after', '10');
    return sendPage(
      parts,
      request,
      reply,
      { title: titleOf(status, code) },
      problemPage(titleOf(status, code), isExpected ? told(withButtons(detail, next)) : undefined, request.id),
    );
  });
}

const whoMay = ({ scope }: ScopeError, request: FastifyRequest): string =>
  scope === 'access' ? t('Only an admin decides who may sign in.') : mayOnly(viewerOf(request));

/** The page about an address that leads nowhere, for a browser; undefined for any other client. */
export function unknownPage(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (!request.headers.accept?.includes('text/html') || request.url.startsWith('/api/')) return undefined;
  const title = titleOf(404, '');
  const body = problemPage(title, t('There is nothing at this address. Check how it is written.'), request.id);
  return sendPage(parts, request, reply.code(404).header('cache-control', 'no-store'), { title }, body);
}

/** What cannot be had now, by the code of its error. */
const causes: Readonly<Record<string, string>> = {
  BUSY: words('The server is busy'),
  LEDGER_BUSY: words('The server is busy'),
  CLOSING: words('The server is stopping'),
  LEDGER_AWAY: ledgerAwayTitle,
  SIGN_IN_SERVICE: words('The sign-in service does not answer'),
  LOST_CONNECTION: ledgerAwayTitle,
  STORAGE: words('The ledger or its disk cannot be used'),
};

function titleOf(status: number, code: string): string {
  if (status === 403) return t('You may not do this');
  if (status === 404) return t('Not there');
  if (status === 502 || status === 503 || status === 507) return t(causes[code] ?? words('Not available now'));
  if (status === 504) return t('The service gave no answers');
  return status < 500 ? t('That was not done') : t('Something went wrong here');
}

function problemPage(title: string, detail: string | undefined, id: string): Html {
  const unexpected = html`<p>
    Something went wrong here, not with your file. Tell whoever runs roster-sync: <code>${id}</code>.
  </p>`;
  return html`<h1>${title}</h1>
    ${detail === undefined ? unexpected : html`<p>${detail}</p>`}
    <p><a href="/">Home</a></p>`;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The queue does not answer: nothing is sent meanwhile. */
    isQueueAway?: boolean;
  }
}

/** What is known about the parts is this old at most, ms. */
const freshForMs = 1000;
/** After this time, ms, a page that is not answered yet asks whether the ledger is away. */
const askAfterMs = 2000;

/** The ledger does not answer; a form that was sent may still be done when it does. */
export class LedgerAway extends RequestError {
  constructor() {
    super(503, 'LEDGER_AWAY', 'The ledger does not answer.');
  }
}

/**
 * Answers pages with that while the ledger is away, also those that wait for it already. A ledger in this process is never away, only
 * busy: its pages wait.
 * @param answer sends the page that says so
 */
export function answerWhileAway(
  app: FastifyInstance,
  { context: { config }, notReady }: Pick<ServerParts, 'context' | 'notReady'>,
  answer: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  if (config.databaseUrl === undefined) return;
  let known: readonly string[] = [];
  let askedAt = 0;
  let asking: Promise<void> | undefined;
  const isAway = (part: string): boolean => known.some((problem) => problem.includes(part));

  function ask(): Promise<void> {
    if (asking) return asking;
    if (Date.now() - askedAt < freshForMs) return Promise.resolve();
    asking = notReady().then((problems) => {
      known = problems;
      askedAt = Date.now();
      asking = undefined;
    });
    return asking;
  }

  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/page.')) return;
    const asked = ask();
    // What was well a moment ago is not waited for; what was away may be back.
    if (known.length > 0) await asked;
    if (isAway('ledger')) throw new LedgerAway();
    request.isQueueAway = isAway('queue');
    const timer = setInterval(() => {
      void ask().then(() => {
        if (reply.sent || !isAway('ledger')) return;
        clearInterval(timer);
        answer(request, reply);
      });
    }, askAfterMs);
    reply.raw.once('close', () => clearInterval(timer));
  });
}
