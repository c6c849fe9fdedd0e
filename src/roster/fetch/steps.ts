// Fetches what a source needs besides its people, such as group names.
import type { Step } from '../../../config/preset-schema.ts';
import { namesInOneCell } from '../../core/cells/group-cell.ts';
import pLimit from 'p-limit';
import { InputError } from '../../core/errors.ts';
import { cellText, isRecord, parsePath, valuesAt } from '../../core/rows/path.ts';
import type { HttpClient } from './http-client.ts';
import { showUrl } from './http-message.ts';
import { keyOf, readGroups, readTable } from './group-tables.ts';
import { findRecords, parseAnswer, sent, type PageLimits } from './pages.ts';
import { PassingTrouble } from './tries.ts';

type Found = Record<string, unknown>;
export type Enricher = (records: Found[]) => Promise<Found[]>;

/** The number of requests at a time for single people. Most HR systems allow a few a second. */
const sideBySide = 4;
const mostBatchBytes = 64 * 1024 ** 2;

/** What went wrong for single people; reported at the end. */
export interface StepNotes {
  /** People whose details were refused, by status. */
  refused: Map<number, number>;
  /** People of whom something that is needed is hidden. */
  hidden: number;
  /** Group names that had a `;` in them, which would make two groups of one. */
  renamed: Set<string>;
  /** What else a person should hear, a sentence each. */
  others: string[];
}

export async function prepareSteps(
  client: HttpClient,
  steps: readonly Step[],
  limits: PageLimits,
  notes: StepNotes,
): Promise<Enricher> {
  const enrichers: Enricher[] = [];
  for (const step of steps) enrichers.push(await prepare(client, step, limits, notes));
  return async (records) => {
    let enriched = records;
    for (const enrich of enrichers) enriched = await enrich(enriched);
    return enriched;
  };
}

async function prepare(client: HttpClient, step: Step, limits: PageLimits, notes: StepNotes): Promise<Enricher> {
  switch (step.do) {
    case 'each': {
      const limit = pLimit(sideBySide);
      return (records) =>
        limit.map(records, async (record) => ({ ...record, [step.into]: await one(client, step, record, limits) }));
    }
    case 'batch':
      return (records) => inBatches(client, step, records, limits, notes);
    case 'table': {
      const names = await readTable(client, step, limits);
      const from = [step.from].flat().map((path) => parsePath(path));
      const keys = step.key.map((key) => parsePath(key));
      return withNames(step.into, notes, (record) => {
        const found = from.flatMap((path) => valuesAt(record, path));
        return found.map((one) => names.get(keyOf(one, keys)));
      });
    }
    case 'members':
    case 'memberships':
    case 'links': {
      const groups = await readGroups(client, step, limits, notes.others);
      const id = parsePath(step.id);
      return withNames(step.into, notes, (record) =>
        valuesAt(record, id).flatMap((value) => groups.groupsOf(String(value))),
      );
    }
    case 'names': {
      const from = step.from.map((path) => parsePath(path));
      return withNames(step.into, notes, (record) => from.flatMap((path) => valuesAt(record, path)));
    }
    case 'hidden': {
      const list = parsePath(step.in);
      return (records) =>
        Promise.resolve(
          records.map((record) => {
            if (!valuesAt(record, list).some((field) => step.fields.includes(String(field)))) return record;
            notes.hidden += 1;
            return { ...record, [step.blank]: '' };
          }),
        );
    }
  }
}

/** Puts names into a cell of each record, each of them once. */
function withNames(into: string, notes: StepNotes, find: (record: Found) => unknown[]): Enricher {
  return (records) =>
    Promise.resolve(
      records.map((record) => {
        const names = new Set(find(record).filter((name) => typeof name === 'string' && name.trim() !== ''));
        return { ...record, [into]: namesInOneCell([...names] as string[], notes.renamed) };
      }),
    );
}

async function one(
  client: HttpClient,
  step: Extract<Step, { do: 'each' }>,
  record: Found,
  { name }: PageLimits,
): Promise<unknown> {
  const filled = step.url.replaceAll(/\{([^{}]+)\}/g, (_, path: string) => {
    const [value] = valuesAt(record, parsePath(path));
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new InputError(`${name}: somebody in the answer has no ${path}, which is needed to ask for the rest.`);
    }
    return encodeURIComponent(String(value));
  });
  const url = client.follow(filled, client.url);
  const { body, status } = await client.read({ url, method: 'GET' }, mostBatchBytes);
  if (status === 204) return undefined;
  return findRecords(parseAnswer(body, `${name}: ${showUrl(url)}`), step.records, `${name}: ${showUrl(url)}`)[0];
}

async function inBatches(
  client: HttpClient,
  step: Extract<Step, { do: 'batch' }>,
  records: Found[],
  limits: PageLimits,
  notes: StepNotes,
): Promise<Found[]> {
  const id = parsePath(step.id);
  const enriched: Found[] = [];
  for (let at = 0; at < records.length; at += step.size) {
    const batch = records.slice(at, at + step.size);
    const ids = batch.map((record) => cellText(valuesAt(record, id).slice(0, 1)));
    const answers = await oneBatch(client, step, ids, limits);
    for (const [place, record] of batch.entries()) {
      const answer = answers.get(ids[place] ?? '');
      const code = answer === undefined ? 0 : Number(answer[step.code] ?? 200);
      if (code !== 200) notes.refused.set(code, (notes.refused.get(code) ?? 0) + 1);
      enriched.push({ ...record, [step.into]: code === 200 ? answer?.[step.value] : undefined });
    }
  }
  return enriched;
}

async function oneBatch(
  client: HttpClient,
  step: Extract<Step, { do: 'batch' }>,
  ids: readonly string[],
  { name }: PageLimits,
): Promise<Map<string, Found>> {
  const url = client.follow(step.url, client.url);
  const where = `${name}: ${showUrl(url)}`;
  const body = { requests: ids.filter((one) => one !== '').map((one) => ({ [step.key]: one })) };
  return client.request({ url, method: 'POST', ...sent(body, undefined) }, async (response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const answers = new Map<string, Found>();
    for (const answer of findRecords(parseAnswer(Buffer.concat(chunks), where), step.records, where).filter(isRecord)) {
      const code = Number(answer[step.code] ?? 200);
      // A person who cannot be read now would be missing from the roster.
      if (code === 202 || code === 429 || code >= 500) {
        throw new PassingTrouble(`${showUrl(url)} could not give everybody (${code})`);
      }
      answers.set(String(answer[step.key]), answer);
    }
    return answers;
  });
}
