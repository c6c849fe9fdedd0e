// How pages are answered: as HTML, with a policy that runs no script, and errors as pages with the next step.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../process/logger.ts';
import { html, type Html } from '../../core/text/html.ts';
import { type Frame, page } from '../../page/layout.ts';
import { routeOf } from '../access-log.ts';
import type { ServerParts } from '../parts.ts';
import { describeProblem } from '../problems.ts';
import { viewerOf } from './session.ts';

const policy =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Sends a page in its frame. */
export function sendPage(
  { context }: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  frame: Omit<Frame, 'viewer' | 'service'>,
  body: Html,
): FastifyReply {
  const { baseUrl } = context.config.service;
  const service = baseUrl === undefined ? undefined : URL.parse(baseUrl)?.host;
  const viewer = request.session && viewerOf(request);
  const whole = page({ ...frame, ...(viewer && { viewer }), ...(service !== undefined && { service }) }, body);
  return (
    reply
      .header('content-security-policy', policy)
      // Without an origin a browser could not show that a form is our own.
      .header('referrer-policy', 'same-origin')
      .type('text/html; charset=utf-8')
      .send(whole.toString())
  );
}

/** What is thrown in a page becomes a page: what happened, that nothing was changed, and where to go. */
export function answerWithPages(app: FastifyInstance, parts: ServerParts, log: Logger): void {
  app.setErrorHandler(async (error, request, reply) => {
    const { status, detail, isExpected } = describeProblem(error, request.id);
    if (status === 401) return reply.redirect('/sign-in', 303);
    if (!isExpected) {
      log.error({ err: error, request: request.id, route: routeOf(request) }, 'a page could not be made');
    }
    void reply.code(status);
    return sendPage(parts, request, reply, { title: titleOf(status) }, problemPage(status, detail, request.id));
  });
}

function titleOf(status: number): string {
  if (status === 403) return 'You may not do this';
  if (status === 404) return 'Not there';
  if (status === 503) return 'The ledger does not answer';
  return status < 500 ? 'That was not done' : 'Something went wrong here';
}

function problemPage(status: number, detail: string, id: string): Html {
  const unexpected = html`<p>
    Something went wrong here, not with your file. Tell whoever runs roster-sync: <code>${id}</code>.
  </p>`;
  return html`<h1>${titleOf(status)}</h1>
    ${status >= 500 && status !== 503 ? unexpected : html`<p>${detail}</p>`}
    <p><a href="/">Home</a></p>`;
}
