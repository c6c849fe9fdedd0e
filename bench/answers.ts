/**
 * An answer of the question analysis, from HTTP to NDJSON in a file, checks and all, beside `JSON.parse` of the same
 * bytes in memory. Each run is a process of its own; medians of alternating rounds. Exits 1 when it is below two fifths of
 * the speed of `JSON.parse`, or takes more than 200 MB.
 *
 *   node bench/answers.ts [--answers 1000000] [--rounds 3]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { median, printFigures } from './support/figure.ts';
import type { Port } from './support/answers-server.ts';
import type { AnswersReading } from './support/read-answers.ts';

const { values } = parseArgs({
  options: { answers: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '3' } },
});
const [wanted, rounds] = [Number(values.answers), Number(values.rounds)];
const questions = 20;
const folder = mkdtempSync(join(tmpdir(), 'roster-sync-answers-'));
const path = join(folder, 'answer.json');

/** An answer with two stories of ten questions each; names of several languages. */
function* answer(): Generator<string> {
  const each = Math.ceil(wanted / questions);
  yield '{"status":"success","data":[';
  for (let story = 0; story < 2; story += 1) {
    const app = { ID: '12', name: 'Onboarding', version: '3.1.0' };
    const head = { ID: String(4711 + story), name: `Story ${story}`, type: 'course', app };
    yield `${story === 0 ? '' : ','}{"story":${JSON.stringify(head)},"questions":[`;
    for (let at = 0; at < questions / 2; at += 1) {
      const possibleAnswers = ['Finish the e-mail', 'Leave by the nearest exit', 'Take the lift'];
      const stats = { total: each, correct: each - Math.ceil(each / 4), incorrect: Math.ceil(each / 4) };
      const of = { question: `Question ${at}?`, type: 'Multiple Choice', possibleAnswers, stats };
      yield `${at === 0 ? '' : ','}${JSON.stringify(of).slice(0, -1)},"answers":[`;
      for (let person = 0; person < each; person += 100) {
        const some = Array.from({ length: Math.min(100, each - person) }, (_, n) =>
          itemOf(person + n, possibleAnswers),
        );
        yield (person === 0 ? '' : ',') + some.join(',');
      }
      yield ']}';
    }
    yield ']}';
  }
  yield '],"hash":"9f86d081884c7d659a2feaa0c55ad015","response_time":12.5}';
}

const names = ['Åse Lindqvist', 'Tomás O’Neill', 'Mei Chen', 'Kwame Boateng', 'Zoë Müller'].map((name) =>
  name.split(' '),
);

function itemOf(person: number, possible: readonly string[]): string {
  const [firstname = '', lastname = ''] = names[person % names.length] ?? [];
  const correct = person % 4 !== 0;
  return JSON.stringify({
    firstname,
    lastname,
    email: `person.${person}@example.com`,
    telephone: `+45 55 ${person}`,
    country: 'Denmark',
    city: 'Aarhus',
    groups: ['All staff', `Department ${person % 40}`],
    answer: { attempts: 1 + (person % 3), response: possible[correct ? 1 : 0], correct },
  });
}

async function run(how: 'ours' | 'raw', from: string): Promise<AnswersReading> {
  const child = fork(join(import.meta.dirname, 'support/read-answers.ts'), [how, from, join(folder, 'answers.ndjson')]);
  const [reading] = (await once(child, 'message')) as [AnswersReading];
  await once(child, 'exit');
  if (reading.answers < wanted) throw new Error(`${how} gave ${reading.answers} of ${wanted} answers`);
  return reading;
}

await pipeline(Readable.from(answer()), createWriteStream(path));
const server = fork(join(import.meta.dirname, 'support/answers-server.ts'), [path]);
try {
  const [port] = (await once(server, 'message')) as [Port];
  const megabytes = statSync(path).size / 1e6;
  const ours: AnswersReading[] = [];
  const raw: AnswersReading[] = [];
  // The first round fills the file system's cache and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const both = [await run('ours', `http://127.0.0.1:${port}`), await run('raw', path)] as const;
    if (round === 0) continue;
    ours.push(both[0]);
    raw.push(both[1]);
  }
  const speed = (all: AnswersReading[]): number[] => all.map(({ seconds }) => megabytes / seconds);
  printFigures(`${wanted} answers, ${megabytes.toFixed(0)} MB, ${rounds} rounds`, [
    {
      name: 'MB per second from HTTP to NDJSON, of JSON.parse',
      values: ours.map(({ seconds }, at) => (raw[at]?.seconds ?? Number.NaN) / seconds),
      ...{ must: 0.4, aim: 0.5 },
      of: `${median(speed(ours)).toFixed(0)} MB/s with every check, into a file; JSON.parse ${median(speed(raw)).toFixed(0)} MB/s, in memory`,
    },
    {
      name: 'peak memory',
      values: ours.map(({ peakMegabytes }) => peakMegabytes),
      unit: ' MB',
      ...{ must: 200, aim: 150, bound: 'most' },
      of: `JSON.parse ${median(raw.map(({ peakMegabytes }) => peakMegabytes)).toFixed(0)} MB`,
    },
  ]);
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
