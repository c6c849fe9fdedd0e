// Reads a roster in a thread of its own.
import { parentPort } from 'node:worker_threads';
import { defined } from '../../core/defined.ts';
import type { Reject, Row, RosterForm } from '../../core/rows/row.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { openRoster, type OpenOptions, type RosterFile } from '../open-roster.ts';

/** What the thread is asked, and answers in this order; `rows` and `leave` are about a reading from the beginning, by its number. */
export type Question =
  | { open: string; options: OpenOptions; secrets: Secrets }
  | { rows: number }
  | { leave: number }
  | { close: true };

/** What opens a file, as texts: only plain data comes across. */
export type Secrets = Record<'password' | 'privateKey' | 'passphrase' | 'signedBy', string | undefined>;

/** The next rows; at the end none, and what is known only then. */
export interface Rows {
  rows: (Row | Reject)[];
  end?: { form: RosterForm; checksum: string };
}
/** An error of ours: the name of its class, and its own properties. */
export interface Failure {
  name: string;
  message: string;
  own: object;
}
export type Opened = Pick<RosterFile, 'form' | 'sizeBytes' | 'modifiedAt'>;
export type Answer = { answer: Opened | Rows | undefined } | { failure: Failure };

/** Characters of cells that are handed over at once, and what a cell counts besides: the other thread takes some ms to take them in. */
const mostAtOnce = 300_000;
const ofEachCell = 16;

const port = parentPort;
if (port === null) throw new Error('reading-thread runs as a worker thread only');

let roster: RosterFile | undefined;
const readings = new Map<number, AsyncGenerator<(Row | Reject)[]>>();

async function* slices(open: RosterFile): AsyncGenerator<(Row | Reject)[]> {
  for await (const batch of open.batches()) {
    let slice: (Row | Reject)[] = [];
    let weight = 0;
    for (const row of batch) {
      slice.push(row);
      for (const cell of row.cells) weight += cell.length + ofEachCell;
      if (weight < mostAtOnce) continue;
      yield slice;
      slice = [];
      weight = 0;
    }
    if (slice.length > 0) yield slice;
  }
}

async function nextRows(open: RosterFile, number: number): Promise<Rows> {
  const reading = readings.get(number) ?? slices(open);
  readings.set(number, reading);
  const next = await reading.next();
  if (!next.done) return { rows: next.value };
  readings.delete(number);
  return { rows: [], end: { form: open.form, checksum: open.checksum() } };
}

function withSecrets(options: OpenOptions, { password, privateKey, passphrase, signedBy }: Secrets): OpenOptions {
  const secret = (text?: string) => (text === undefined ? undefined : new Secret(text));
  const key = secret(privateKey);
  const pgp = key && { privateKey: key, ...defined({ passphrase: secret(passphrase), signedBy }) };
  return { ...options, ...defined({ password: secret(password), pgp }) };
}

async function answer(question: Question): Promise<Opened | Rows | undefined> {
  if ('open' in question) {
    roster = await openRoster(question.open, withSecrets(question.options, question.secrets));
    return { form: roster.form, sizeBytes: roster.sizeBytes, modifiedAt: roster.modifiedAt };
  }
  if (roster === undefined) return undefined;
  if ('rows' in question) return nextRows(roster, question.rows);
  if ('leave' in question) {
    await readings.get(question.leave)?.return(undefined);
    readings.delete(question.leave);
    return undefined;
  }
  readings.clear();
  await roster.close();
  roster = undefined;
  return undefined;
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: '', message: String(error), own: {} };
  return { name: error.name, message: error.message, own: { ...error } };
}

let last = Promise.resolve();
port.on('message', (question: Question) => {
  last = last
    .then(() => answer(question))
    .then(
      (answer) => port.postMessage({ answer } satisfies Answer),
      (error: unknown) => port.postMessage({ failure: failureOf(error) } satisfies Answer),
    );
});
