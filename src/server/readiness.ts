// Checks that ledger and queue respond, one question at a time.
import { endsWithin } from '../process/coalesce.ts';

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
