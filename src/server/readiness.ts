// Checks that ledger and queue respond, one question at a time.

export interface Question {
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
  const open = new Map<string, Promise<boolean>>();

  function answerOf({ name, ask }: Question): Promise<boolean> {
    const asked = open.get(name);
    if (asked) return asked;
    const answer = ask().then(
      () => true,
      () => false,
    );
    open.set(name, answer);
    void answer.then(() => open.delete(name));
    return answer;
  }

  async function problemOf(question: Question): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, withinMs, false);
    });
    const isReady = await Promise.race([answerOf(question), late]);
    clearTimeout(timer);
    return isReady ? undefined : `the ${question.name} does not answer`;
  }

  return async () => (await Promise.all(questions.map(problemOf))).filter((problem) => problem !== undefined);
}
