// Answers pages in bounded time while ledger or queue is away, and says so.
import { RequestError } from '../../core/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServerParts } from '../parts.ts';

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
