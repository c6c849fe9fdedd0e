// Answers `/healthz` (alive) and `/readyz` (ready): whether ledger and queue respond, one question at a time.
import type { FastifyInstance } from 'fastify';
import { endsWithin } from '../process/coalesce.ts';
import type { ServerParts } from './parts.ts';

interface Question {
  name: string;
  ask(): Promise<unknown>;
}

/** The longest time for an answer, ms. */
const readyWithinMs = 2000;

/** What is away may keep a question waiting for half an hour: no further one is asked. Returns who is silent. */
export function createReadiness(
  questions: readonly Question[],
  withinMs: number = readyWithinMs,
): () => Promise<string[]> {
  const open = new Map<string, Promise<unknown>>();

  function answerOf({ name, ask }: Question): Promise<unknown> {
    const answer = open.get(name) ?? ask().finally(() => open.delete(name));
    open.set(name, answer);
    return answer;
  }

  async function problemOf(question: Question): Promise<string | undefined> {
    return (await endsWithin(withinMs, answerOf(question))) ? undefined : `the ${question.name} does not answer`;
  }

  return async () => (await Promise.all(questions.map(problemOf))).filter((problem) => problem !== undefined);
}

export function registerHealth(app: FastifyInstance, parts: Pick<ServerParts, 'notReady' | 'schedule'>): void {
  app.get('/healthz', { config: { anyHost: true } }, () => ({ status: 'alive' }));
  app.get('/readyz', { config: { anyHost: true } }, async (_request, reply) => {
    const problems = [...(await parts.notReady()), ...(parts.schedule?.problems() ?? [])];
    return reply
      .code(problems.length > 0 ? 503 : 200)
      .send({ status: problems.length > 0 ? 'not ready' : 'ready', problems });
  });
}
