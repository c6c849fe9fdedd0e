/** One reading of an answer, ours from HTTP to NDJSON or `JSON.parse` of the same bytes, in a process of its own. */
import { readFileSync } from 'node:fs';
import { AnswerTally } from '../../src/core/story/answer-tally.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { answersNdjson } from '../../src/report/story/answers-summary.ts';
import { writeWhole } from '../../src/report/files/whole-file.ts';
import { parseBaseUrl, readCredentials } from '../../src/service/settings.ts';
import { createServiceClient } from '../../src/service/client.ts';

/** What a reading took. */
export interface AnswersReading {
  answers: number;
  seconds: number;
  peakMegabytes: number;
}

const [, , how, from = '', to = ''] = process.argv;

async function ours(): Promise<AnswersReading> {
  const client = createServiceClient({
    baseUrl: parseBaseUrl(from),
    credentials: await readCredentials({ token: new Secret('c2FuZGJveDpzYW5kYm94') }),
    concurrency: 1,
    timeoutMs: 60_000,
    userAgent: 'bench',
    environment: {},
  });
  const began = performance.now();
  const outcome = await client.analyse({});
  if (outcome.kind !== 'accepted') throw new Error(outcome.reason);
  const { analysis } = outcome;
  const tally = new AnswerTally(analysis.stories, analysis.breaches);
  async function* counted() {
    for await (const some of analysis.answers()) {
      tally.add(some);
      yield some;
    }
  }
  await writeWhole(to, answersNdjson(analysis.stories, counted()));
  const { answers, breaches } = tally.conclude();
  const seconds = (performance.now() - began) / 1000;
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches[0]));
  await analysis.close();
  await client.close();
  return { answers, seconds, peakMegabytes: peak() };
}

function raw(): AnswersReading {
  const bytes = readFileSync(from);
  const began = performance.now();
  const { data } = JSON.parse(bytes.toString('utf8')) as { data: { questions: { answers: unknown[] }[] }[] };
  const seconds = (performance.now() - began) / 1000;
  const answers = data.reduce(
    (all, { questions }) => all + questions.reduce((sum, { answers }) => sum + answers.length, 0),
    0,
  );
  return { answers, seconds, peakMegabytes: peak() };
}

function peak(): number {
  return process.resourceUsage().maxRSS / 1000;
}

process.send?.(how === 'ours' ? await ours() : raw());
process.disconnect?.();
